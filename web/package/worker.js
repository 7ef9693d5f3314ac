/** A thread: an instance of the module on the memory of the first one, which runs what steps ask for. */
import { Wasi } from './wasi.js';

async function work({ module, memory, index, stack }) {
    const wasi = new Wasi();
    wasi.use(memory);
    const { exports } = await WebAssembly.instantiate(module, {
        wasi_snapshot_preview1: wasi.imports,
        env: { memory },
    });
    exports.__stack_pointer.value = stack;
    exports.view_work(index);
}

if (globalThis.postMessage) globalThis.onmessage = ({ data }) => work(data);
else import('node:worker_threads').then(({ workerData }) => work(workerData));
