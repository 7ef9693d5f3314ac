# Takes long, and is run by ./dev test --all alone.
sinew_test(soak/soak)
sinew_test(soak/marathon SCENES)
