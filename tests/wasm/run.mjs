// Runs a command module as if it were a program: arguments, environment, output, files below the
// working folder and, by absolute paths, those of the source, and its exit code.
//
//     node --no-warnings --no-turbo-fast-api-calls run.mjs PROGRAM.wasm [ARGUMENT]...
import { readFile } from 'node:fs/promises';
import { env, exit } from 'node:process';
import { fileURLToPath } from 'node:url';
import { WASI } from 'node:wasi';

const [, , program, ...args] = process.argv;
if (!program) {
    console.error('usage: node [OPTION]... run.mjs PROGRAM.wasm [ARGUMENT]...');
    exit(2);
}
const source = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const wasi = new WASI({
    version: 'preview1',
    args: [program, ...args],
    env,
    preopens: { '.': '.', [source]: source },
    returnOnExit: true,
});
const module = await WebAssembly.compile(await readFile(program));
const instance = await WebAssembly.instantiate(module, {
    wasi_snapshot_preview1: wasi.wasiImport,
});
exit(wasi.start(instance));
