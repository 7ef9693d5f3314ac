/**
 * The engine of this machine, over a WebSocket to the server of the page: the methods of LocalEngine,
 * as calls and answers that are lists of numbers and blobs (web/server/message.h).
 */
import { SceneError } from '../package/sinew.js';
import { isPlayed } from './named.js';

const HEADER = 16;
const padded = (size) => (size + 7) & ~7;
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const text = (blob) => decoder.decode(blob);

/** Bytes of a call. */
function encode(sequence, name, numbers, blobs) {
    const title = encoder.encode(name);
    const parts = blobs.map((blob) => (typeof blob === 'string' ? encoder.encode(blob) : blob));
    const size = parts.reduce((sum, part) => sum + 8 + padded(part.length), 0);
    const begin = HEADER + padded(title.length);
    const bytes = new Uint8Array(begin + 8 * numbers.length + size);
    const view = new DataView(bytes.buffer);
    [sequence, title.length, numbers.length, parts.length].forEach((word, i) =>
        view.setUint32(4 * i, word, true)
    );
    bytes.set(title, HEADER);
    numbers.forEach((number, i) => view.setFloat64(begin + 8 * i, number, true));
    let at = begin + 8 * numbers.length;
    for (const part of parts) {
        view.setUint32(at, part.length, true);
        bytes.set(part, at + 8);
        at += 8 + padded(part.length);
    }
    return bytes;
}

/** An answer; its blobs are views of the message. */
function decode(buffer) {
    const [sequence, done, count, blobCount] = new Uint32Array(buffer, 0, 4);
    const numbers = new Float64Array(buffer, HEADER, count);
    const blobs = [];
    let at = HEADER + 8 * count;
    for (let i = 0; i < blobCount; i++) {
        const [size] = new Uint32Array(buffer, at, 1);
        blobs.push(new Uint8Array(buffer, at + 8, size));
        at += 8 + padded(size);
    }
    return { sequence, done: done === 1, numbers, blobs };
}

/** A blob as numbers of a kind; null for one without bytes. */
const array = (Kind, blob) =>
    blob.length ? new Kind(blob.buffer, blob.byteOffset, blob.length / Kind.BYTES_PER_ELEMENT) : null;

/** Whether the page comes from "sinew view", which has an engine of its own. */
export async function isServed() {
    const response = await fetch('index.html', { method: 'HEAD' }).catch(() => null);
    return response?.headers.get('server') === 'sinew';
}

/** The server is gone; whoever hears `onlost` waits for it to come back. */
export class LostError extends Error {
    constructor() {
        super('The connection to the engine of this machine is lost.');
        this.name = 'LostError';
    }
}

export class RemoteEngine {
    features = { hands: true, settings: true, snapshots: true };
    where = 'on this machine';
    #socket = null;
    #sequence = 0;
    #waiting = new Map();

    /** Called when the server is gone, before calls fail; the next that is opened looks for it. */
    onlost = () => {};

    start() {
        if (this.#socket?.readyState === WebSocket.OPEN) return Promise.resolve();
        return new Promise((done, fail) => {
            const socket = new WebSocket(`ws://${location.host}/`);
            socket.binaryType = 'arraybuffer';
            socket.onopen = () => {
                this.#socket = socket;
                done();
            };
            socket.onmessage = ({ data }) => this.#hear(decode(data));
            socket.onclose = () => {
                fail(new Error('The engine of this machine does not answer: "sinew view" runs it.'));
                if (this.#socket === socket) this.#lose();
            };
        });
    }

    #lose() {
        this.#socket = null;
        this.onlost();
        for (const { fail } of this.#waiting.values()) fail(new LostError());
        this.#waiting.clear();
    }

    #hear(answer) {
        const waiting = this.#waiting.get(answer.sequence);
        this.#waiting.delete(answer.sequence);
        if (answer.done) waiting?.done(answer);
        else waiting?.fail(new Error(text(answer.blobs[0])));
    }

    #call(name, numbers = [], blobs = []) {
        return new Promise((done, fail) => {
            if (this.#socket?.readyState !== WebSocket.OPEN) {
                fail(new LostError());
                return;
            }
            const sequence = ++this.#sequence;
            this.#waiting.set(sequence, { done, fail });
            this.#socket.send(encode(sequence, name, numbers, blobs));
        });
    }

    /** The scene that the command names, as a source that is opened where it is. */
    async sceneOfCommand() {
        await this.start();
        const { blobs } = await this.#call('scene');
        const name = text(blobs[0]);
        const playback = isPlayed(name);
        return { name, text: text(blobs[1]), files: {}, sets: {}, onMachine: true, playback };
    }

    /** Opens a scene in place of the last one. */
    async open({ name, text: scene, content, files, sets, onMachine }) {
        await this.start();
        const lines = Object.entries(sets).map(([key, value]) => `${key}=${value}\n`);
        const sent = onMachine ? [] : [[name, content ?? scene], ...Object.entries(files)];
        try {
            const { blobs } = await this.#call('open', [], [lines.join(''), ...sent.flat()]);
            const warnings = text(blobs[1]).split('\n').filter(Boolean);
            return { ...JSON.parse(text(blobs[0])), warnings };
        } catch (error) {
            if (error.name === 'LostError') throw error;
            // What is wrong with a scene comes as sentences, a line each.
            throw new SceneError(error.message.split('\n').filter(Boolean));
        }
    }

    async close() {
        this.#socket?.close();
    }

    async step() {
        const { numbers, blobs } = await this.#call('step');
        return { ms: numbers[0], events: JSON.parse(text(blobs[0])) };
    }

    async frame(smooth = 0, liquid = false) {
        const { numbers, blobs } = await this.#call('frame', [smooth, liquid ? 1 : 0]);
        const shapes = [];
        for (let i = 0; 2 + 13 * i < numbers.length; i++)
            shapes.push(shapeOf(numbers.subarray(2 + 13 * i), blobs.slice(8 * i, 8 * i + 8)));
        return { number: numbers[0], time: numbers[1], shapes };
    }

    async hash() {
        return text((await this.#call('hash')).blobs[0]);
    }

    async measure() {
        return Array.from((await this.#call('measure')).numbers);
    }

    async contacts() {
        return array(Float32Array, (await this.#call('contacts')).blobs[0]) ?? new Float32Array(0);
    }

    async types() {
        return JSON.parse(text((await this.#call('types')).blobs[0]));
    }

    async links(type) {
        const { blobs } = await this.#call('links', [type]);
        const all = array(Float32Array, blobs[0]) ?? new Float32Array(0);
        const count = all.length / 7;
        return { lines: all.subarray(0, 6 * count), colours: all.subarray(6 * count) };
    }

    async axes() {
        return array(Float32Array, (await this.#call('axes')).blobs[0]) ?? new Float32Array(0);
    }

    async save() {
        return (await this.#call('save')).blobs[0].slice();
    }

    async restore(bytes) {
        await this.#call('restore', [], [bytes]);
    }

    async take(origin, direction, tolerance = 0.01) {
        const { numbers } = await this.#call('take', [...origin, ...direction, tolerance]);
        if (numbers[0] < 0) return null;
        const [hand, x, y, z, kind] = numbers;
        return { hand, point: [x, y, z], kind: ['', 'body', 'pin', 'collider'][kind] };
    }

    async move(hand, point) {
        return Boolean((await this.#call('move', [hand, ...point])).numbers[0]);
    }

    async held(hand) {
        const { numbers } = await this.#call('held', [hand]);
        return numbers.length ? Array.from(numbers) : null;
    }

    async release(hand, velocity = null) {
        await this.#call('release', [hand, velocity ? 1 : 0, ...(velocity ?? [0, 0, 0])]);
    }

    async togglePin(origin, direction, tolerance = 0.01) {
        const { numbers } = await this.#call('togglePin', [...origin, ...direction, tolerance]);
        return ['', 'pinned', 'unpinned'][numbers[0]];
    }

    async cut(eye, from, to, reach) {
        const rays = [...eye, ...from, ...eye, ...to];
        return (await this.#call('cut', [...rays, reach])).numbers[0];
    }

    async dropBall(position, velocity = [0, 0, 0], radius = 0.08) {
        await this.#call('dropBall', [...position, ...velocity, radius]);
    }

    async settings() {
        return JSON.parse(text((await this.#call('settings')).blobs[0]));
    }

    async setSetting(number, [x, y = 0, z = 0]) {
        await this.#call('setSetting', [number, x, y, z]);
    }

    async bodyFields(body) {
        return JSON.parse(text((await this.#call('bodyFields', [body])).blobs[0]));
    }

    async setBodyField(body, type, name, value) {
        await this.#call('setBodyField', [body, type, value], [name]);
    }
}

function shapeOf(row, blobs) {
    const [body, low, high, vertexCount, triangleCount, lineCount, coloured] = row;
    const [name, positions, normals, velocities, strain, radii, triangles, lines] = blobs;
    return {
        name: text(name),
        body,
        topology: `${high}-${low}-${vertexCount}-${triangleCount}-${lineCount}`,
        vertexCount,
        positions: array(Float32Array, positions),
        normals: array(Float32Array, normals),
        velocities: array(Float32Array, velocities),
        strain: array(Float32Array, strain),
        radii: array(Float32Array, radii),
        triangles: array(Uint32Array, triangles),
        lines: array(Uint32Array, lines),
        colour: coloured ? Array.from(row.subarray(7, 10)) : null,
        back: coloured ? Array.from(row.subarray(10, 13)) : null,
    };
}
