/**
 * The page in a browser, as somebody uses it: scenes load, run and are drawn; dragging moves a node;
 * pausing, stepping and going back give the hashes they gave; a broken scene shows its sentence; and
 * hashes are those of the command.
 *
 *     node tests/web/page.mjs FOLDER SINEW [--all] [NAME]...
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBrowser, ready } from './browser.mjs';

const [folder, command, ...rest] = process.argv.slice(2);
const sinew = resolve(command);
const all = rest.includes('--all');
const only = rest.filter((word) => !word.startsWith('-'));
const root = fileURLToPath(new URL('../..', import.meta.url));
const modules = join(root, 'build/node_modules');
const browser = process.env.CHROMIUM ?? '/usr/bin/chromium';
const gallery = JSON.parse(readFileSync(join(folder, 'scenes/index.json'), 'utf8'));
const { newPage, close, restart, errors, address } = await openBrowser({ modules, browser, folder, sinew });

/** The hash that the command prints. */
function hashOf(scene, frames) {
    const args = ['run', join(root, `scenes/${scene}.json`), '--frames', frames, '--hash', '--format', 'none'];
    const out = join(root, 'build/web-test');
    const done = spawnSync(sinew, [...args.map(String), '--out', out, '--threads', '0'], { encoding: 'utf8' });
    return /^hash ([0-9a-f]{16})$/m.exec(done.stdout)?.[1];
}

/** Opens a scene of the gallery and holds it at its beginning. */
async function openScene(scene, page = null) {
    const opened = page ?? (await newPage(`#scene=${scene}`));
    if (page) await page.evaluate((name) => (location.hash = `scene=${name}`), scene);
    await opened.waitForFunction((name) => window.sinew?.viewer?.name === name, scene, { timeout: 60000 });
    await ready(opened);
    await opened.evaluate(() => window.sinew.viewer.player.seek(0));
    return opened;
}

const hash = (page) => page.textContent('#hash');
const seek = (page, frame) => page.evaluate((n) => window.sinew.viewer.player.seek(n), frame);

/** Colours of the picture: how many there are, and how many pixels differ from their neighbour. */
function look(page) {
    return page.evaluate(() => {
        const { viewer } = window.sinew;
        viewer.stage.draw();
        const gl = viewer.stage.renderer.getContext();
        const [width, height] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
        const pixels = new Uint8Array(4 * width * height);
        gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
        const colours = new Set();
        let edges = 0;
        for (let i = 4; i < pixels.length; i += 4) {
            colours.add((pixels[i] >> 3) * 1024 + (pixels[i + 1] >> 3) * 32 + (pixels[i + 2] >> 3));
            const step = Math.abs(pixels[i] - pixels[i - 4]) + Math.abs(pixels[i + 2] - pixels[i - 2]);
            edges += step > 24;
        }
        return { colours: colours.size, edges };
    });
}

/** Where a vertex of the first shape is in the window. */
function place(page, vertex) {
    return page.evaluate((i) => {
        const { viewer } = window.sinew;
        const { positions } = viewer.shapes.shapes[0];
        const at = viewer.stage.controls.target.clone().fromArray(positions, 3 * i).project(viewer.stage.camera);
        const box = viewer.stage.renderer.domElement.getBoundingClientRect();
        const [x, y, z] = positions.slice(3 * i, 3 * i + 3);
        return {
            x: box.left + ((at.x + 1) / 2) * box.width,
            y: box.top + ((1 - at.y) / 2) * box.height,
            at: [x, y, z],
        };
    }, vertex);
}

const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/** A page that several tests share. */
let shared = null;

const tests = {
    /** By the processor time of the page, since other programs may have the machine as well. */
    async the_first_picture_takes_less_than_two_seconds() {
        const page = await newPage();
        const asked = [];
        page.on('request', (request) => asked.push(new URL(request.url()).pathname));
        const client = await page.context().newCDPSession(page);
        await client.send('Performance.enable');
        const seconds = async () => (await client.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'ProcessTime').value;
        await page.waitForSelector('#cards li');
        const idle = await seconds();
        await page.goto(`${address}?first#scene=flag`);
        await page.waitForFunction(() => performance.getEntriesByName('first picture').length, null, { timeout: 60000 });
        const took = (await seconds()) - idle;
        const { startTime } = await page.evaluate(() => performance.getEntriesByName('first picture')[0].toJSON());
        console.log(`      ${took.toFixed(2)} s of the processor, ${(startTime / 1000).toFixed(2)} s`);
        await page.close();
        assert.ok(took > 0.05 && took < 2, `${took} s`);
        assert.equal(asked.filter((path) => /sinew(-threads)?[.]wasm$/.test(path)).length, 1, 'one module is asked for, once');
        assert.ok(!asked.some((path) => path.endsWith('sinew-rare.wasm')), 'a flag needs no second part');
        assert.ok(!asked.some((path) => path.endsWith('.png')), 'no thumbnails before a scene');
    },

    async the_gallery_lists_all_scenes() {
        const page = await newPage();
        await page.waitForSelector('#cards li');
        assert.equal(await page.locator('#cards li').count(), gallery.length);
        await page.close();
    },

    async a_scene_is_drawn_and_has_the_hash_of_the_command() {
        shared = await openScene('flag');
        const before = await look(shared);
        assert.ok(before.colours > 20 && before.edges > 100, JSON.stringify(before));
        await seek(shared, 12);
        assert.equal(await hash(shared), hashOf('flag', 12));
    },

    async pausing_stepping_and_going_back_give_the_same_hashes() {
        const at12 = await hash(shared);
        await shared.click('#step');
        await shared.waitForFunction(() => document.querySelector('#frame').textContent === 'frame 13');
        const at13 = await hash(shared);
        assert.notEqual(at13, at12);
        await seek(shared, 5);
        const at5 = await hash(shared);
        await seek(shared, 13);
        assert.equal(await hash(shared), at13);
        await seek(shared, 12);
        assert.equal(await hash(shared), at12);
        await seek(shared, 5);
        assert.equal(await hash(shared), at5);
        await shared.keyboard.press(' ');
        await shared.waitForFunction(() => window.sinew.viewer.player.frame > 7);
        await shared.keyboard.press(' ');
        await shared.waitForFunction(() => !window.sinew.viewer.player.busy);
        await seek(shared, 12);
        assert.equal(await hash(shared), at12, 'played and stepped are the same');
    },

    async dragging_moves_a_node() {
        await seek(shared, 4);
        const count = await shared.evaluate(() => window.sinew.viewer.shapes.shapes[0].vertexCount);
        // A vertex that is seen, near the middle.
        const vertex = Math.floor(count / 5);
        const from = await place(shared, vertex);
        await shared.mouse.move(from.x, from.y);
        await shared.mouse.down();
        await shared.waitForFunction(() => window.sinew.viewer.hands.busy);
        await shared.mouse.move(from.x - 60, from.y - 90, { steps: 4 });
        await shared.evaluate(() => window.sinew.viewer.player.step(10));
        const pulled = await place(shared, vertex);
        await shared.mouse.up();
        await seek(shared, 4);
        await shared.evaluate(() => window.sinew.viewer.player.step(10));
        const free = await place(shared, vertex);
        assert.ok(distance(pulled.at, free.at) > 0.05, `moved by ${distance(pulled.at, free.at)} m`);
    },

    async what_hands_did_is_undone() {
        const step = () => shared.evaluate(() => window.sinew.viewer.player.step(2));
        const acted = () => shared.evaluate(() => window.sinew.viewer.hands.acted.length);
        await seek(shared, 4);
        await step();
        const free = await hash(shared);
        await seek(shared, 4);
        const before = await acted();
        const count = await shared.evaluate(() => window.sinew.viewer.shapes.shapes[0].vertexCount);
        const at = await place(shared, Math.floor(count / 5));
        await shared.keyboard.press('2');
        await shared.mouse.click(at.x, at.y);
        await shared.waitForFunction((n) => window.sinew.viewer.hands.acted.length > n, before);
        await step();
        assert.notEqual(await hash(shared), free, 'a node is pinned');
        await shared.keyboard.press('1');
        await shared.keyboard.press('u');
        await shared.waitForFunction(() => window.sinew.viewer.player.frame === 4);
        await step();
        assert.equal(await hash(shared), free);
    },

    async sliders_change_the_result() {
        await seek(shared, 4);
        await shared.evaluate(() => window.sinew.viewer.player.step(3));
        const before = await hash(shared);
        await seek(shared, 4);
        await shared.click('#tabs button:has-text("Settings")');
        const number = shared.locator('.row:has-text("substeps") input[type=number]').first();
        await number.fill('7');
        await number.press('Enter');
        await shared.evaluate(() => window.sinew.viewer.player.step(3));
        assert.notEqual(await hash(shared), before);
        const text = await shared.evaluate(() => window.sinew.viewer.changed);
        assert.equal(text.substeps, 7);
    },

    async what_is_behind_a_surface_is_drawn() {
        for (const key of ['constraints', 'frames', 'normals', 'ghost', 'contacts']) {
            await seek(shared, 12);
            const before = await look(shared);
            await shared.evaluate((name) => window.sinew.viewer.change(name, true), key);
            const after = await look(shared);
            const drawn = key !== 'frames' && key !== 'contacts';
            assert.equal(after.edges > before.edges, drawn, `${key}: ${before.edges} then ${after.edges}`);
            if (key === 'constraints') {
                assert.ok((await shared.textContent('#types')).includes('distance'));
                for (const item of await shared.locator('#types li').all()) await item.click();
                assert.ok((await look(shared)).edges < after.edges, 'types are hidden one by one');
            }
            await shared.evaluate((name) => window.sinew.viewer.change(name, false), key);
        }
        assert.equal(await shared.isHidden('#types'), true);
    },

    /** Pressure where a cloth lies on a ball, constraints in the colours of the graph, a curve for each column. */
    async pressure_the_graph_and_all_curves_are_shown() {
        const page = await newPage();
        await page.waitForSelector('#cards li');
        const scene = {
            version: 1,
            meshes: { sheet: { shape: 'grid', columns: 12, rows: 12 } },
            bodies: [{ name: 'cloth', mesh: 'sheet', material: { kind: 'cloth', preset: 'cotton' }, position: [0, 0.31, 0] }],
            colliders: [{ name: 'ball', shape: 'sphere', radius: 0.3 }],
        };
        await dropFiles(page, { 'on_a_ball.json': JSON.stringify(scene) });
        await page.waitForFunction(() => window.sinew?.viewer?.name === 'on_a_ball', null, { timeout: 60000 });
        await ready(page);
        const seen = await page.evaluate(async () => {
            const { viewer } = window.sinew;
            await viewer.player.seek(0);
            await viewer.player.step(10);
            await viewer.change('colour', 'pressure');
            const [cloth] = viewer.shapes.shapes;
            const pressure = Array.from(cloth.pressure);
            await viewer.change('constraints', true);
            const links = () => {
                const found = new Set();
                viewer.layers.constraints.object.traverse(({ geometry }) => {
                    const colours = geometry?.attributes.color;
                    for (let i = 0; colours && i < colours.count; i++) found.add(colours.getX(i));
                });
                return found.size;
            };
            const byType = links();
            await viewer.change('graph', true);
            return { pressed: pressure.filter((p) => p > 0).length, most: Math.max(...pressure), byType, byGraph: links(), legend: document.querySelector('#legend').textContent };
        });
        assert.ok(seen.pressed > 2 && seen.pressed < 120 && seen.most < 1e4, JSON.stringify(seen));
        assert.ok(seen.byType === 0 && seen.byGraph > 3, JSON.stringify(seen));
        assert.match(seen.legend, /pressure .* Pa/);
        const columns = await page.evaluate(() => window.sinew.viewer.info.columns);
        for (const name of ['momentum x [kg m/s]', 'project [ms]', 'contact [ms]']) assert.ok(columns.includes(name), name);
        await page.close();
    },

    async a_picture_and_the_scene_are_saved() {
        const [picture] = await Promise.all([shared.waitForEvent('download'), shared.click('#picture')]);
        const bytes = readFileSync(await picture.path());
        assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
        await shared.click('#tabs button:has-text("Scene")');
        const save = shared.click('button:has-text("Save scene file")');
        const [file] = await Promise.all([shared.waitForEvent('download'), save]);
        const scene = JSON.parse(readFileSync(await file.path(), 'utf8'));
        assert.equal(scene.settings.substeps, 7, 'what a slider has set');
    },

    async a_broken_scene_shows_the_sentence_of_the_command() {
        const text = '{"version": 1, "bodies": [{"name": "b", "mesh": "none", "material": {"kind": "cloth"}}]}';
        await dropFiles(shared, { 'broken.json': text });
        await shared.waitForSelector('#error:not([hidden])');
        const shown = await shared.textContent('#error pre');
        const out = join(root, 'build/web-test');
        mkdirSync(out, { recursive: true });
        writeFileSync(join(out, 'broken.json'), text);
        const done = spawnSync(sinew, ['run', 'broken.json'], { cwd: out, encoding: 'utf8' });
        assert.equal(shown, done.stderr.trim());
        await shared.click('#error-close');
    },

    /** What cannot be opened is said, and what was there stays. */
    async other_files_have_their_sentences() {
        const before = await shared.evaluate(() => window.sinew.viewer.name);
        await dropFiles(shared, { 'a.txt': 'x' });
        await shared.waitForSelector('#error:not([hidden])');
        assert.equal(await shared.textContent('#error h2'), 'These files cannot be opened');
        assert.match(await shared.textContent('#error pre'), /^There is no scene among these files/);
        await shared.click('#error-close');
        await dropFiles(shared, { 'run.reco': 'x' });
        await shared.waitForSelector('#error:not([hidden])');
        assert.match(await shared.textContent('#error pre'), /^"run\.reco": recording: /);
        await shared.click('#error-close');
        // A broken cache has the sentence of the command.
        const out = join(root, 'build/web-test/broken');
        mkdirSync(out, { recursive: true });
        writeFileSync(join(out, 'bad.snc'), 'no cache at all');
        const said = spawnSync(sinew, ['render', 'bad.snc', '-o', 'bad.png'], { cwd: out, encoding: 'utf8' }).stderr.trim();
        await dropFiles(shared, { 'bad.snc': 'no cache at all' });
        await shared.waitForSelector('#error:not([hidden])');
        const shown = await shared.textContent('#error pre');
        assert.ok(said.includes(shown) && shown.length > 10, `${shown}, and of the command: ${said}`);
        await shared.click('#error-close');
        assert.equal(await shared.evaluate(() => window.sinew.viewer.name), before);
    },

    async a_dropped_scene_with_a_mesh_runs() {
        const scene = {
            version: 1,
            meshes: { file: { shape: 'file', path: 'sheet.obj' } },
            bodies: [{ name: 'sheet', mesh: 'file', material: { kind: 'cloth', preset: 'cotton' } }],
        };
        const obj = 'v 0 1 0\nv 1 1 0\nv 1 1 1\nv 0 1 1\nf 1 2 3\nf 1 3 4\n';
        await dropFiles(shared, { 'own.json': JSON.stringify(scene), 'sheet.obj': obj });
        await shared.waitForFunction(() => window.sinew.viewer.name === 'own');
        await ready(shared);
        await shared.waitForFunction(() => window.sinew.viewer.player.frame > 2);
        assert.equal(await shared.evaluate(() => window.sinew.viewer.shapes.shapes[0].vertexCount > 3), true);
    },

    /** The scene in a folder beside another that it includes; the mesh without its folder. */
    async a_dropped_folder_runs() {
        const base = { version: 1, meshes: { file: { shape: 'file', path: '../meshes/sheet.obj' } } };
        const scene = {
            version: 1,
            include: ['parts/base.json'],
            bodies: [{ name: 'sheet', mesh: 'file', material: { kind: 'cloth', preset: 'cotton' } }],
        };
        const obj = 'v 0 1 0\nv 1 1 0\nv 1 1 1\nv 0 1 1\nf 1 2 3\nf 1 3 4\n';
        await dropFiles(shared, { 'all/parts/base.json': JSON.stringify(base), 'all/whole.json': JSON.stringify(scene), 'sheet.obj': obj });
        await shared.waitForFunction(() => window.sinew.viewer.name === 'whole');
        await ready(shared);
        assert.equal(await shared.evaluate(() => window.sinew.viewer.shapes.shapes[0].name), 'sheet');
    },

    async meshes_have_the_colours_and_textures_of_their_files() {
        const rows = [[0, 0, '255 0 0'], [1, 0, '0 255 0'], [1, 1, '0 0 255'], [0, 1, '255 255 255']];
        const ply = ['ply', 'format ascii 1.0', 'element vertex 4', ...['x', 'y', 'z'].map((name) => `property float ${name}`),
            ...['red', 'green', 'blue'].map((name) => `property uchar ${name}`), 'element face 2',
            'property list uchar int vertex_indices', 'end_header', ...rows.map(([x, z, colour]) => `${x} 1 ${z} ${colour}`),
            '3 0 1 2', '3 0 2 3', ''].join('\n');
        const obj = 'v 2 1 0\nv 3 1 0\nv 3 1 1\nv 2 1 1\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nf 1/1 2/2 3/3\nf 1/1 3/3 4/4\n';
        const cloth = (name, path, more) => ({ name, mesh: { shape: 'file', path }, material: { kind: 'cloth' }, pins: 'all', ...more });
        const scene = { version: 1, bodies: [cloth('painted', 'a.ply', {}), cloth('printed', 'b.obj', { texture: 'c.png' })] };
        const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC', 'base64');
        await dropFiles(shared, { 'painted.json': JSON.stringify(scene), 'a.ply': ply, 'b.obj': obj, 'c.png': [...png] });
        await shared.waitForFunction(() => window.sinew.viewer.name === 'painted');
        await ready(shared);
        const [painted, printed] = await shared.evaluate(() => window.sinew.viewer.shapes.shapes.map((s) => ({
            colours: s.colours && [...s.colours], uvs: s.uvs && [...s.uvs], texture: s.texture?.png.length })));
        assert.deepEqual(painted.colours.slice(0, 12), [1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1]);
        assert.deepEqual(printed.uvs.slice(0, 8), [0, 0, 1, 0, 1, 1, 0, 1]);
        assert.equal(printed.texture, png.length);
        await shared.waitForFunction(() => {
            const { viewer } = window.sinew;
            viewer.shapes.update({ shapes: viewer.shapes.shapes });
            const [one, two] = viewer.shapes.object.children.map(({ material }) => material);
            return one.vertexColors && !one.map && !two.vertexColors && two.map;
        });
    },

    async scenes_with_files_run_in_the_page_and_on_this_machine() {
        for (const where of ['', '?engine=machine']) {
            const page = await newPage(`${where}#scene=robot`);
            await openScene('robot', page);
            await seek(page, 5);
            assert.equal(await hash(page), hashOf('robot', 5), where);
            await page.close();
        }
        await openScene('dancer', shared);
        await seek(shared, 3);
        assert.equal(await hash(shared), hashOf('dancer', 3));
    },

    async a_dropped_cache_plays_to_its_end() {
        const out = join(root, 'build/web-test');
        const args = ['run', join(root, 'scenes/rope.json'), '--frames', '9', '--format', 'cache', '--picture', 'none', '--out', out];
        assert.equal(spawnSync(sinew, args, { encoding: 'utf8' }).status, 0);
        const file = readdirSync(out).find((name) => name.endsWith('.snc'));
        await dropFiles(shared, { 'played.snc': [...readFileSync(join(out, file))] });
        await shared.waitForFunction(() => window.sinew.viewer.name === 'played');
        await shared.waitForFunction(() => window.sinew.viewer.player.frame === 9 && !window.sinew.viewer.player.playing);
        assert.equal(await shared.isHidden('#tools'), true);
        const seen = await look(shared);
        assert.ok(seen.colours > 8 && seen.edges > 20, JSON.stringify(seen));
        const last = await place(shared, 5);
        await seek(shared, 0);
        assert.ok(distance((await place(shared, 5)).at, last.at) > 1e-4);
        // Played again from the end, it begins anew.
        await seek(shared, 9);
        await shared.click('#play');
        await shared.waitForFunction(() => window.sinew.viewer.player.frame < 9);
    },

    /** All of it happens again, with the hashes of the run, and constraints that can be seen. */
    async a_dropped_recording_plays_to_its_end() {
        const out = join(root, 'build/web-test');
        const args = ['run', join(root, 'scenes/rope.json'), '--frames', '9', '--hash', '--format', 'none', '--out', out];
        const file = join(out, 'rope.reco');
        const done = spawnSync(sinew, [...args, '--picture', 'none', '--record', file], { encoding: 'utf8' });
        await dropFiles(shared, { 'repeated.reco': [...readFileSync(file)] });
        await shared.waitForFunction(() => window.sinew.viewer.name === 'repeated');
        await shared.waitForFunction(() => window.sinew.viewer.player.frame === 9 && !window.sinew.viewer.player.playing);
        assert.equal(await shared.isHidden('#tools'), true);
        const last = await hash(shared);
        assert.equal(last, /^hash ([0-9a-f]{16})$/m.exec(done.stdout)[1]);
        const seen = await look(shared);
        assert.ok(seen.colours > 8 && seen.edges > 20, JSON.stringify(seen));
        const types = await shared.evaluate(() => window.sinew.viewer.engine.types());
        assert.ok(types.some(({ count }) => count > 20), JSON.stringify(types));
        await seek(shared, 3);
        assert.notEqual(await hash(shared), last);
        await seek(shared, 9);
        assert.equal(await hash(shared), last);
    },

    async a_link_brings_a_scene_back() {
        const page = await newPage('#scene=rods&set.length=0.8');
        await page.waitForFunction(() => window.sinew?.viewer?.name === 'rods', null, { timeout: 60000 });
        await ready(page);
        const value = await page.evaluate(() => window.sinew.viewer.info.parameters.map((p) => `${p.name}=${p.value}`).join());
        await page.close();
        assert.ok(value.includes('length=0.8'), value);
    },

    async the_page_fits_a_phone() {
        await shared.setViewportSize({ width: 390, height: 760 });
        await shared.waitForTimeout(100);
        const wide = await shared.evaluate(() => document.documentElement.scrollWidth);
        await shared.setViewportSize({ width: 960, height: 600 });
        assert.ok(wide <= 390, `${wide} pixels`);
    },

    async hair_is_drawn_as_strands() {
        const page = await openScene('hair');
        const segments = await page.evaluate(() => {
            const lines = window.sinew.viewer.shapes.object.children.find((child) => child.isLineSegments);
            const { index, color } = { index: lines.geometry.index, ...lines.geometry.attributes };
            return { count: index.count / 2, dark: color.array.every((part) => part === 0) };
        });
        await page.close();
        assert.ok(segments.count > 40000, `${segments.count}`);
        assert.equal(segments.dark, false);
    },

    async liquids_are_drawn_as_surfaces_or_particles() {
        await openScene('dam', shared);
        const triangles = () => shared.evaluate(() => window.sinew.viewer.shapes.shapes[0].triangles?.length ?? 0);
        assert.ok((await triangles()) > 3000);
        await shared.evaluate(() => window.sinew.viewer.player.step(1));
        assert.ok((await look(shared)).edges > 100);
        await shared.evaluate(() => window.sinew.viewer.change('colour', 'speed'));
        assert.equal(await triangles(), 0, 'speeds are those of particles');
        await shared.evaluate(() => window.sinew.viewer.change('colour', 'scene'));
        await shared.evaluate(() => window.sinew.viewer.change('liquid', false));
        assert.equal(await triangles(), 0);
        await shared.evaluate(() => window.sinew.viewer.change('liquid', true));
    },

    async hashes_are_those_of_the_command() {
        for (const scene of ['rope', 'bounce', 'net']) {
            await openScene(scene, shared);
            await seek(shared, 20);
            assert.equal(await hash(shared), hashOf(scene, 20), scene);
        }
    },

    /** Where the module for them was built, a page that may share memory uses them. */
    async threads_of_a_page_have_the_bits_of_the_command() {
        if (!existsSync(join(folder, 'package/sinew-threads.wasm'))) return console.log('skipped: sinew-threads.wasm was not built');
        const page = await openScene('crates');
        const [threads, cores] = await page.evaluate(() => [window.sinew.engine.threads, navigator.hardwareConcurrency]);
        assert.equal(threads, Math.min(cores, 8));
        await seek(page, 10);
        assert.equal(await hash(page), hashOf('crates', 10));
        await page.close();
    },

    async scenes_run_on_this_machine() {
        const page = await newPage('?engine=machine#scene=rope');
        await openScene('rope', page);
        assert.equal(await page.textContent('#engine'), 'On this machine');
        await seek(page, 20);
        assert.equal(await hash(page), hashOf('rope', 20));
        await page.close();
    },

    async a_lost_connection_comes_back() {
        const page = await newPage('?engine=machine#scene=rope');
        await openScene('rope', page);
        await seek(page, 20);
        const before = await hash(page);
        await restart(() => page.waitForSelector('#waiting:not([hidden])'));
        await page.waitForSelector('#waiting', { state: 'hidden' });
        assert.equal(await hash(page), before);
        assert.equal(await page.isHidden('#error'), true);
        await page.evaluate(() => window.sinew.viewer.player.step(4));
        assert.equal(await hash(page), hashOf('rope', 24));
        // The browser says itself that nobody answered.
        errors.splice(0, errors.length, ...errors.filter((text) => !/WebSocket connection/.test(text)));
        await page.close();
    },

    async the_example_runs_in_a_scene_of_somebody_else() {
        const page = await newPage('example/');
        await page.waitForFunction(() => window.cloth?.frameNumber > 5, null, { timeout: 30000 });
        await page.close();
    },
};

const long = {
    async every_scene_of_the_gallery_runs_and_is_drawn() {
        const page = await newPage('#scene=rods');
        for (const { name } of gallery) {
            await openScene(name, page);
            await page.evaluate(() => window.sinew.viewer.player.step(60));
            const seen = await look(page);
            assert.ok(seen.colours > 8 && seen.edges > 20, `${name}: ${JSON.stringify(seen)}`);
            console.log(`      ${name}: ${await page.textContent('#ms')} a frame`);
        }
        await page.close();
    },

    async ten_scenes_have_the_hash_of_the_command_at_frame_60() {
        const page = await newPage('#scene=rods');
        const ten = ['rods', 'cloth', 'jelly', 'flag', 'drop', 'bounce', 'torn', 'rope', 'muscle', 'beam'];
        for (const scene of ten) {
            await openScene(scene, page);
            await seek(page, 60);
            assert.equal(await hash(page), hashOf(scene, 60), scene);
        }
        await page.close();
    },
};

/** As if files were dropped on the page: text, or lists of bytes. */
async function dropFiles(page, files) {
    await page.evaluate((list) => {
        const transfer = new DataTransfer();
        for (const [name, is] of Object.entries(list)) {
            const content = typeof is === 'string' ? is : new Uint8Array(is);
            const file = new File([content], name.split('/').at(-1));
            if (name.includes('/')) Object.defineProperty(file, 'webkitRelativePath', { value: name });
            transfer.items.add(file);
        }
        window.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer }));
    }, files);
}

let failed = 0;
const chosen = Object.entries(all ? { ...tests, ...long } : tests);
for (const [name, run] of chosen) {
    if (only.length && !only.some((word) => name.includes(word))) continue;
    const begin = Date.now();
    errors.length = 0;
    let problem = null;
    try {
        await run();
        if (errors.length) problem = `errors in the page: ${errors.join('; ')}`;
    } catch (error) {
        problem = `${error.message}\n${errors.join('\n')}`;
    }
    failed += Boolean(problem);
    const seconds = ((Date.now() - begin) / 1000).toFixed(1);
    console.log(`${problem ? 'FAIL' : 'ok'}  ${name} (${seconds} s)${problem ? `\n${problem}` : ''}`);
}
await close();
console.log(`${address} is closed; ${failed} of ${chosen.length} failed`);
process.exit(failed ? 1 : 0);
