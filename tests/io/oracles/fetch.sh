#!/bin/sh
# Fetches from npm, into build/node_modules, the programs that read what the export wrote and the
# meshes that fetch.py writes as files; about 100 MB, once. A test without its own is skipped.
set -eu
cd "$(dirname "$0")/../../.."

say() { printf 'fetch: %s\n' "$*" >&2; }

# By default npm tries for minutes where nothing answers. What it runs at installation is not wanted.
fetch() {
    folder=$1
    shift
    missing=
    for package in "$@"; do
        grep -qs "\"version\": *\"${package##*@}\"" \
            "$folder/node_modules/${package%@*}/package.json" || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    command -v npm >/dev/null || {
        say "there is no npm, so tests are skipped that use$missing"
        return 1
    }
    mkdir -p "$folder"
    RES_OPTIONS="timeout:3 attempts:1" npm install --prefix "$folder" --no-audit --no-fund \
        --ignore-scripts --loglevel=error --fetch-retries=0 --fetch-timeout=15000 \
        "$@" >build/npm.log 2>&1 || {
        say "npm fails (see build/npm.log), so tests are skipped that use$missing"
        return 1
    }
}

mkdir -p build
# The same versions for everybody, that run in node 18, which Debian 12 has. The page is drawn by an
# older three.js than the one that reads usda.
fetch build gltf-validator@2.0.0-dev.3.10 three@0.166.1 three-usdz-loader@1.0.9 \
    playwright-core@1.61.0 typescript@5.6.3 bunny@1.0.1 teapot@1.0.0 snowden@1.0.1
fetch build/usda tinyusdz@0.9.0-rc10 three@0.187.0 || true
