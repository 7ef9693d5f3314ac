/**
 * Splits a module in two: what every page loads, and what only some scenes need. The second shares
 * memory, table and stack with the first. Where one calls a function of the other it does so through the
 * table, in which functions of the second are one that traps until that is there; the package takes a trap
 * for "the second is wanted". Addresses of data and numbers in the table stay as the linker gave them, so
 * that pointers need no care.
 */
import { read, scan, signed, unsigned, write } from './wasm.mjs';

const UNREACHABLE = Uint8Array.of(0, 0x00, 0x0b);

/** From the map of the linker: source and name of every function, in their order. */
function namesOf(map) {
    const lines = map.split('\n');
    const begin = lines.findIndex((line) => line.endsWith(' CODE'));
    const end = lines.findIndex((line) => line.endsWith(' DATA'));
    const row = /^ *- +[0-9a-f]+ +[0-9a-f]+ {9}\S.*?([^/(]+?)(?:[.]obj)?\)?:\((.*)\)$/;
    const found = lines.slice(begin, end).map((line) => row.exec(line)).filter(Boolean);
    return found.map(([, source, name]) => ({ source, name }));
}

/** All functions, imported ones first, as their numbers are: what they call, where they are in the table. */
function functionsOf(module, map) {
    const names = namesOf(map);
    if (names.length !== module.functions.length) throw new Error('the map is of another module');
    const imported = module.imports.filter(({ kind }) => kind === 'function');
    const own = module.functions.map((f, i) => ({ ...f, ...names[i], calls: scan(f.body).calls }));
    const functions = [...imported.map(({ type }) => ({ type, calls: [] })), ...own];
    for (const { offset, functions: list } of module.elements)
        list.forEach((index, i) => (functions[index].slot = offset + i));
    return functions;
}

/** Marks those of the second: what `isSecond` says, and what nobody else calls. */
function choose(module, functions, isSecond) {
    for (const f of functions) f.second = f.body !== undefined && isSecond(f.source, f.name);
    const exported = module.exports.filter(({ kind }) => kind === 0).map(({ index }) => functions[index]);
    const taken = functions.filter((f) => !f.second && (f.slot !== undefined || !f.body));
    const reached = new Set([...exported, ...taken]);
    for (const f of reached)
        for (const { target } of f.calls) if (!functions[target].second) reached.add(functions[target]);
    for (const f of functions) f.second ||= !reached.has(f);
}

/** Gives a place in the table to what is called across; how large the table is now. */
function giveSlots(functions, size) {
    for (const f of functions) {
        for (const { target } of f.calls) {
            const other = functions[target];
            if (other.second !== f.second) other.slot ??= size++;
        }
    }
    return size;
}

/** A body whose calls are to the new numbers, or through the table. */
function rewrite(f, functions) {
    const pieces = [];
    let from = 0;
    for (const { at, target, end } of f.calls) {
        const other = functions[target];
        const across = [0x41, ...signed(other.slot), 0x11, ...unsigned(other.type), 0];
        const direct = [0x10, ...unsigned(other.number)];
        pieces.push(f.body.subarray(from, at), Uint8Array.from(other.second === f.second ? direct : across));
        from = end;
    }
    return { type: f.type, body: Buffer.concat([...pieces, f.body.subarray(from)]) };
}

/** The table from the first place to the last of those that are given, with `gap` where there is none. */
function elementsOf(functions, gap) {
    const row = [];
    for (const f of functions) if (f.slot !== undefined) row[f.slot - 1] = f.number;
    return [{ offset: 1, functions: Array.from(row, (index) => index ?? gap) }];
}

/** Runs of those that are given, a list of elements each. */
function runsOf(functions) {
    const runs = [];
    const slots = functions.filter((f) => f.slot !== undefined).sort((a, b) => a.slot - b.slot);
    for (const { slot, number } of slots) {
        const last = runs.at(-1);
        if (last && last.offset + last.functions.length === slot) last.functions.push(number);
        else runs.push({ offset: slot, functions: [number] });
    }
    return runs;
}

/**
 * The two modules as bytes. `isSecond(source, name)` says which functions are of the second, by the name
 * of their file and their own.
 */
export function split(bytes, map, isSecond) {
    const module = read(bytes);
    const functions = functionsOf(module, map);
    choose(module, functions, isSecond);
    const imports = functions.filter((f) => !f.body);
    const first = functions.filter((f) => f.body && !f.second);
    const second = functions.filter((f) => f.second);
    const size = giveSlots(functions, module.elements[0].offset + module.elements[0].functions.length);
    [...imports, ...first].forEach((f, i) => (f.number = i));
    second.forEach((f, i) => (f.number = i));
    const gap = imports.length + first.length;
    const stack = 0;
    const shared = [
        { name: 'table', kind: 1, index: 0 },
        { name: 'stack', kind: 3, index: stack },
    ];
    const table = [0x70, 1, ...unsigned(size), ...unsigned(size)];
    const limits = (kind, name, rest) => ({ module: 'env', name, kind, rest });
    return [
        write({
            ...module,
            functions: [...first.map((f) => rewrite(f, functions)), { type: 0, body: UNREACHABLE }],
            exports: [...module.exports.map((e) => (e.kind === 0 ? { ...e, index: functions[e.index].number } : e)), ...shared],
            table: Uint8Array.of(1, ...table),
            elements: elementsOf([...imports, ...first], gap),
        }),
        write({
            type: module.type,
            imports: [limits('memory', 'memory', [0, 1]), limits('table', 'table', table), limits('global', 'stack', [0x7f, 1])],
            functions: second.map((f) => rewrite(f, functions)),
            exports: [],
            elements: runsOf(second),
            data: [],
        }),
    ];
}
