/**
 * Makes the static folder of the page, which any web server can host:
 *
 *     node web/build.mjs [--pictures SINEW]
 *
 * index.html, page/ and package/ as they are, the types of scene files, the module, what is used of
 * three.js, all scenes with a list of them and the files that they name, and with --pictures a thumbnail of each, drawn by the
 * command that is named. Thumbnails that are newer than their scene are kept.
 */
import { spawnSync } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';

import { filesOf } from './page/named.js';
import { isSecond } from './parts.mjs';
import { sceneTypes } from './scene_types.mjs';
import { split } from './split.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const out = join(root, 'build/web');
const three = join(root, 'build/node_modules/three');

async function changed(path) {
    return (await stat(path).catch(() => null))?.mtimeMs ?? 0;
}

async function copyPage() {
    for (const folder of ['page', 'package', 'example']) {
        await rm(join(out, folder), { recursive: true, force: true });
        await cp(join(root, 'web', folder), join(out, folder), { recursive: true });
    }
    await cp(join(root, 'web/page/index.html'), join(out, 'index.html'));
    await cp(join(root, 'LICENSE'), join(out, 'package/LICENSE'));
    const schema = JSON.parse(await readFile(join(root, 'docs/scene.schema.json'), 'utf8'));
    await writeFile(join(out, 'package/scene.d.ts'), sceneTypes(schema));
}

async function copyThree() {
    const used = ['controls/OrbitControls.js', 'environments/RoomEnvironment.js'];
    const main = join(out, 'vendor/three.module.js');
    await cp(join(three, 'build/three.module.min.js'), main, { preserveTimestamps: true });
    await compress(main);
    await cp(join(three, 'LICENSE'), join(out, 'vendor/LICENSE'));
    for (const file of used)
        await cp(join(three, 'examples/jsm', file), join(out, 'vendor/addons', file));
}

/** Beside a file, what a server sends to those who take brotli; kept while it is the newer one. */
async function compress(path) {
    const beside = `${path}.br`;
    if ((await changed(beside)) >= (await changed(path))) return;
    await writeFile(beside, brotliCompressSync(await readFile(path)));
}

/** A module, and beside it what a server sends to those who take brotli; that is kept while the module stays as it is. */
async function writeModule(name, bytes) {
    const to = join(out, `package/${name}.wasm`);
    const kept = join(root, `build/web-parts/${name}.wasm`);
    const same = (await readFile(kept).catch(() => null))?.equals(bytes);
    if (!same) {
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
        await mkdir(dirname(kept), { recursive: true });
        await writeFile(`${kept}.br`, brotliCompressSync(bytes, { params }));
        await writeFile(kept, bytes);
    }
    await cp(kept, to);
    await cp(`${kept}.br`, `${to}.br`);
    const size = (await stat(`${kept}.br`)).size;
    console.log(`build/web: ${name}.wasm has ${Math.round(bytes.length / 1000)} kB, ${Math.round(size / 1000)} kB compressed`);
}

const built = (preset, file) => join(root, `build/${preset}/web/module/${file}`);

/** The module in two parts; that with threads in one, and where it was built, which the package is told. */
async function copyModules() {
    const map = await readFile(built('web-module', 'sinew.map'), 'utf8');
    const [first, second] = split(await readFile(built('web-module', 'sinew.wasm')), map, isSecond);
    await writeModule('sinew', first);
    await writeModule('sinew-rare', second);
    const threads = await readFile(built('web-threads', 'sinew.wasm')).catch(() => null);
    if (threads) await writeModule('sinew-threads', threads);
    const text = `/** Whether sinew-threads.wasm is beside this; written by web/build.mjs. */\nexport const hasThreads = ${threads !== null};\n`;
    await writeFile(join(out, 'package/modules.js'), text);
}

async function copyScenes() {
    const list = [];
    await mkdir(join(out, 'scenes'), { recursive: true });
    for (const file of (await readdir(join(root, 'scenes'))).filter((name) => name.endsWith('.json')).sort()) {
        const name = file.replace('.json', '');
        const text = await readFile(join(root, 'scenes', file), 'utf8');
        const scene = JSON.parse(text);
        const files = Object.keys(await filesOf(text, (path) => readFile(join(root, 'scenes', path)).catch(() => null)));
        for (const path of [file, ...files])
            await cp(join(root, 'scenes', path), join(out, 'scenes', path), { preserveTimestamps: true });
        list.push({ name, title: scene.title ?? name, about: scene.about ?? '', files });
    }
    return list;
}

/** The list that the page reads, which says who has a picture. */
async function writeList(list) {
    for (const scene of list)
        scene.picture = (await changed(join(out, 'scenes', `${scene.name}.png`))) > 0;
    await writeFile(join(out, 'scenes/index.json'), JSON.stringify(list, null, 1));
}

/** Drawn by the engine at the moment that the scene names, or after its first seconds. */
async function drawThumbnail(sinew, name) {
    const scene = join(root, 'scenes', `${name}.json`);
    const picture = join(out, 'scenes', `${name}.png`);
    if ((await changed(picture)) > (await changed(scene))) return;
    const args = ['render', scene, '--out', picture, '--size', '480x300', '--threads', '0'];
    const done = spawnSync(sinew, args, { encoding: 'utf8' });
    if (done.status !== 0) throw new Error(`${name}: ${done.stderr}`);
    console.log(`build/web: drew ${name}`);
}

await copyPage();
await copyThree();
await copyModules();
const list = await copyScenes();
await writeList(list);
if (process.argv[2] === '--pictures') {
    for (const { name } of list) await drawThumbnail(process.argv[3], name);
    await writeList(list);
}
