/**
 * Sinew, position based dynamics, in a browser or in node.
 *
 *     const sinew = await load();
 *     const scene = sinew.open(text);
 *     scene.step();
 *     for (const shape of scene.frame().shapes) draw(shape.positions, shape.triangles);
 *
 * Arrays of a frame are views of the memory of the module: nothing is copied, and they are valid
 * until the next call on the scene.
 */
import { hasThreads } from './modules.js';
import { Wasi } from './wasi.js';

/** Bytes of the smallest module with SIMD: what every browser since 2021 can compile. */
const SIMD = new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15,
    253, 98, 11,
]);

/** What is wrong with a scene, in the sentences that the command prints. */
export class SceneError extends Error {
    constructor(sentences) {
        super(sentences.join('\n'));
        this.name = 'SceneError';
        this.sentences = sentences;
    }
}

/** Said where something is asked for that is in the part of the module which is not there yet: see complete(). */
export class MissingPart extends Error {
    constructor() {
        super('This wants the second part of the module: await complete() of the engine first.');
        this.name = 'MissingPart';
    }
}

/** What the first part exports, while the second is not there: what traps wants that. */
function guarded(exports) {
    const { stack } = exports;
    const top = stack.value;
    const guard = (call) => (...values) => {
        try {
            return call(...values);
        } catch (error) {
            if (!(error instanceof WebAssembly.RuntimeError)) throw error;
            stack.value = top;
            throw new MissingPart();
        }
    };
    const pairs = Object.entries(exports).map(([name, it]) => [name, typeof it === 'function' ? guard(it) : it]);
    return Object.fromEntries(pairs);
}

async function compile(source) {
    if (typeof WebAssembly !== 'object' || !WebAssembly.validate(SIMD))
        throw new Error('This browser has no WebAssembly with SIMD; one of 2021 or later has.');
    if (source instanceof WebAssembly.Module) return source;
    if (source instanceof ArrayBuffer || ArrayBuffer.isView(source))
        return WebAssembly.compile(source);
    const response = await fetch(source);
    if (!response.ok) throw new Error(`${source}: the server answers ${response.status}`);
    return WebAssembly.compileStreaming
        ? WebAssembly.compileStreaming(response)
        : WebAssembly.compile(await response.arrayBuffer());
}

/** Pages of shared memory, at the beginning and at most: as the module was linked. */
const SHARED = { initial: 512, maximum: 32768, shared: true };
const STACK = 1 << 20;

/** Whether this place lets threads share memory: a page must be isolated from others for that. */
function canShare() {
    return typeof SharedArrayBuffer === 'function' && globalThis.crossOriginIsolated !== false;
}

async function startWorker(data) {
    const script = new URL('./worker.js', import.meta.url);
    if (globalThis.Worker) {
        new Worker(script, { type: 'module' }).postMessage(data);
    } else {
        const { Worker: Thread } = await import('node:worker_threads');
        new Thread(script, { workerData: data }).unref();
    }
}

/** The module with shared memory, and workers beside this thread. */
async function loadThreads(source, threads) {
    const wasi = new Wasi();
    const module = await compile(source);
    const memory = new WebAssembly.Memory(SHARED);
    const { exports } = await WebAssembly.instantiate(module, {
        wasi_snapshot_preview1: wasi.imports,
        env: { memory },
    });
    wasi.use(memory);
    exports._initialize?.();
    const count = exports.view_set_workers(threads - 1);
    for (let index = 0; index < count; index++) {
        const room = exports.malloc(STACK);
        if (!room) throw new Error('there is no memory left');
        await startWorker({ module, memory, index, stack: (room + STACK) & ~15 });
    }
    return new Sinew({ ...exports, memory }, wasi, { threads: count + 1, whole: true });
}

/**
 * Loads the module; without a source, sinew.wasm beside this file. With `threads` above 1, and where
 * memory can be shared, the module is sinew-threads.wasm and steps use so many: the bits are the same.
 */
export async function load(source, { threads = 1 } = {}) {
    if (threads > 1 && (source || hasThreads) && canShare()) {
        try {
            return await loadThreads(source ?? new URL('./sinew-threads.wasm', import.meta.url), threads);
        } catch (error) {
            console.warn(`one thread, since several cannot be had: ${error.message}`);
        }
    }
    const wasi = new Wasi();
    const instance = await WebAssembly.instantiate(
        await compile(source ?? new URL('./sinew.wasm', import.meta.url)),
        { wasi_snapshot_preview1: wasi.imports }
    );
    wasi.use(instance.exports.memory);
    instance.exports._initialize?.();
    return new Sinew(instance.exports, wasi, { threads: 1, whole: !instance.exports.stack });
}

/** The module: it opens scenes. */
class Sinew {
    #wasi;
    #opened = 0;
    #first;
    #completing = null;

    constructor(exports, wasi, { threads, whole }) {
        this.exports = whole ? exports : guarded(exports);
        this.#first = exports;
        this.#wasi = wasi;
        this.threads = threads;
        this.whole = whole;
    }

    /**
     * Loads what few scenes need, once; without a source, sinew-rare.wasm beside this file. What threw
     * MissingPart works from then on. A module with threads has it from the beginning.
     */
    async complete(source) {
        if (this.whole) return;
        this.#completing ??= this.#complete(source ?? new URL('./sinew-rare.wasm', import.meta.url));
        try {
            await this.#completing;
        } finally {
            this.#completing = null;
        }
    }

    async #complete(source) {
        const { memory, table, stack } = this.#first;
        await WebAssembly.instantiate(await compile(source), { env: { memory, table, stack } });
        this.exports = this.#first;
        this.whole = true;
    }

    /** Text of the module, which ends with a zero. */
    text(at) {
        const bytes = new Uint8Array(this.exports.memory.buffer, at);
        // A copy, since text is not decoded from shared memory.
        return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
    }

    /** Bytes put into the memory of the module while a function runs. */
    lend(bytes, use) {
        const at = this.exports.malloc(bytes.length + 1);
        if (!at) throw new Error('there is no memory left');
        const room = new Uint8Array(this.exports.memory.buffer, at, bytes.length + 1);
        room.set(bytes);
        room[bytes.length] = 0;
        try {
            return use(at);
        } finally {
            this.exports.free(at);
        }
    }

    lendText(text, use) {
        return this.lend(new TextEncoder().encode(text), use);
    }

    lendNumbers(numbers, use) {
        return this.lend(new Uint8Array(new Float32Array(numbers).buffer), use);
    }

    /**
     * Opens a scene: its text, or an object that becomes one. Files that it names are given by their
     * names, as bytes or text; parameters as an object. With a name that ends in .snc, bytes of a cache,
     * whose frames are stepped through; in .reco, of a recording, whose steps are repeated. MissingPart is thrown where the scene needs complete() first.
     */
    open(scene, { name = 'scene.json', files = {}, sets = {} } = {}) {
        const encode = (data) =>
            typeof data === 'string' ? new TextEncoder().encode(data) : new Uint8Array(data);
        const plain = typeof scene === 'string' || ArrayBuffer.isView(scene);
        const text = plain ? scene : JSON.stringify(scene, null, 1);
        // A folder of its own, so that no scene finds the files of another.
        const folder = `/${++this.#opened}/`;
        const all = { ...files, [name]: text };
        for (const [path, data] of Object.entries(all)) this.#wasi.put(folder + path, encode(data));
        const forget = () => Object.keys(all).forEach((path) => this.#wasi.remove(folder + path));
        const lines = Object.entries(sets).map(([key, value]) => `${key}=${value}\n`);
        let at;
        try {
            at = this.lendText(folder + name, (path) =>
                this.lendText(lines.join(''), (list) => this.exports.view_open(path, list))
            );
        } catch (error) {
            forget();
            throw error;
        }
        const said = this.text(this.exports.view_said()).split('\n').filter(Boolean);
        // Which folder that is, a reader need not know.
        const sentences = said.map((line) => line.replaceAll(folder, ''));
        if (!at) {
            forget();
            throw new SceneError(sentences);
        }
        return new Scene(this, at, sentences, forget);
    }
}

/** A scene that runs. */
class Scene {
    #sinew;
    #at;
    #names = new Map();
    #forget;

    constructor(sinew, at, warnings, forget) {
        this.#sinew = sinew;
        this.#forget = forget;
        this.#at = at;
        this.warnings = warnings;
        this.info = JSON.parse(sinew.text(sinew.exports.view_describe(at)));
    }

    get #sn() {
        return this.#sinew.exports;
    }

    #fail() {
        throw new Error(this.#sinew.text(this.#sn.view_error()));
    }

    #array(Kind, at, length) {
        return at ? new Kind(this.#sn.memory.buffer, at, length) : null;
    }

    /** Frees everything. */
    close() {
        if (this.#at) this.#sn.view_close(this.#at);
        this.#at = 0;
        this.#forget();
    }

    // ---- Going on ----

    /** Simulates one frame. */
    step() {
        if (!this.#sn.view_step(this.#at)) this.#fail();
    }

    get frameNumber() {
        return this.#sn.view_frame_number(this.#at);
    }

    get time() {
        return this.#sn.view_time(this.#at);
    }

    /** The fingerprint of the state, as "sinew run --hash" prints it. */
    get hash() {
        return BigInt.asUintN(64, this.#sn.view_hash(this.#at)).toString(16).padStart(16, '0');
    }

    /** The values of info.columns now. */
    measure() {
        const at = this.#sn.view_measure(this.#at);
        return at ? Array.from(this.#array(Float64Array, at, this.info.columns.length)) : [];
    }

    /** What tore, broke, burst or froze in the last step. */
    events() {
        return JSON.parse(this.#sinew.text(this.#sn.view_events(this.#at)));
    }

    /** Contacts of the last step: point and impulse, six numbers each. */
    contacts() {
        return this.#list(6, (out) => this.#sn.view_contacts(this.#at, out));
    }

    /** The types of constraints that there are: type, name, count, meaning. */
    types() {
        return JSON.parse(this.#sinew.text(this.#sn.view_types(this.#at)));
    }

    /** Constraints of a type as lines, six numbers each: between nodes, of joints by their anchors, axes and limits. */
    links(type) {
        const { lines } = this.colouredLinks(type);
        return lines;
    }

    /** The same, with the colour in the graph of each line's constraint, -1 for what is solved by itself. */
    colouredLinks(type) {
        const all = this.#list(7, (out) => this.#sn.view_links(this.#at, type, out));
        const count = all.length / 7;
        return { lines: all.subarray(0, 6 * count), colours: all.subarray(6 * count) };
    }

    /** Oriented nodes, as of rods: position and quaternion, seven numbers each. */
    axes() {
        return this.#list(7, (out) => this.#sn.view_axes(this.#at, out));
    }

    /** Records of so many numbers: the call gives their count, and in `out` where they are. */
    #list(width, call) {
        const out = this.#sn.malloc(4);
        const count = call(out);
        const at = new Uint32Array(this.#sn.memory.buffer, out, 1)[0];
        this.#sn.free(out);
        return count ? this.#array(Float32Array, at, width * count) : new Float32Array(0);
    }

    /** The whole state as bytes, and back. */
    save() {
        const out = this.#sn.malloc(4);
        const at = this.#sn.view_save(this.#at, out);
        const size = new Uint32Array(this.#sn.memory.buffer, out, 1)[0];
        this.#sn.free(out);
        if (!at) this.#fail();
        return new Uint8Array(this.#sn.memory.buffer, at, size).slice();
    }

    restore(bytes) {
        this.#sn.view_forget_hands(this.#at);
        const done = this.#sinew.lend(bytes, (at) => this.#sn.view_load(this.#at, at, bytes.length));
        if (!done) this.#fail();
    }

    // ---- What is drawn ----

    #name(at) {
        if (!this.#names.has(at)) this.#names.set(at, this.#sinew.text(at));
        return this.#names.get(at);
    }

    /** Everything as it is now; with `smooth`, triangles divided so many times, and with `liquid`
        the surfaces of liquids in place of their particles. */
    frame({ smooth = 0, liquid = false } = {}) {
        const count = this.#sn.view_frame(this.#at, smooth, liquid ? 1 : 0);
        if (count < 0) this.#fail();
        const words = this.#sn.view_shape_size() / 4;
        const at = this.#sn.view_shapes(this.#at);
        const table = new Uint32Array(this.#sn.memory.buffer, at, count * words);
        const reals = new Float32Array(this.#sn.memory.buffer, at, count * words);
        const shapes = [];
        for (let i = 0; i < count; i++) {
            const row = table.subarray(i * words, (i + 1) * words);
            shapes.push(this.#shape(row, reals.subarray(i * words, (i + 1) * words)));
        }
        return { number: this.frameNumber, time: this.time, shapes };
    }

    #shape(row, real) {
        const [name, vertices, positions, normals, velocities, strain, radii] = row;
        const [triangleCount, triangles, lineCount, lines] = row.subarray(7);
        return {
            name: this.#name(name),
            body: row[20] === 0xffffffff ? -1 : row[20],
            topology: `${row[12]}-${row[11]}-${vertices}-${triangleCount}-${lineCount}`,
            vertexCount: vertices,
            positions: this.#array(Float32Array, positions, 3 * vertices),
            normals: this.#array(Float32Array, normals, 3 * vertices),
            velocities: this.#array(Float32Array, velocities, 3 * vertices),
            strain: this.#array(Float32Array, strain, vertices),
            radii: this.#array(Float32Array, radii, vertices),
            triangles: triangleCount ? this.#array(Uint32Array, triangles, 3 * triangleCount) : null,
            lines: lineCount ? this.#array(Uint32Array, lines, 2 * lineCount) : null,
            colour: row[13] ? Array.from(real.subarray(14, 17)) : null,
            back: row[13] ? Array.from(real.subarray(17, 20)) : null,
            colours: this.#array(Float32Array, row[21], 3 * vertices),
            uvs: this.#array(Float32Array, row[22], 2 * vertices),
            texture: row[23] ? { png: this.#array(Uint8Array, row[24], row[23]), size: real[25] } : null,
        };
    }

    // ---- Hands ----

    #out(count) {
        const at = this.#sn.view_out(this.#at);
        return Array.from(new Float32Array(this.#sn.memory.buffer, at, count));
    }

    /**
     * Takes what a ray meets. `tolerance` is for lines and points, m per m of distance. Null where
     * there is nothing to take.
     */
    take(origin, direction, tolerance = 0.01) {
        const hand = this.#sinew.lendNumbers([...origin, ...direction], (ray) =>
            this.#sn.view_take(this.#at, ray, tolerance)
        );
        if (hand < 0) return null;
        const [x, y, z, kind] = this.#out(4);
        return { hand, point: [x, y, z], kind: ['', 'body', 'pin', 'collider'][kind] };
    }

    /** Sends a hand to where the point that it took shall be, during the next step. */
    move(hand, point) {
        return Boolean(this.#sn.view_move(this.#at, hand, ...point));
    }

    /** Where the point that a hand holds is now; null where it holds nothing. */
    held(hand) {
        return this.#sn.view_held(this.#at, hand) ? this.#out(3) : null;
    }

    /** Lets go, or throws with a velocity. */
    release(hand, velocity = null) {
        this.#sn.view_release(this.#at, hand, velocity ? 1 : 0, ...(velocity ?? [0, 0, 0]));
    }

    /** Pins the node under a ray where it is, or lets it go: "pinned", "unpinned" or "". */
    togglePin(origin, direction, tolerance = 0.01) {
        const done = this.#sinew.lendNumbers([...origin, ...direction], (ray) =>
            this.#sn.view_pin_toggle(this.#at, ray, tolerance)
        );
        return ['', 'pinned', 'unpinned'][done];
    }

    /** Cuts sheets and solids between two rays from one eye; how many nodes were made. */
    cut(eye, from, to, reach) {
        const copies = this.#sinew.lendNumbers([...eye, ...from, ...eye, ...to], (rays) =>
            this.#sn.view_cut(this.#at, rays, rays + 24, reach)
        );
        if (copies < 0) this.#fail();
        return copies;
    }

    /** Drops a ball, which meets collision surfaces and colliders. */
    dropBall(position, velocity = [0, 0, 0], radius = 0.08) {
        const done = this.#sinew.lendNumbers([...position, ...velocity], (at) =>
            this.#sn.view_drop_ball(this.#at, at, at + 12, radius)
        );
        if (!done) this.#fail();
    }

    // ---- Numbers ----

    /** The settings of the world, with kind, unit, range, meaning and value of each. */
    settings() {
        return JSON.parse(this.#sinew.text(this.#sn.view_settings(this.#at)));
    }

    /** Sets a setting by its number in that list. */
    setSetting(number, [x, y = 0, z = 0]) {
        if (!this.#sn.view_set_setting(this.#at, number, x, y, z)) this.#fail();
    }

    /** Fields of the constraints of a body that have one value for all of it. */
    bodyFields(body) {
        return JSON.parse(this.#sinew.text(this.#sn.view_body_fields(this.#at, body)));
    }

    setBodyField(body, type, name, value) {
        const done = this.#sinew.lendText(name, (at) =>
            this.#sn.view_set_body_field(this.#at, body, type, at, value)
        );
        if (!done) this.#fail();
    }
}
