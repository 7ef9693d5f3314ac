// The library as a module in JavaScript: what it exports, and the pendulum of tests/external stepped
// through memory that the host reads without copying.
//
//     node --no-warnings module.mjs sinew.wasm symbols.txt
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { WASI } from 'node:wasi';

const [, , path, symbols] = process.argv;
const wasi = new WASI({ version: 'preview1' });
const { instance } = await WebAssembly.instantiate(readFileSync(path), {
    wasi_snapshot_preview1: wasi.wasiImport,
});
wasi.initialize(instance);
const sn = instance.exports;

// The same functions as in a shared library, and those a host needs.
const expected = readFileSync(symbols, 'utf8').split('\n').filter(Boolean);
for (const name of expected) assert.equal(typeof sn[name], 'function', `${name} is exported`);
const extra = Object.keys(sn).filter((name) => name.startsWith('sn_') && !expected.includes(name));
assert.deepEqual(extra, [], 'nothing else is exported');
assert.equal(typeof sn.malloc, 'function');
assert.equal(typeof sn.free, 'function');

// Memory may have moved after any call that allocates, so views are made anew.
const u32 = () => new Uint32Array(sn.memory.buffer);
const f32 = () => new Float32Array(sn.memory.buffer);
const room = (bytes) => {
    const at = sn.malloc(bytes);
    assert.notEqual(at, 0);
    return at;
};
const text = (at) => {
    const bytes = new Uint8Array(sn.memory.buffer, at);
    return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
};
const ok = (result) => assert.equal(result, 0, text(sn.sn_last_error()));

// A world with the default definition.
const out = room(64);
ok(sn.sn_world_create(0, out));
const world = u32()[out / 4];
assert.equal(sn.sn_world_threads(world), 1);
assert.equal(sn.sn_world_simd_width(world), 4);

// Two nodes, the first one held. Places in a definition: size, position, velocity, inverse mass.
const nodes = room(16);
const def = room(256);
for (let i = 0; i < 2; i++) {
    sn.sn_node_def_default(def);
    f32()[def / 4 + 1] = i;
    f32()[def / 4 + 7] = i;
    ok(sn.sn_node_create(world, def, nodes + 8 * i));
}

// A distance between them; its nodes come after its size.
sn.sn_distance_def_default(def);
u32().copyWithin(def / 4 + 1, nodes / 4, nodes / 4 + 4);
ok(sn.sn_constraint_create(world, 0, def, out));

for (let frame = 0; frame < 30; frame++) ok(sn.sn_world_step(world, 1 / 60));

// The positions, as the view has them: count, then the pointer.
ok(sn.sn_world_nodes(world, out));
assert.equal(u32()[out / 4], 2);
const [x, y] = new Float32Array(sn.memory.buffer, u32()[out / 4 + 1] + 16, 2);
console.log(`after half a second at (${x.toPrecision(6)}, ${y.toPrecision(6)})`);
assert.ok(Math.abs(Math.hypot(x, y) - 1) < 0.01 && y < -0.5);

// A call that fails says why.
assert.equal(sn.sn_world_step(world, -1), 3);
assert.match(text(sn.sn_last_error()), /dt is -1, expected/);

sn.sn_world_destroy(world);
