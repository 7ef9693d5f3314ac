#!/usr/bin/env bash
# The two commands of the README on a machine that has nothing: a clone of HEAD in a folder with a
# minimal Debian of this machine's release and git, entered by chroot. Needs root.
#
#     fresh.sh [--quick]
#
# First without packages and without a network, where ./dev run must say at once what is missing;
# then with a network; then without one, with the packages but without what npm had fetched.
# With --quick there is ./dev build for ./dev test, and the tests that build as users do.
#
# Everything is mounted in a mount namespace of each command. It ends with the last process in it,
# whatever that one dies of, and is seen by no other, so that the folder can be removed at any time.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

say() { printf 'fresh: %s\n' "$*" >&2; }
die() { say "$1"; exit "${2:-1}"; }

quick=no
case "$*" in
"") ;;
--quick) quick=yes ;;
*) die "usage: fresh.sh [--quick]" 2 ;;
esac
[ "$(id -u)" = 0 ] || die "making a minimal Debian needs root"

folder=build/fresh
root=$PWD/$folder/root
home=$(getent passwd 0 | cut -d: -f6) # of who works in it
mkdir -p $folder
# What is copied from this machine may hold passwords.
chmod 700 $folder
# Whatever runs in the folder holds the lock.
exec 9>$folder/lock
flock --nonblock 9 || die "something still runs in $folder/root"

# ---- The folder ----

# A minimal system of this machine's release, from where this machine gets its own; made once.
make_base() {
    local release mirror proxy=
    # shellcheck source=/dev/null
    release=$(. /etc/os-release && echo "$VERSION_CODENAME")
    # shellcheck disable=SC2016 # apt's own variables
    mirror=$(apt-get indextargets --format '$(CODENAME) $(REPO_URI)' 'Created-By: Packages' |
        awk -v release="$release" '$1 == release { print $2; exit }')
    [ -n "$mirror" ] || die "apt-get has no list of $release; apt-get update fetches it"
    eval "$(apt-config shell proxy Acquire::http::Proxy)"
    rm -rf --one-file-system $folder/base $folder/base.tar.part
    ${proxy:+env http_proxy="$proxy"} debootstrap --variant=minbase --include=git "$release" \
        $folder/base "$mirror"
    tar -C $folder/base -cf $folder/base.tar.part .
    mv $folder/base.tar.part $folder/base.tar
    rm -rf --one-file-system $folder/base
}

# Copies files and folders to the same place in the folder, where they are there.
copy() {
    local path
    for path in "$@"; do
        [ -e "$path" ] || continue
        mkdir -p "$root${path%/*}"
        cp -RL "$path" "$root${path%/*}/"
    done
}

# How this machine reaches packages: names, certificates, apt and npm.
copy_settings() {
    copy /etc/resolv.conf /etc/hosts /usr/local/share/ca-certificates \
        "${NODE_EXTRA_CA_CERTS:-}" "${SSL_CERT_FILE:-}"
    rm -f "$root/etc/apt/sources.list"
    copy /etc/apt/{sources.list,sources.list.d,auth.conf,auth.conf.d,preferences,preferences.d} \
        /etc/apt/{keyrings,trusted.gpg.d} /usr/share/keyrings
    apt-config dump | sed -nE '/^Acquire::(https?|Check-Valid-Until)/p' \
        >"$root/etc/apt/apt.conf.d/99host"
    command -v npm >/dev/null || return 0
    local config
    for config in "$(npm config get globalconfig)" "$(npm config get userconfig)"; do
        [ ! -e "$config" ] || cat "$config"
    done >"$root$home/.npmrc"
    copy "$(npm config get cafile)"
}

make_root() {
    rm -rf --one-file-system "$root"
    mkdir "$root"
    tar -C "$root" -xf $folder/base.tar
    copy_settings
    # It is thrown away, so that nobody need wait for the disk.
    echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/unsafe-io"
    git clone --quiet --depth 1 "file://$PWD" "$root/sinew"
}

# inside [--offline] COMMAND...: runs a command in the clone.
inside() {
    local network=() settings
    [ "$1" != --offline ] || { network=(--net) && shift; }
    mapfile -t settings < <(env | grep -iE \
        '^(https?_proxy|no_proxy|npm_config_[a-z_]+|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|JOBS)=')
    # shellcheck disable=SC2016 # for the inner shells
    unshare --mount "${network[@]}" sh -euc '
        mount -t proc proc "$0/proc"
        mount -t sysfs -o ro sys "$0/sys"
        mount --rbind /dev "$0/dev"
        exec chroot "$0" "$@"' "$root" \
        env -i HOME="$home" PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        "${settings[@]}" sh -c 'cd /sinew && exec "$@"' sh "$@" </dev/null
}

# ---- The parts ----

# part TITLE COMMAND...: does something, and says what and how long it took; the rest is in `log`.
count=0
part() {
    local title=$1 start=$SECONDS status
    shift
    count=$((count + 1))
    log=$folder/$count.log
    say "$title"
    set +e
    (
        set -e
        "$@"
    ) >$log 2>&1
    status=$?
    set -e
    seconds=$((SECONDS - start))
    if [ $status -ne 0 ]; then
        tail -n 60 $log >&2
        die "that failed after $seconds s; all that was said is in $log, the folder is $folder/root"
    fi
    say "    $seconds s"
}

# Where nothing is installed and nothing can be, that is said in one sentence, and soon.
refuse() {
    ! inside --offline ./dev run
}
refusal='^dev: no package server answers; these packages are missing: gcc .*pkg-config$'
check_refusal() {
    if ! grep -Eq "$refusal" $log || [ "$(wc -l <$log)" -gt 2 ] || [ $seconds -gt 20 ]; then
        cat $log >&2
        die "./dev run should have said what is missing, in one sentence and 20 s"
    fi
}

# The suite, or what of it builds programs as users do: run_tests TITLE [--offline].
run_tests() {
    local how=$1
    shift
    if [ $quick = yes ]; then
        part "./dev build, $how" inside "$@" ./dev build
        part "the tests that build as users do, $how" inside "$@" \
            ctest --test-dir build/release --output-on-failure --no-tests=error -L external
        return
    fi
    part "./dev test, $how" inside "$@" ./dev test
    skipped=" $(sed -n 's/.* - \([a-z_0-9]*\) (Skipped).*/\1/p' $log | sort -u | tr '\n' ' ')"
    say "    skipped:$skipped"
}

# What is fetched is used; without a network nobody waits for it.
check_fetched() {
    local test
    for test in io_oracle_glb io_oracle_assimp io_read_assimp io_read_meshio io_read_real \
        io_scene_schema structure_format; do
        case $skipped in *" $test "*) die "$test was skipped, though there is a network" ;; esac
    done
    rm -rf "$root/sinew/build/node_modules" "$root/sinew/build/meshes"
    part "./dev fetch, without a network" inside --offline ./dev fetch
    [ $seconds -le 60 ] || die "giving up should have taken a minute at most"
}

[ -z "$(git status --porcelain)" ] || say "what is not committed is left out"
[ -e $folder/base.tar ] || part "making a minimal system, once" make_base
part "unpacking it, and cloning $(git rev-parse --short HEAD) into it" make_root
part "./dev run, without packages and without a network" refuse
check_refusal
part "./dev run, with a network" inside ./dev run
[ -s "$root/sinew/out/cloth.png" ] || die "there is no picture"
run_tests "with a network"
[ $quick = yes ] || check_fetched
part "./dev run, without a network" inside --offline ./dev run
run_tests "without a network" --offline
rm -rf --one-file-system "$root"
say "both commands work on a fresh machine, $SECONDS s in all"
