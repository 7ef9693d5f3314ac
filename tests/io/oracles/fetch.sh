#!/bin/sh
# Fetches from npm, into build/node_modules, the programs that read what the export wrote and the
# meshes that fetch.py writes as files; about 85 MB, once. A test without its own is skipped.
set -eu
cd "$(dirname "$0")/../../.."

say() { printf 'fetch: %s\n' "$*" >&2; }

# The same versions for everybody, that run in node 18, which Debian 12 has.
packages="gltf-validator@2.0.0-dev.3.10 three@0.187.0 three-usdz-loader@1.0.9 tinyusdz@0.9.0-rc10 \
playwright-core@1.61.0 typescript@5.6.3 bunny@1.0.1 teapot@1.0.0 snowden@1.0.1"

missing=
for package in $packages; do
    grep -qs "\"version\": *\"${package##*@}\"" "build/node_modules/${package%@*}/package.json" ||
        missing="$missing $package"
done
[ -n "$missing" ] || exit 0

command -v npm >/dev/null || {
    say "there is no npm, so tests are skipped that use$missing"
    exit 1
}
mkdir -p build
# By default npm tries for minutes where nothing answers. What it runs at installation is not wanted.
# shellcheck disable=SC2086 # a list of names
RES_OPTIONS="timeout:3 attempts:1" npm install --prefix build --no-audit --no-fund --ignore-scripts \
    --legacy-peer-deps \
    --loglevel=error --fetch-retries=0 --fetch-timeout=15000 \
    $packages >build/npm.log 2>&1 || {
    say "npm fails (see build/npm.log), so tests are skipped that use$missing"
    exit 1
}
