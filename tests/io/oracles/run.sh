#!/bin/sh
# run.sh ORACLE FOLDER NODE_MODULES: runs an oracle with what it is written for. 77, which CTest
# takes for skipped, where there is nothing to run it with.
here=${0%/*}
case $1 in
*.mjs)
    command -v node >/dev/null || {
        echo "skipped: node is not installed"
        exit 77
    }
    exec node "$here/$1" "$2" "$3"
    ;;
*)
    # Packages of Debian are for its own Python.
    [ -x /usr/bin/python3 ] || {
        echo "skipped: there is no /usr/bin/python3"
        exit 77
    }
    exec /usr/bin/python3 -B "$here/$1" "$2"
    ;;
esac
