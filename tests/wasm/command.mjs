// The command in WebAssembly: what it says, the files it writes, and its failures.
//
//     node command.mjs SCRATCH PROGRAM [ARGUMENT]...
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { inflateSync } from 'node:zlib';

const [, , scratch, program, ...before] = process.argv;
rmSync(scratch, { recursive: true, force: true });
mkdirSync(scratch, { recursive: true });
const sinew = (...args) =>
    spawnSync(program, [...before, ...args], { cwd: scratch, encoding: 'utf8' });

const version = sinew('--version');
assert.equal(version.status, 0, version.stderr);
assert.match(version.stdout, /^sinew \d+\.\d+\.\d+\n$/);

const run = sinew('run', '--frames', '2', '--out', 'out', '--hash', '--threads', '4');
assert.equal(run.status, 0, run.stderr);
const mesh = readFileSync(`${scratch}/out/cloth_0001.obj`, 'utf8');
assert.equal(mesh.match(/^v /gm).length, 3600);

// The picture is a PNG: chunks with their lengths, and rows that are not compressed.
const picture = readFileSync(`${scratch}/out/cloth.png`);
const chunks = {};
for (let at = 8; at < picture.length; at += 12 + picture.readUInt32BE(at)) {
    const name = picture.toString('latin1', at + 4, at + 8);
    chunks[name] = picture.subarray(at + 8, at + 8 + picture.readUInt32BE(at));
}
assert.deepEqual(Object.keys(chunks), ['IHDR', 'sRGB', 'IDAT', 'IEND']);
const [width, height] = [chunks.IHDR.readUInt32BE(0), chunks.IHDR.readUInt32BE(4)];
const rows = inflateSync(chunks.IDAT);
assert.equal(rows.length, height * (1 + 3 * width));
assert.ok(new Set(rows).size > 32, 'there is something on it');

// No threads, so any number of them is one, and the hash does not change.
const single = sinew('run', '--frames', '2', '--out', 'out', '--hash');
const hash = (done) => done.stdout.match(/^hash ([0-9a-f]{16})$/m)[1];
assert.equal(hash(run), hash(single));
console.log(`hash ${hash(run)}`);

assert.equal(sinew('rum').status, 2);
const limits = sinew('bench', '--limits', 'limits', '--scene', 'S1-100');
assert.equal(limits.status, 1);
assert.match(limits.stderr, /cannot run "limits"/);
