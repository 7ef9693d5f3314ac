// Runs a command module as if it were a program: arguments, environment, output, files below the
// working folder, and its exit code.
//
//     node --no-warnings --no-turbo-fast-api-calls run.mjs PROGRAM.wasm [ARGUMENT]...
import { readFile } from 'node:fs/promises';
import { env, exit } from 'node:process';
import { WASI } from 'node:wasi';

const [, , program, ...args] = process.argv;
if (!program) {
    console.error('usage: node [OPTION]... run.mjs PROGRAM.wasm [ARGUMENT]...');
    exit(2);
}
const wasi = new WASI({
    version: 'preview1',
    args: [program, ...args],
    env,
    preopens: { '.': '.' },
    returnOnExit: true,
});
const module = await WebAssembly.compile(await readFile(program));
const instance = await WebAssembly.instantiate(module, {
    wasi_snapshot_preview1: wasi.wasiImport,
});
exit(wasi.start(instance));
