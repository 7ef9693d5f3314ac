// tinyusdz and three.js read the usda files, each with a parser of its own.
//
//     node usda.mjs FOLDER NODE_MODULES
//
// Both are in a folder of their own beside NODE_MODULES, since the page has an older three.js.
// Compares meshes at the first frame with FOLDER/*/expected.json, and what is in the folders beside
// it with what the tests of looks, materials and groups wrote: texture coordinates, materials, their
// images, and which triangles have them. Exits with 77 where a library is missing.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { check, finish, near, plainName, skip } from './check.mjs';

const [folder, others] = process.argv.slice(2).map((path) => resolve(path));
const modules = join(others, '..', 'usda', 'node_modules');
for (const name of ['tinyusdz', 'three'])
    if (!existsSync(join(modules, name))) skip(`${name} is not installed`);
const load = (path) => import(pathToFileURL(join(modules, path)));

// Both are made for pages.
globalThis.window = globalThis.self = globalThis;
globalThis.document = {
    createElementNS: () => ({ addEventListener() {}, removeEventListener() {} }),
};
Object.defineProperty(process, 'type', { value: 'renderer' });

const beside = (path) => join(folder, '..', path);
const RED = [1, 0.25, 0], GREEN = [0, 1, 0];

// ---- tinyusdz ----

const tiny = await (await load('tinyusdz/tinyusdz.js')).default({
    wasmBinary: readFileSync(join(modules, 'tinyusdz', 'tinyusdz.wasm')),
});

function openTiny(path) {
    const file = new tiny.TinyUSDZLoaderNative();
    const loaded = file.loadFromBinary(new Uint8Array(readFileSync(path)), path);
    return check(loaded, `tinyusdz, ${path}: ${file.error()}`) ? file : null;
}

function meshesOf(file) {
    const meshes = Array.from({ length: file.numMeshes() }, (_, i) => file.getMesh(i));
    return Object.fromEntries(meshes.map((mesh) => [mesh.primName, mesh]));
}

function compareSteady() {
    const [frame] = JSON.parse(readFileSync(join(folder, 'steady', 'expected.json'))).frames;
    const file = openTiny(join(folder, 'steady', 'demo.usda'));
    const found = file ? meshesOf(file) : {};
    for (const shape of frame.shapes.filter((shape) => file && shape.triangles.length)) {
        const mesh = found[plainName(shape.name)], where = `tinyusdz, ${shape.name}`;
        if (!check(mesh, `${where}: there is a mesh`)) continue;
        near(Array.from(mesh.points), shape.positions.flat(), 1e-6, `${where}: points`);
        near(Array.from(mesh.faceVertexIndices), shape.triangles.flat(), 0, `${where}: faces`);
    }
}

function imageOf(file, material) {
    const texture = file.getTexture(material.diffuseColorTextureId ?? -1);
    return texture && file.getImage(texture.textureImageId)?.uri;
}

function compareLooks() {
    const file = openTiny(beside('looks_files/cloth.usda'));
    if (!file) return;
    const { sail, dyed } = meshesOf(file);
    near(Array.from(sail.texcoords), [0, 0, 1, 0, 0, 1], 0, 'tinyusdz: texture coordinates');
    const linen = file.getMaterial(sail.materialId), blue = file.getMaterial(dyed.materialId);
    near([linen.roughness, linen.opacity], [0.375, 0.75], 1e-6, 'tinyusdz: linen');
    check(imageOf(file, linen) === './cloth_fine_linen.png', 'tinyusdz: the image of linen');
    near(blue.diffuseColor, [0, 0, 1], 1e-6, 'tinyusdz: what is dyed');
}

function compareSeveral(path) {
    const file = openTiny(beside(path));
    if (!file) return;
    const [red, printed, clear] = [0, 1, 2].map((i) => file.getMaterial(i));
    near(red.diffuseColor ?? [], RED, 1e-6, `tinyusdz, ${path}: red`);
    near([red.roughness], [0.25], 1e-6, `tinyusdz, ${path}: roughness`);
    check(/_printed[.]png$/.test(imageOf(file, printed)), `tinyusdz, ${path}: the image`);
    near([...(clear.diffuseColor ?? []), clear.opacity], [...GREEN, 0.5], 1e-6,
        `tinyusdz, ${path}: clear`);
}

// ---- three.js ----

const { USDLoader } = await load('three/examples/jsm/loaders/USDLoader.js');

function openThree(path) {
    const meshes = {};
    new USDLoader().parse(readFileSync(beside(path), 'utf8'))
        .traverse((object) => object.isMesh && (meshes[object.name] = object));
    return meshes;
}

// The materials of a flag of eight triangles, which are drawn in the order of their materials.
function compareFlag(path) {
    const { flag } = openThree(path);
    if (!check(flag?.geometry.groups.length === 3, `three, ${path}: three materials`)) return;
    const [red, printed, clear] = flag.geometry.groups.map((g) => flag.material[g.materialIndex]);
    check(String(flag.geometry.groups.map((g) => g.count)) === '9,6,9', `three, ${path}: faces`);
    near(red.color.toArray(), RED, 1e-6, `three, ${path}: red`);
    near([red.roughness], [0.25], 1e-6, `three, ${path}: roughness`);
    check(printed.map && !red.map && !clear.map, `three, ${path}: the image`);
    near([...clear.color.toArray(), clear.opacity], [...GREEN, 0.5], 1e-6, `three, ${path}: clear`);
    const { position, uv } = flag.geometry.attributes;
    const places = Array.from({ length: uv.count }, (_, i) => [position.getX(i), position.getZ(i)]);
    near(Array.from(uv.array), places.flat(), 1e-6, `three, ${path}: texture coordinates`);
}

function compareGroups() {
    const { sail, other } = openThree('groups_files/groups.usda');
    check(sail?.geometry.attributes.position.count === 9, 'three, groups: triangles of the sail');
    check(other?.geometry.attributes.position.count === 6, 'three, groups: triangles of the other');
}

compareSteady();
compareLooks();
check(Object.keys(meshesOf(openTiny(beside('groups_files/groups.usda')))).length === 2, 'tinyusdz, groups');
for (const path of ['materials_files/flag.usda', 'materials_files/mesh.usda']) {
    compareSeveral(path);
    compareFlag(path);
}
compareGroups();
finish();
