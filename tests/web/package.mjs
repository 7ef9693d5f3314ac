/**
 * The package in node: what it exports, that it gives the bits of the command, files in memory,
 * hands, snapshots, sentences, its size and its two parts, and that its types know everything that it has.
 *
 *     node tests/web/package.mjs FOLDER SINEW [NAME]...
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const [folder, sinew] = process.argv.slice(2, 4).map((path) => resolve(path));
const only = process.argv.slice(4);
const place = join(folder, 'package');
const { load, MissingPart, SceneError } = await import(join(place, 'sinew.js'));
const first = await WebAssembly.compile(readFileSync(join(place, 'sinew.wasm')));
const second = await WebAssembly.compile(readFileSync(join(place, 'sinew-rare.wasm')));
const engine = await load(first);
await engine.complete(second);
const threads = join(place, 'sinew-threads.wasm');
const threaded = existsSync(threads) && (await load(readFileSync(threads), { threads: 3 }));
const out = mkdtempSync(join(tmpdir(), 'sinew-package-'));
const read = (name) => readFileSync(join(folder, `scenes/${name}.json`), 'utf8');
const sheet = {
    version: 1,
    meshes: { sheet: { shape: 'grid', columns: 10, rows: 10 } },
    bodies: [
        { name: 'sheet', mesh: 'sheet', material: { kind: 'cloth', preset: 'cotton' }, collide: 'others' },
    ],
};

function hashOf(name, frames, file = join(folder, `scenes/${name}.json`)) {
    const args = ['run', file, '--frames', frames, '--hash', '--format', 'none'];
    const done = spawnSync(sinew, [...args.map(String), '--out', out], { encoding: 'utf8' });
    return /^hash ([0-9a-f]{16})$/m.exec(done.stdout)[1];
}

const checks = {
    hashes_are_those_of_the_command() {
        for (const name of ['rods', 'net', 'bounce', 'rope']) {
            const scene = engine.open(read(name), { name: `${name}.json` });
            for (let i = 0; i < 15; i++) scene.step();
            assert.equal(scene.hash, hashOf(name, 15), name);
            scene.close();
        }
    },
    constraints_in_turn_have_the_bits_of_the_command() {
        // Tetrahedra, triangles and bending, rods, joints, lists; with dashpots, and without colours.
        for (const name of ['rods', 'gears', 'cord', 'beam', 'jelly', 'twist', 'arm']) {
            const scene = JSON.parse(read(name));
            scene.settings = { ...scene.settings, solver: 'reference' };
            // Trees that are solved whole have no order.
            for (const body of scene.bodies ?? []) delete body.solver;
            const file = join(out, `${name}.json`);
            writeFileSync(file, JSON.stringify(scene));
            const opened = engine.open(scene, { name: `${name}.json` });
            for (let i = 0; i < 3; i++) opened.step();
            assert.equal(opened.hash, hashOf(name, 3, file), name);
            assert.notEqual(opened.hash, hashOf(name, 3), `${name} has another order`);
            opened.close();
        }
    },
    a_frame_has_shapes() {
        const scene = engine.open(sheet);
        const [shape] = scene.frame().shapes;
        assert.equal(shape.vertexCount, 121);
        assert.equal(shape.triangles.length, 600);
        assert.equal(shape.positions.buffer, engine.exports.memory.buffer, 'nothing is copied');
        assert.ok(Math.abs(Math.abs(shape.normals[1]) - 1) < 1e-6);
        assert.equal(scene.frame({ smooth: 1 }).shapes[0].triangles.length, 2400);
        scene.close();
    },
    hard_edges_have_two_normals() {
        const box = { ...sheet, bodies: [], colliders: [{ name: 'box', shape: 'box' }] };
        const scene = engine.open(box);
        const [shape] = scene.frame().shapes;
        assert.equal(shape.vertexCount, 24);
        for (let i = 0; i < 24; i++) {
            const n = shape.normals.subarray(3 * i, 3 * i + 3);
            assert.ok(Math.abs(Math.max(...n.map(Math.abs)) - 1) < 1e-6, 'along an axis');
        }
        scene.close();
    },
    what_is_taken_follows_the_hand() {
        const scene = engine.open(sheet);
        const taken = scene.take([0.1, 2, 0.1], [0, -1, 0]);
        assert.equal(taken.kind, 'body');
        assert.ok(Math.abs(taken.point[0] - 0.1) < 1e-5);
        for (let i = 0; i < 60; i++) {
            assert.ok(scene.move(taken.hand, [0.1, 0.5, 0.1]));
            scene.step();
        }
        assert.ok(Math.abs(scene.held(taken.hand)[1] - 0.5) < 0.05);
        scene.release(taken.hand, [0, 3, 0]);
        assert.equal(scene.held(taken.hand), null);
        assert.equal(scene.take([9, 2, 9], [0, -1, 0]), null);
        scene.close();
    },
    pins_cuts_and_balls() {
        const scene = engine.open(sheet);
        assert.equal(scene.togglePin([0.1, 2, 0.1], [0, -1, 0]), 'pinned');
        assert.equal(scene.togglePin([0.1, 2, 0.1], [0, -1, 0]), 'unpinned');
        assert.equal(scene.togglePin([9, 2, 9], [0, -1, 0]), '');
        const before = scene.frame().shapes[0].vertexCount;
        const whole = scene.save();
        const copies = scene.cut([0, 1, 0], [-1, -1, 0.013], [1, -1, 0.013], 10);
        assert.ok(copies > 5, `${copies} nodes`);
        scene.step();
        assert.ok(scene.frame().shapes[0].vertexCount > before);
        scene.restore(whole);
        assert.equal(scene.frame().shapes[0].vertexCount, before, 'undone, it is drawn whole');
        scene.dropBall([0, 1, 0]);
        assert.equal(scene.frame().shapes.at(-1).name, 'balls');
        scene.close();
    },
    a_cut_that_is_undone_is_drawn_whole() {
        // A solid with a skin, whose tetrahedra are divided.
        const scene = engine.open(read('jelly'), { name: 'jelly.json' });
        const look = () => [scene.frame().shapes[0].triangles.length, ...scene.frame().shapes[0].positions];
        const [kept, whole] = [scene.save(), look()];
        assert.ok(scene.cut([0.02, 9, 0.003], [0.0001, -1, -2], [0.0001, -1, 2], 30) > 20);
        assert.notDeepEqual(look(), whole);
        scene.restore(kept);
        assert.deepEqual(look(), whole);
        scene.close();
    },
    snapshots_go_on_with_the_same_bits() {
        const scene = engine.open(sheet);
        scene.step();
        const kept = scene.save();
        scene.step();
        const then = scene.hash;
        scene.restore(kept);
        scene.step();
        assert.equal(scene.hash, then);
        assert.throws(() => scene.restore(new Uint8Array(10)));
        scene.close();
    },
    settings_and_fields_are_listed_and_set() {
        const scene = engine.open(sheet);
        const settings = scene.settings();
        const number = settings.findIndex(({ name }) => name === 'gravity');
        scene.setSetting(number, [0, 0, 0]);
        assert.deepEqual(scene.settings()[number].value, [0, 0, 0]);
        const substeps = settings.findIndex(({ name }) => name === 'substeps');
        assert.throws(() => scene.setSetting(substeps, [-1]), /substeps is -1, expected 1 to 10000/);
        const field = scene.bodyFields(0).find(({ name }) => name === 'compliance');
        scene.setBodyField(0, field.type, 'compliance', 2 * field.value);
        const again = scene.bodyFields(0).find((one) => one.type === field.type && one.name === 'compliance');
        assert.ok(Math.abs(again.value - 2 * field.value) <= 1e-6 * Math.abs(again.value));
        scene.close();
    },
    settings_are_those_of_scene_files() {
        const scene = engine.open(sheet);
        const schema = spawnSync(sinew, ['info', '--schema'], { encoding: 'utf8' }).stdout;
        const words = Object.keys(JSON.parse(schema).$defs.settings.properties).sort();
        const names = scene.settings().map(({ name }) => name);
        assert.deepEqual(names.filter((name) => !words.includes(name)), []);
        assert.ok(names.length > 15, `${names}`);
        const { kind, value, most } = scene.settings().find(({ name }) => name === 'speed_limit');
        assert.deepEqual([kind, value, most], ['real', [null], null]);
        const number = names.indexOf('alternate');
        scene.setSetting(number, [1]);
        assert.deepEqual(scene.settings()[number].value, [1]);
        scene.close();
    },
    constraints_are_lines_between_nodes() {
        const scene = engine.open(sheet);
        const types = scene.types();
        const edges = types.find(({ name }) => name === 'distance');
        const positions = scene.frame().shapes[0].positions.slice();
        const corners = new Set();
        for (let i = 0; i < positions.length; i += 3) corners.add(positions.slice(i, i + 3).join());
        const lines = scene.links(edges.type);
        // Of one colour no node is in two constraints.
        const { colours } = scene.colouredLinks(edges.type);
        assert.equal(colours.length, lines.length / 6);
        const ends = new Set();
        colours.forEach((colour, i) => {
            for (const from of [6 * i, 6 * i + 3]) {
                const key = `${colour} ${lines.slice(from, from + 3)}`;
                assert.ok(colour >= 0 && !ends.has(key), key);
                ends.add(key);
            }
        });
        assert.equal(lines.length, 6 * edges.count);
        for (let i = 0; i < lines.length; i += 3) assert.ok(corners.has(lines.slice(i, i + 3).join()));
        assert.equal(scene.links(-1).length, 0);
        assert.equal(scene.axes().length, 0);
        scene.close();
        const rods = engine.open(read('rods'), { name: 'rods.json' });
        const axes = rods.axes();
        assert.ok(axes.length > 70);
        for (let i = 0; i < axes.length; i += 7)
            assert.ok(Math.abs(Math.hypot(...axes.slice(i + 3, i + 7)) - 1) < 1e-4, 'a unit quaternion');
        rods.close();
    },
    /** A hinge on a post: anchors, axis, and limits of the angle where they are. */
    joints_are_drawn_by_their_anchors_axes_and_limits() {
        const box = (name, position, extra) => ({ name, shape: 'box', extent: [0.1, 0.1, 0.1], position, density: 500, ...extra });
        const scene = engine.open({
            version: 1,
            settings: { gravity: [0, 0, 0] },
            colliders: [box('a', [0, 0, 0]), box('b', [1, 0, 0])],
            constraints: [
                { name: 'hinge', type: 'hinge_joint', nodes: ['a', 'b'], anchor_0: [0.5, 0, 0], axis: [0, 0, 2] },
                { name: 'limit', type: 'turn_drive', nodes: ['a', 'b'], axis: [0, 0, 2], side: 'at_most', target: 0.5 },
            ],
        });
        const lines = (name) => {
            const { type } = scene.types().find((one) => one.name === name);
            const list = scene.links(type);
            return Array.from({ length: list.length / 6 }, (_, i) => Array.from(list.slice(6 * i, 6 * i + 6)));
        };
        const near = (a, b) => assert.ok(a.every((x, i) => Math.abs(x - b[i]) < 1e-4), `${a}, expected ${b}`);
        const [first, gap, second, axis] = lines('hinge_joint');
        near(first, [0, 0, 0, 0.5, 0, 0]);
        near(gap, [0.5, 0, 0, 0.5, 0, 0]);
        near(second, [0.5, 0, 0, 1, 0, 0]);
        near(axis, [0.5, 0, -0.3, 0.5, 0, 0.3]);
        const limit = lines('turn_drive');
        // From where node 1 points to now, along an arc, to half a radian further.
        near(limit[3], [0.5, 0, 0, 0.8, 0, 0]);
        near(limit.at(-1), [0.5, 0, 0, 0.5 + 0.3 * Math.cos(0.5), 0.3 * Math.sin(0.5), 0]);
        scene.close();
    },
    liquids_have_surfaces() {
        const scene = engine.open(read('dam'), { name: 'dam.json' });
        const particles = scene.frame().shapes[0];
        const count = particles.vertexCount;
        assert.equal(particles.triangles, null);
        const [surface] = scene.frame({ liquid: true, smooth: 1 }).shapes;
        assert.ok(surface.triangles.length > 3000 && surface.vertexCount !== count);
        for (let i = 0; i < surface.normals.length; i += 3)
            assert.ok(Math.abs(Math.hypot(...surface.normals.subarray(i, i + 3)) - 1) < 1e-3);
        assert.ok(surface.triangles.every((i) => i < surface.vertexCount));
        scene.close();
    },
    recordings_are_repeated() {
        // A sheet, a solid, lines, particles, and colliders that nodes carry.
        for (const [name, shape] of Object.entries({ flag: 'sheet 1', beam: 'solid 1', rods: 'lines 1', dam: 'particles 1', crates: 'collider 2' })) {
            const file = join(out, `${name}.reco`);
            const args = ['run', join(folder, `scenes/${name}.json`), '--frames', '2', '--hash', '--format', 'none', '--picture', 'none', '--out', out];
            const done = spawnSync(sinew, [...args, '--record', file], { encoding: 'utf8' });
            const scene = engine.open(readFileSync(file), { name: `${name}.reco` });
            assert.deepEqual([scene.info.playback, scene.info.frames], [true, 2]);
            const kept = scene.save();
            for (let i = 0; i < 3; i++) scene.step();
            assert.equal(scene.frameNumber, 2, 'the last step stays');
            const last = scene.hash;
            assert.equal(last, /^hash ([0-9a-f]{16})$/m.exec(done.stdout)[1], name);
            const found = scene.frame().shapes.find((one) => one.name === shape);
            assert.ok(found.vertexCount > 0, `${name}: ${shape}`);
            scene.restore(kept);
            assert.equal(scene.frameNumber, 0);
            scene.step();
            scene.step();
            assert.equal(scene.hash, last, 'again from the beginning');
            scene.close();
        }
    },
    caches_are_played() {
        const args = ['run', join(folder, 'scenes/rope.json'), '--frames', '8', '--format', 'cache', '--picture', 'none', '--out', out];
        assert.equal(spawnSync(sinew, args, { encoding: 'utf8' }).status, 0);
        const file = readdirSync(out).find((name) => name.endsWith('.snc'));
        const bytes = new Uint8Array(readFileSync(join(out, file)));
        const cache = engine.open(bytes, { name: 'rope.snc' });
        const scene = engine.open(read('rope'), { name: 'rope.json' });
        assert.equal(cache.info.playback, true);
        assert.equal(cache.info.frames, 8);
        const positions = (one) => one.frame().shapes.map((shape) => Array.from(shape.positions));
        for (let i = 0; i <= 8; i++) {
            assert.equal(cache.frameNumber, i);
            assert.deepEqual(positions(cache), positions(scene), `frame ${i}`);
            cache.step();
            scene.step();
        }
        assert.equal(cache.frameNumber, 8, 'the last frame stays');
        const end = cache.save();
        cache.restore(new Uint8Array(4));
        assert.equal(cache.frameNumber, 0);
        cache.restore(end);
        assert.equal(cache.frameNumber, 8);
        assert.throws(() => cache.restore(new Uint8Array([9, 0, 0, 0])));
        // There is no world behind it.
        assert.equal(cache.take([0, 9, 0], [0, -1, 0]), null);
        assert.equal(cache.togglePin([0, 9, 0], [0, -1, 0]), '');
        assert.throws(() => cache.dropBall([0, 1, 0]));
        assert.equal(cache.cut([0, 1, 0], [-1, -1, 0], [1, -1, 0], 10), 0);
        assert.throws(() => cache.setSetting(0, [1]));
        assert.throws(() => cache.setBodyField(0, 0, 'compliance', 1));
        for (const list of [cache.settings(), cache.bodyFields(0), cache.types(), cache.measure(), cache.events()]) assert.deepEqual(list, []);
        assert.equal(cache.contacts().length + cache.links(0).length + cache.axes().length, 0);
        assert.equal(cache.move(0, [0, 0, 0]), false);
        cache.release(0);
        cache.close();
        scene.close();
        assert.throws(() => engine.open(bytes.subarray(0, 9), { name: 'x.snc' }), SceneError);
    },
    files_come_from_memory() {
        const scene = { ...sheet, meshes: { sheet: { shape: 'file', path: 'a/mesh.obj' } } };
        const files = { 'a/mesh.obj': 'v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 3 2\n' };
        assert.throws(() => engine.open(scene), /mesh\.obj/);
        const opened = engine.open(scene, { files });
        assert.equal(opened.frame().shapes[0].vertexCount, 3);
        opened.close();
        assert.throws(() => engine.open(scene), /mesh\.obj/, 'another scene does not see them');
    },
    /** Robots, animations and includes, as the list of the gallery has them. */
    scenes_with_files_have_the_hash_of_the_command() {
        const gallery = JSON.parse(readFileSync(join(folder, 'scenes/index.json'), 'utf8'));
        const named = gallery.filter(({ files }) => files.length);
        assert.deepEqual(named.map(({ name, files }) => [name, ...files]), [
            ['dancer', 'dancer.glb'], ['glass', 'glass.obj'], ['hoop', 'basin.obj'],
            ['layers', 'vest.obj', 'jacket.obj'], ['mane', 'dancer.glb'], ['robot', 'arm.urdf']]);
        for (const { name, files } of named) {
            const bytes = Object.fromEntries(files.map((path) => [path, readFileSync(join(folder, 'scenes', path))]));
            const scene = engine.open(read(name), { name: `${name}.json`, files: bytes });
            for (let i = 0; i < 3; i++) scene.step();
            assert.equal(scene.hash, hashOf(name, 3), name);
            scene.close();
        }
    },
    async what_a_scene_names_is_found() {
        const { filesOf, sceneAmong } = await import(join(folder, 'page/named.js'));
        const disk = {
            'scene.json': '{"include": ["parts/base.json"], "robots": [{"path": "robots/arm.urdf"}], "title": "one.json or other"}',
            'parts/base.json': '{"meshes": {"m": {"path": "../meshes/solid.ele"}}, "texture": "a.png", "path": "../../above.obj"}',
            'robots/arm.urdf': '<mesh filename="package://arm/meshes/link.stl"/><mesh filename=\'file://here.dae\'/>',
            'meshes/solid.ele': '', 'meshes/solid.node': '', 'parts/a.png': '', 'meshes/link.stl': '', 'robots/here.dae': '',
            'other.png': '', 'above.obj': '',
        };
        const find = async (path) => (path in disk ? new TextEncoder().encode(disk[path]) : null);
        const expected = Object.keys(disk).slice(1, -2).sort();
        assert.deepEqual(Object.keys(await filesOf(disk['scene.json'], find)).sort(), expected);
        const among = (...paths) => sceneAmong(paths, async (path) => disk[path] ?? '{}');
        assert.equal(await among('parts/base.json', 'scene.json', 'robots/arm.urdf'), 'scene.json');
        assert.equal(await among('parts/base.json'), 'parts/base.json');
        assert.equal(await among('robots/arm.urdf'), null);
    },
    what_is_wrong_is_said() {
        assert.throws(() => engine.open('{"version": 1, "bodies": 3}', { name: 'x.json' }), (error) => {
            assert.ok(error instanceof SceneError);
            assert.match(error.sentences[0], /^x\.json:1:\d+: bodies: /);
            return true;
        });
        const lacking = join(out, 'lacking.json');
        writeFileSync(lacking, '{"version": 1, "bodies": [{"name": "b"}], "motions": [{}]}');
        const said = spawnSync(sinew, ['check', lacking], { encoding: 'utf8' });
        const sentences = [...said.stdout.matchAll(/^error +(.*)$/gm)].map(([, sentence]) => sentence.replace(lacking, 'x.json'));
        assert.ok(sentences.length > 2, said.stdout);
        assert.throws(() => engine.open(readFileSync(lacking, 'utf8'), { name: 'x.json' }), (error) => {
            assert.deepEqual(error.sentences, sentences);
            return true;
        });
    },
    the_module_is_small() {
        const size = statSync(join(place, 'sinew.wasm.br')).size;
        assert.ok(size < 600e3, `${size} bytes`);
    },
    /** What most scenes have is in the first part; and no step comes to what is not. */
    async most_scenes_need_the_first_part_alone() {
        const plain = ['cloth', 'flag', 'beam', 'jelly', 'rods', 'rope', 'crates', 'balloon', 'torn', 'dam', 'hair', 'tablecloth', 'fracture'];
        const small = await load(first);
        for (const name of plain) {
            const scene = small.open(read(name), { name: `${name}.json` });
            scene.step();
            scene.frame({ smooth: 1, liquid: true });
            scene.measure();
            scene.types().forEach(({ type }) => scene.links(type));
            scene.settings();
            scene.bodyFields(0);
            scene.restore(scene.save());
            const hand = scene.take([0, 5, 0.01], [0, -1, 0])?.hand;
            if (hand !== undefined) scene.move(hand, [0, 3, 0]);
            scene.togglePin([0, 5, 0.01], [0, -1, 0]);
            scene.dropBall([0, 4, 0]);
            scene.step();
            scene.close();
        }
        assert.ok(!small.whole);
    },
    async the_second_part_is_asked_for_and_has_the_same_bits() {
        for (const name of ['arm', 'regions', 'timber', 'tissue', 'dough']) {
            const other = await load(first);
            assert.throws(() => other.open(read(name), { name: `${name}.json` }), MissingPart, name);
            await other.complete(second);
            await other.complete();
            const scene = other.open(read(name), { name: `${name}.json` });
            for (let i = 0; i < 2; i++) scene.step();
            assert.equal(scene.hash, hashOf(name, 2), name);
            scene.close();
        }
        const other = await load(first);
        const scene = other.open(sheet);
        assert.throws(() => scene.cut([0, 1, 0], [-1, -1, 0.013], [1, -1, 0.013], 10), MissingPart);
        await other.complete(second);
        assert.ok(scene.cut([0, 1, 0], [-1, -1, 0.013], [1, -1, 0.013], 10) > 5, 'goes on after a trap');
        scene.step();
    },
    types_know_what_there_is() {
        const types = readFileSync(join(place, 'sinew.d.ts'), 'utf8');
        const scene = engine.open(sheet);
        const names = Object.getOwnPropertyNames(Object.getPrototypeOf(scene));
        for (const name of [...names, ...Object.keys(scene.frame().shapes[0])])
            if (name !== 'constructor') assert.match(types, new RegExp(`\\b${name}[?(:]`), name);
        scene.close();
    },
    /** Every shipped scene is of the type of scene files, and a mistake is not. */
    scenes_have_their_types() {
        const compiler = join(folder, '../node_modules/typescript/bin/tsc');
        if (!existsSync(compiler)) return console.log('skipped: typescript is missing');
        const names = readdirSync(join(folder, 'scenes')).filter((name) => name.endsWith('.json') && name !== 'index.json');
        const scenes = names.map((name, k) => `const scene${k}: SceneFile = ${read(name.replace('.json', ''))};`);
        writeFileSync(join(out, 'scenes.mts'), [
            `import { load, type SceneFile } from '${join(place, 'sinew.js')}';`,
            ...scenes,
            "// @ts-expect-error: the word is bodies\nconst wrong: SceneFile = { version: 1, bodis: [] };",
            'async function run() {',
            '    const scene = (await load()).open(scene0);',
            '    const step: number = scene.frame().shapes[0].positions[1] + scene.settings()[0].value.length;',
            "    // @ts-expect-error: a setting has another name\n    scene.settings().find((s) => s.name === 'substep');",
            '    return step;',
            '}',
        ].join('\n'));
        const done = spawnSync(process.execPath, [compiler, '--noEmit', '--strict', '--skipLibCheck', 'false',
            '--target', 'es2022', '--module', 'nodenext', join(out, 'scenes.mts')], { encoding: 'utf8' });
        assert.equal(done.status, 0, done.stdout);
    },
    /** Two threads, where the module for them was built, have the bits of one. */
    threads_have_the_same_bits() {
        if (!threaded) return console.log('skipped: sinew-threads.wasm was not built');
        assert.equal(threaded.threads, 3);
        for (const name of ['cloth', 'jelly', 'drape']) {
            const one = engine.open(read(name), { name: `${name}.json` });
            const many = threaded.open(read(name), { name: `${name}.json` });
            for (let i = 0; i < 6; i++) {
                one.step();
                many.step();
            }
            assert.equal(many.hash, one.hash, name);
            one.close();
            many.close();
        }
        assert.throws(() => threaded.open('{"version": 1, "bodys": []}'), SceneError);
    },
    it_can_be_packed() {
        const done = spawnSync('npm', ['pack', '--dry-run', '--json'], { cwd: place, encoding: 'utf8' });
        const files = JSON.parse(done.stdout)[0].files.map(({ path }) => path).sort();
        const expected = ['LICENSE', 'README.md', 'modules.js', 'package.json', 'scene.d.ts', 'sinew-rare.wasm', ...(threaded ? ['sinew-threads.wasm'] : []),
            'sinew.d.ts', 'sinew.js', 'sinew.wasm', 'wasi.js', 'worker.js'];
        assert.deepEqual(files, expected);
    },
};
let failed = 0;
for (const [name, run] of Object.entries(checks)) {
    if (only.length && !only.some((word) => name.includes(word))) continue;
    let problem = null;
    try {
        await run();
    } catch (error) {
        problem = error;
    }
    failed += Boolean(problem);
    console.log(`${problem ? 'FAIL' : 'ok'}  ${name}${problem ? `\n${problem.stack}` : ''}`);
}
rmSync(out, { recursive: true });
process.exit(failed ? 1 : 0);
