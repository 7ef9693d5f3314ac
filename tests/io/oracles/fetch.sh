#!/bin/sh
# Installs the programs that read what the export wrote; a test without its program is skipped.
#
#     fetch.sh            those of npm, about 50 MB, into build/node_modules
#     fetch.sh --heavy    and Debian's: assimp, meshio, VTK, Chromium, Blender; needs root or sudo
set -eu
cd "$(dirname "$0")/../../.."

say() { printf 'fetch: %s\n' "$*" >&2; }

case ${1-} in
"" | --heavy) ;;
*)
    say "usage: fetch.sh [--heavy]"
    exit 2
    ;;
esac

# The same versions for everybody.
packages="gltf-validator@2.0.0-dev.3.10 three@0.166.1 three-usdz-loader@1.0.9 \
playwright-core@1.65.0"
if command -v npm >/dev/null; then
    mkdir -p build
    # shellcheck disable=SC2086 # a list of names
    npm install --no-audit --no-fund --loglevel=error --prefix build $packages >build/npm.log 2>&1 || {
        cat build/npm.log >&2
        say "npm could not install $packages"
        exit 1
    }
else
    say "there is no npm, so the tests of GLB and OpenUSD will be skipped"
fi

[ "${1-}" = --heavy ] || exit 0
root=
[ "$(id -u)" = 0 ] || root=sudo
# shellcheck disable=SC2086 # nothing, or a word
$root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    assimp-utils python3-meshio python3-vtk9 chromium blender >/dev/null
