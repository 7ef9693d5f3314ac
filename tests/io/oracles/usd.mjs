// OpenUSD reads the usda files: the real library, as WebAssembly, in a browser without a window.
//
//     node usd.mjs FOLDER NODE_MODULES
//
// Compares with FOLDER/*/expected.json: times, and per frame the kind of each prim, its points,
// velocities and faces; and of the folders beside FOLDER, texture coordinates and materials that went
// from a file through a run, several of one mesh too, and that subsets of points, which it does not
// know, are no hindrance. Exits with 77 where the library or the browser is missing.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { check, finish, near, plainName, skip } from './check.mjs';

const [folder, modules] = process.argv.slice(2).map((path) => resolve(path));
const library = join(modules, 'three-usdz-loader', 'external');
const browserPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync);
if (!existsSync(library)) skip('three-usdz-loader is not installed');
if (!existsSync(join(modules, 'playwright-core'))) skip('playwright-core is not installed');
if (!browserPath) skip('chromium is not installed');
const { chromium } = createRequire(join(modules, 'x.js'))('playwright-core');

// Threads of the module need a page that is alone.
const page_text = '<!doctype html><script src="/library/emHdBindings.js"></script>';
const types = { js: 'text/javascript', wasm: 'application/wasm' };
const server = createServer((request, response) => {
    const path = request.url.split('?')[0];
    const file = path.startsWith('/library/') ? join(library, path.slice(9)) : null;
    const found = path === '/' || (file && existsSync(file));
    response.writeHead(found ? 200 : 404, {
        'Content-Type': path === '/' ? 'text/html' : (types[path.split('.').pop()] ?? 'text/plain'),
        'Cross-Origin-Opener-Policy': 'same-origin',
        'Cross-Origin-Embedder-Policy': 'require-corp',
        'Cross-Origin-Resource-Policy': 'same-origin',
    });
    response.end(path === '/' ? page_text : found ? readFileSync(file) : '');
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));

// In the page: what Hydra, the renderer of OpenUSD, is told about each prim at each time.
async function read(text, frames) {
    const usd = await window.getUsdModule(undefined, '/library');
    await usd.ready;
    usd.FS.createDataFile('/', 'demo.usda', new TextEncoder().encode(text), true, true, true);
    const prims = {}, materials = {};
    const delegate = {
        createRPrim(type, id) {
            const prim = { type, points: null, indices: null, primvars: {}, matrix: null };
            prims[id] = prim;
            return {
                updatePoints: (points) => (prim.points = Array.from(points)),
                updateIndices: (indices) => (prim.indices = Array.from(indices)),
                updateNormals: (normals) => (prim.normals = Array.from(normals)),
                updatePrimvar: (name, values, size, interpolation) =>
                    (prim.primvars[name] = { values: Array.from(values), size, interpolation }),
                setTransform: (matrix) => (prim.matrix = Array.from(matrix)),
                setMaterial: (id) => (prim.material = id),
                commit() {},
            };
        },
        createBPrim() {},
        createSPrim(type, id) {
            const nodes = (materials[id] = {});
            const plain = (value) =>
                JSON.parse(JSON.stringify(value, (key, v) => (ArrayBuffer.isView(v) ? Array.from(v) : v)));
            return {
                updateNode: (network, path, parameters) => (nodes[path] = plain(parameters)),
                updateFinished() {},
            };
        },
        CommitResources() {},
    };
    const driver = new usd.HdWebSyncDriver(delegate, 'demo.usda');
    const stage = driver.GetStage();
    const result = {
        end: stage.GetEndTimeCode(),
        perSecond: stage.GetTimeCodesPerSecond(),
        frames: [],
    };
    for (const time of frames) {
        driver.SetTime(time);
        driver.Draw();
        result.frames.push(JSON.parse(JSON.stringify(prims)));
    }
    result.materials = materials;
    return result;
}

// What the build of the library says of itself, about anything, and what the browser asks for.
const own = /UsdVol|status of 404|DiscoveryPlugins/;

// The shapes of the animation have their vertices in the order of their lines.
function compare(where, prim, shape) {
    const kind = shape.triangles.length ? 'mesh' : shape.lines.length ? 'basisCurves' : 'points';
    if (!check(prim?.points, `${where}: OpenUSD has points`)) return;
    check(prim.type === kind, `${where} is ${prim.type}, expected ${kind}`);
    near(prim.points, shape.positions.flat(), 0, `${where}: points`);
    if (shape.velocities)
        near(prim.primvars.velocities.values, shape.velocities.flat(), 0, `${where}: velocities`);
    if (kind !== 'mesh') return;
    check(String(prim.indices) === String(shape.triangles.flat()), `${where}: faces`);
    check(prim.normals.length === 3 * shape.positions.length, `${where}: normals`);
}

// The points of a prim where its matrix has them; points are rows before it.
function moved(prim) {
    const m = prim.matrix, found = [];
    for (let i = 0; i < prim.points.length; i += 3)
        for (let k = 0; k < 3; k++)
            found.push(prim.points[i] * m[k] + prim.points[i + 1] * m[4 + k] +
                prim.points[i + 2] * m[8 + k] + m[12 + k]);
    return found;
}

// Rigid bodies are prims that move: their points stay.
function compareRigid(part, expected, found) {
    const first = found.frames[0];
    expected.frames.forEach((frame, i) => {
        for (const shape of frame.shapes) {
            const where = `${part}, frame ${frame.number}, ${shape.name}`;
            const path = `/demo/${plainName(shape.name)}`, prim = found.frames[i][path];
            if (!check(prim?.points && prim.matrix, `${where}: OpenUSD has points and a matrix`)) continue;
            near(prim.points, first[path].points, 0, `${where}: points stay`);
            near(moved(prim), shape.positions.flat(), 2e-6, where);
        }
    });
}

// A sail of fine linen, with an image, and the same dyed blue.
function compareMaterials(found) {
    const sail = found.frames[0]['/cloth/sail'], dyed = found.frames[0]['/cloth/dyed'];
    near(sail.primvars.st.values, [0, 0, 1, 0, 0, 1], 0, 'looks: texture coordinates');
    check(sail.material === '/cloth/Materials/fine_linen', `looks: the material is ${sail.material}`);
    const nodes = found.materials[sail.material] ?? {};
    const node = (name) => nodes[`${sail.material}/${name}`] ?? {};
    near([node('surface').roughness], [0.375], 1e-6, 'looks: roughness');
    near([node('surface').opacity], [0.75], 1e-6, 'looks: opacity');
    near(node('image').scale ?? [], [1, 0.25, 0.5, 1], 1e-6, 'looks: base colour');
    check(/cloth_fine_linen[.]png$/.test(node('image').file?.replace(/@/g, '') ?? ''),
        `looks: the image is ${JSON.stringify(node('image').file)}`);
    const blue = (found.materials[dyed.material] ?? {})[`${dyed.material}/surface`] ?? {};
    near(blue.diffuseColor ?? [], [0, 0, 1], 0, 'looks: the colour of what is dyed');
}

// Triangles that are red, printed and clear, after a run and as a mesh.
function compareSeveral(path, root, found) {
    const flag = found.frames[0][`/${root}/flag`];
    const node = (name) => found.materials[`/${root}/Materials/${name}`] ?? {};
    const surface = (name) => node(name)[`/${root}/Materials/${name}/surface`] ?? {};
    check(flag?.primvars.st?.values.length === 18, `${path}: texture coordinates`);
    near(surface('red').diffuseColor ?? [], [1, 0.25, 0], 1e-6, `${path}: red`);
    near([surface('red').roughness], [0.25], 1e-6, `${path}: roughness`);
    near([...(surface('clear').diffuseColor ?? []), surface('clear').opacity], [0, 1, 0, 0.5], 1e-6,
        `${path}: clear`);
    const image = node('printed')[`/${root}/Materials/printed/image`]?.file ?? '';
    check(/_printed[.]png$/.test(image.replace(/@/g, '')), `${path}: the image is ${image}`);
}

const data = mkdtempSync(join(tmpdir(), 'sinew-usd-'));
const browser = await chromium.launchPersistentContext(data, {
    executablePath: browserPath,
    headless: true,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
        '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
// What OpenUSD finds in a file at some frames, about which it has nothing to say.
async function open(part, path, frames) {
    const page = await browser.newPage();
    const said = [];
    page.on('console', (message) => said.push(message.text()));
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    const found = await page.evaluate(
        `(${read})(${JSON.stringify(readFileSync(path, 'utf8'))}, ${JSON.stringify(frames)})`);
    await page.close();
    const complaints = said.filter((line) => /error|warning|failed/i.test(line) && !own.test(line));
    check(complaints.length === 0, `${part}: OpenUSD says nothing: ${complaints.join('; ')}`);
    return found;
}

try {
    for (const part of ['steady', 'changing', 'rigid', 'cached']) {
        const expected = JSON.parse(readFileSync(join(folder, part, 'expected.json')));
        const found = await open(part, join(folder, part, 'demo.usda'),
            [...expected.frames.map((frame) => frame.number), 0.5]);
        check(found.end === expected.frames.at(-1).number, `${part}: end time code`);
        check(found.perSecond === expected.fps, `${part}: time codes per second`);
        if (part === 'rigid' || part === 'cached') {
            compareRigid(part, expected, found);
            continue;
        }
        expected.frames.forEach((frame, i) => {
            for (const shape of frame.shapes) {
                const where = `${part}, frame ${frame.number}, ${shape.name}`;
                compare(where, found.frames[i][`/demo/${plainName(shape.name)}`], shape);
            }
        });
        // Between frames it goes straight on.
        const [first, second] = expected.frames.map((frame) => frame.shapes[1].positions.flat());
        near(found.frames.at(-1)['/demo/jelly_cube'].points,
            first.map((value, i) => (value + second[i]) / 2), 1e-6, `${part}: between frames`);
    }
    const looks = join(folder, '..', 'looks_files', 'cloth.usda');
    if (check(existsSync(looks), 'looks: there is a file')) compareMaterials(await open('looks', looks, [0]));
    for (const root of ['flag', 'mesh']) {
        const path = join(folder, '..', 'materials_files', `${root}.usda`);
        compareSeveral(root, root, await open(root, path, [0]));
    }
    const sail = (await open('groups', join(folder, '..', 'groups_files', 'groups.usda'), [0]))
        .frames[0]['/groups/sail'];
    check(sail?.points.length === 21 && sail.indices.length === 9, 'groups: the sail is as it is');
} finally {
    await browser.close();
    server.close();
    rmSync(data, { recursive: true, force: true });
}
finish();
