// The validator of Khronos and the loader of three.js read the GLB files.
//
//     node glb.mjs FOLDER NODE_MODULES
//
// The validator must have nothing to say, not even a hint. With three.js, the animation is played to
// the time of each frame, and the vertices compared with FOLDER/*/expected.json; the files in "thin"
// have every third frame, and the last. Exits with 77 where neither is installed.
import { createRequire } from 'node:module';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { check, finish, near, skip } from './check.mjs';

const [folder, modules] = process.argv.slice(2).map((path) => resolve(path));
const has = (name) => existsSync(join(modules, name));
if (!has('gltf-validator') && !has('three')) skip('gltf-validator and three are not installed');

const bytesOf = (part) => readFileSync(join(folder, part, 'demo.glb'));

async function validate(part, morphs = true) {
    const validator = createRequire(join(modules, 'x.js'))('gltf-validator');
    const report = await validator.validateBytes(new Uint8Array(bytesOf(part)));
    for (const message of report.issues.messages) console.log(JSON.stringify(message));
    check(report.issues.messages.length === 0, `${part}: the validator says nothing`);
    check(report.info.hasMorphTargets === morphs && report.info.animationCount === 1, `${part}: what it is`);
}

// The vertices that elements use; all where there are no elements.
function used(shape) {
    const corners = new Set([...shape.triangles, ...shape.lines].flat());
    return shape.positions.filter((x, i) => corners.size === 0 || corners.has(i));
}

// Shapes that tear have the elements of the last frame in all of them, and copies of vertices where
// their originals are.
function mend(frames) {
    for (let i = frames.length - 1; i > 0; i--)
        for (const after of frames[i].shapes) {
            const before = frames[i - 1].shapes.find((shape) => shape.name === after.name);
            if (!before || after.positions.length <= before.positions.length) continue;
            const count = before.positions.length, copies = [];
            const old = [...before.triangles, ...before.lines].flat();
            const now = [...after.triangles, ...after.lines].flat();
            if (old.length === 0 || old.length !== now.length) continue;
            if (now.some((v, k) => v < count && v !== old[k])) continue;
            now.forEach((v, k) => { if (v >= count) copies[v - count] = before.positions[old[k]]; });
            before.positions = [...before.positions, ...copies];
            before.triangles = after.triangles;
            before.lines = after.lines;
        }
    return frames;
}

// Where the vertices of a loaded object are now, moved and turned by it; those that are not there are
// scaled to 0.
function vertices(three, thing) {
    const found = [];
    thing.updateMatrix();
    // Lines and points have what it needs, but not the method.
    const position = three.Mesh.prototype.getVertexPosition;
    for (let i = 0; i < thing.geometry.attributes.position.count; i++) {
        const x = position.call(thing, i, new three.Vector3()).applyMatrix4(thing.matrix);
        found.push(x.x, x.y, x.z);
    }
    return found;
}

// What is seen in a frame: the objects that have not been scaled to nothing, by their shapes.
function compare(three, gltf, where, frame, tolerance) {
    const seen = {};
    gltf.scene.traverse((thing) => {
        if (thing.geometry && thing.scale.x !== 0)
            seen[thing.userData.name.replace(/_\d{4}$/, '')] = thing;
    });
    check(Object.keys(seen).length === frame.shapes.length, `${where}: as many objects as shapes`);
    for (const shape of frame.shapes) {
        const thing = seen[shape.name];
        if (!check(thing, `${where}: there is "${shape.name}"`)) continue;
        near(vertices(three, thing), used(shape).flat(), tolerance, `${where}, ${shape.name}`);
        const kind = shape.triangles.length ? 'isMesh'
            : shape.lines.length ? 'isLineSegments' : 'isPoints';
        check(thing[kind], `${where}, ${shape.name}: kind`);
    }
}

async function play(part, every, tolerance = 1e-6) {
    const load = (path) => import(pathToFileURL(join(modules, 'three', path)));
    const three = await load('build/three.module.js');
    const { GLTFLoader } = await load('examples/jsm/loaders/GLTFLoader.js');
    const bytes = bytesOf(part);
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    const gltf = await new GLTFLoader().parseAsync(buffer, '');
    const expected = JSON.parse(readFileSync(join(folder, part, 'expected.json')));
    const mixer = new three.AnimationMixer(gltf.scene);
    const action = mixer.clipAction(gltf.animations[0]);
    action.setLoop(three.LoopOnce);
    action.clampWhenFinished = true;
    action.play();
    const last = mend(expected.frames).length - 1;
    near([gltf.animations[0].duration], [expected.frames[last].time], 0, `${part}: duration`);
    expected.frames.forEach((frame, i) => {
        if (i % every !== 0 && i !== last) return;
        mixer.setTime(Math.fround(frame.time));
        compare(three, gltf, `${part}, frame ${frame.number}`, frame, tolerance);
    });
}

globalThis.self = globalThis;
for (const [part, every] of [['steady', 1], ['changing', 1], ['thin', 3]]) {
    if (has('gltf-validator')) await validate(part);
    if (has('three')) await play(part, every);
}
// Of a body that is moved and turned there is one rounding more.
for (const part of ['rigid', 'cached']) {
    if (has('gltf-validator')) await validate(part, false);
    if (has('three')) await play(part, 1, 2e-6);
}
finish();
