/**
 * A module of WebAssembly taken apart and put together again: its sections, the bodies of its functions, and
 * where these call others. It knows what clang and wasm-ld write, and stops at anything else.
 */

const SECTION = { type: 1, import: 2, function: 3, table: 4, memory: 5, global: 6, export: 7, element: 9, code: 10, data: 11, count: 12 };

/** Reads numbers from bytes, one behind the other. */
class Reader {
    constructor(bytes, at = 0) {
        this.bytes = bytes;
        this.at = at;
    }

    byte() {
        return this.bytes[this.at++];
    }

    unsigned() {
        let value = 0;
        for (let scale = 1; ; scale *= 128) {
            const byte = this.byte();
            value += (byte & 127) * scale;
            if (byte < 128) return value;
        }
    }

    /** A number of 32 bits or fewer; longer ones are skipped by unsigned(), since all end alike. */
    signed() {
        let value = 0;
        let shift = 0;
        let byte;
        do {
            byte = this.byte();
            value |= (byte & 127) << shift;
            shift += 7;
        } while (byte >= 128);
        return shift < 32 && byte & 64 ? value | (-1 << shift) : value;
    }

    take(length) {
        this.at += length;
        return this.bytes.subarray(this.at - length, this.at);
    }

    list(read) {
        return Array.from({ length: this.unsigned() }, read);
    }

    text() {
        return new TextDecoder().decode(this.take(this.unsigned()));
    }
}

// ---- Writing: everything is a list of bytes ----

export function unsigned(value) {
    const bytes = [];
    for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
    return [...bytes, value];
}

export function signed(value) {
    const bytes = [];
    for (;;) {
        const byte = value & 127;
        value >>= 7;
        if ((value === 0 && !(byte & 64)) || (value === -1 && byte & 64)) return [...bytes, byte];
        bytes.push(byte | 128);
    }
}

export function text(string) {
    const bytes = new TextEncoder().encode(string);
    return [...unsigned(bytes.length), ...bytes];
}

function list(items) {
    return Buffer.concat([Buffer.from(unsigned(items.length)), ...items.map((item) => Buffer.from(item))]);
}

// ---- Instructions ----

const MEMORY = (r) => (r.unsigned(), r.unsigned());

/** Goes over what follows the byte of an instruction, as long as it needs. */
function skipOperands(r, code) {
    if (code === 0x02 || code === 0x03 || code === 0x04) r.unsigned();
    else if (code === 0x0c || code === 0x0d || (code >= 0x20 && code <= 0x26)) r.unsigned();
    else if (code === 0x0e) r.list(() => r.unsigned()), r.unsigned();
    else if (code === 0x11) r.unsigned(), r.unsigned();
    else if (code === 0x1c) r.list(() => r.unsigned());
    else if (code >= 0x28 && code <= 0x3e) MEMORY(r);
    else if (code === 0x3f || code === 0x40 || code === 0x42) r.unsigned();
    else if (code === 0x43) r.take(4);
    else if (code === 0x44) r.take(8);
    else if (code === 0xfc) skipBulk(r, r.unsigned());
    else if (code === 0xfd) skipVector(r, r.unsigned());
    else if (code === 0xfe) skipAtomic(r, r.unsigned());
    else if (code > 0xc4) throw new Error(`the instruction ${code.toString(16)} is not known here`);
}

function skipBulk(r, code) {
    const operands = code < 8 ? 0 : code === 9 || code === 11 ? 1 : 2;
    for (let i = 0; i < operands; i++) r.unsigned();
}

function skipVector(r, code) {
    if (code < 12 || code === 92 || code === 93) MEMORY(r);
    else if (code < 14) r.take(16);
    else if (code >= 21 && code <= 34) r.byte();
    else if (code >= 84 && code <= 91) MEMORY(r), r.byte();
}

function skipAtomic(r, code) {
    if (code === 3) r.byte();
    else MEMORY(r);
}

/** Where a body calls other functions, and which constants it has: `call` is from `at` to `end`. */
export function scan(body) {
    const r = new Reader(body);
    r.list(() => (r.unsigned(), r.byte()));
    const calls = [];
    const constants = [];
    while (r.at < body.length) {
        const at = r.at;
        const code = r.byte();
        if (code === 0x10) calls.push({ at, target: r.unsigned(), end: r.at });
        else if (code === 0x41) constants.push(r.signed());
        else if (code >= 0x28 && code <= 0x3e) r.unsigned(), constants.push(r.unsigned());
        else if (code === 0xfd) {
            const vector = r.unsigned();
            if (vector < 12 || (vector >= 84 && vector <= 93)) {
                r.unsigned();
                constants.push(r.unsigned());
                if (vector < 92 && vector > 83) r.byte();
            } else skipVector(r, vector);
        } else skipOperands(r, code);
    }
    return { calls, constants };
}

// ---- Modules ----

const KINDS = ['function', 'table', 'memory', 'global'];

function readImport(r) {
    const [module, name, kind] = [r.text(), r.text(), KINDS[r.byte()]];
    const begin = r.at;
    if (kind === 'function') return { module, name, kind, type: r.unsigned() };
    if (kind !== 'memory') r.byte();
    if (r.unsigned() & 1 && kind !== 'global') r.unsigned();
    if (kind !== 'global') r.unsigned();
    return { module, name, kind, rest: [...r.bytes.subarray(begin, r.at)] };
}

function readElements(r) {
    if (r.unsigned() !== 0 || r.byte() !== 0x41) throw new Error('elements that are not known here');
    const offset = r.signed();
    r.byte();
    return { offset, functions: r.list(() => r.unsigned()) };
}

function readData(r) {
    const mode = r.unsigned();
    if (mode === 1) return { mode, bytes: r.take(r.unsigned()) };
    if (mode !== 0 || r.byte() !== 0x41) throw new Error('data that is not known here');
    const address = r.signed();
    r.byte();
    return { mode, address, bytes: r.take(r.unsigned()) };
}

/** A module as an object. Types, table, memory and globals are bytes, since nobody looks into them. */
export function read(bytes) {
    const parts = {};
    const r = new Reader(bytes, 8);
    while (r.at < bytes.length) {
        const id = r.byte();
        const content = new Reader(r.take(r.unsigned()));
        const name = Object.keys(SECTION).find((key) => SECTION[key] === id);
        if (name) parts[name] = content;
    }
    const whole = (name) => parts[name]?.bytes;
    const each = (name, item) => parts[name]?.list(() => item(parts[name])) ?? [];
    const types = each('function', (of) => of.unsigned());
    const bodies = each('code', (of) => of.take(of.unsigned()));
    return {
        type: whole('type'),
        imports: each('import', readImport),
        table: whole('table'),
        memory: whole('memory'),
        global: whole('global'),
        exports: each('export', (of) => ({ name: of.text(), kind: of.byte(), index: of.unsigned() })),
        elements: each('element', readElements),
        count: whole('count'),
        functions: bodies.map((body, i) => ({ type: types[i], body })),
        data: each('data', readData),
    };
}

function writeImport({ module, name, kind, type, rest }) {
    return [...text(module), ...text(name), KINDS.indexOf(kind), ...(rest ?? unsigned(type))];
}

function writeData({ mode, address, bytes }) {
    const head = mode === 1 ? [1] : [0, 0x41, ...signed(address), 0x0b];
    return Buffer.concat([Buffer.from([...head, ...unsigned(bytes.length)]), bytes]);
}

/** The bytes of a module; parts that it has not are left out. */
export function write(module) {
    const out = [Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])];
    const put = (name, bytes) => {
        if (!bytes?.length || (bytes.length === 1 && bytes[0] === 0)) return;
        out.push(Buffer.from([SECTION[name], ...unsigned(bytes.length)]), bytes);
    };
    put('type', module.type);
    put('import', list(module.imports.map(writeImport)));
    put('function', list(module.functions.map(({ type }) => unsigned(type))));
    put('table', module.table);
    put('memory', module.memory);
    put('global', module.global);
    put('export', list(module.exports.map(({ name, kind, index }) => [...text(name), kind, ...unsigned(index)])));
    put('element', list(module.elements.map(({ offset, functions }) => [0, 0x41, ...signed(offset), 0x0b, ...list(functions.map(unsigned))])));
    put('count', module.count);
    put('code', list(module.functions.map(({ body }) => Buffer.concat([Buffer.from(unsigned(body.length)), body]))));
    put('data', list(module.data.map(writeData)));
    return Buffer.concat(out);
}
