/**
 * How long a frame takes in a page, beside the command on one thread:
 *
 *     node bench/web.mjs build/web build/release/sinew [SCENE]...
 *
 * S1-100, S2 and S6 of bench_scenes.c as scene files, or scenes that are named. In Chromium, on one
 * thread; time of the processor, the least of several runs, in turns with the command, since other
 * programs may have the machine as well. Hashes must agree.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBrowser } from '../tests/web/browser.mjs';

const [folder, sinew] = process.argv.slice(2, 4).map((path) => resolve(path));
const named = process.argv.slice(4);
const root = fileURLToPath(new URL('..', import.meta.url));
const out = mkdtempSync(join(tmpdir(), 'sinew-bench-'));
const RUNS = 4;
const settings = { substeps: 10, keep_forces: false };
const sheet = (cells) => ({ shape: 'grid', width: cells / 100, depth: cells / 100, columns: cells, rows: cells });
const rubbing = { static_friction: 0.2, dynamic_friction: 0.2 };

/** By name, with the frames that count; a node has about 1 kg, as there. */
const measured = {
    'S1-100': [20, 80, {
        bodies: [{ name: 'cloth', mesh: sheet(99), material: { kind: 'cloth', area_density: 10000, tethers: 0 },
            position: [0, 1, 0], pins: ['corner_0', 'corner_1'] }],
    }],
    S2: [10, 40, {
        bodies: [{ name: 'beam', mesh: { shape: 'block', extent: [2, 0.5, 0.5], cells: [40, 10, 10] },
            material: { kind: 'solid', model: 'edges', young: 'auto' }, position: [0, 1, 0], pins: 'left' }],
    }],
    S6: [5, 60, {
        bodies: [{ name: 'cloth', mesh: sheet(59), material: { kind: 'cloth', area_density: 10000, thickness: 0.01 },
            position: [0.02, 0.36, 0], collide: 'all', contact: { detail: 'points', ...rubbing } }],
        colliders: [{ name: 'floor', shape: 'plane', ...rubbing },
            { name: 'ball', shape: 'sphere', radius: 0.15, position: [0, 0.15, 0], ...rubbing }],
    }],
};

function sceneOf(name) {
    if (!measured[name]) return [5, 15, readFileSync(join(root, `scenes/${name}.json`), 'utf8')];
    const [first, last, scene] = measured[name];
    return [first, last, JSON.stringify({ version: 1, run: { frames: last, fps: 60 }, settings, ...scene })];
}

/** Processor time of the command for so many frames, as the shell has it, and the hash then. */
function native(file, frames) {
    const command = `'${sinew}' run '${file}' --frames ${frames} --threads 1 --hash --format none --picture none --out '${out}'; times`;
    const { stdout } = spawnSync('bash', ['-c', command], { encoding: 'utf8' });
    const [minutes, seconds] = stdout.trim().split('\n').at(-1).split(' ')[0].replace('s', '').split('m').map(Number);
    return { seconds: 60 * minutes + seconds, hash: /^hash ([0-9a-f]{16})$/m.exec(stdout)[1] };
}

const { newPage, close } = await openBrowser({
    modules: join(root, 'build/node_modules'), browser: process.env.CHROMIUM ?? '/usr/bin/chromium', folder, sinew,
});
const page = await newPage();
const client = await page.context().newCDPSession(page);
await client.send('Performance.enable');
await page.evaluate(async () => {
    const { load } = await import('/package/sinew.js');
    window.bench = await load();
    await window.bench.complete();
});

async function threadSeconds() {
    const { metrics } = await client.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'ThreadTime').value;
}

/** Seconds that the page takes from one frame to another, and the hash then. */
async function inPage(text, first, last) {
    await page.evaluate(([scene, frames]) => {
        window.scene = window.bench.open(scene);
        for (let i = 0; i < frames; i++) window.scene.step();
    }, [text, first]);
    const before = await threadSeconds();
    await page.evaluate((frames) => {
        for (let i = 0; i < frames; i++) window.scene.step();
    }, last - first);
    const seconds = (await threadSeconds()) - before;
    const hash = await page.evaluate(() => {
        const shown = window.scene.hash;
        window.scene.close();
        return shown;
    });
    return { seconds, hash };
}

console.log('scene           page    native    ratio');
for (const name of named.length ? named : Object.keys(measured)) {
    const [first, last, text] = sceneOf(name);
    const file = join(out, `${name.replaceAll('/', '_')}.json`);
    writeFileSync(file, text);
    let [web, begin, end] = [Infinity, Infinity, Infinity];
    for (let run = 0; run < RUNS; run++) {
        const one = await inPage(text, first, last);
        const two = native(file, last);
        if (one.hash !== two.hash) throw new Error(`${name}: the page has ${one.hash}, the command ${two.hash}`);
        web = Math.min(web, one.seconds);
        begin = Math.min(begin, native(file, first).seconds);
        end = Math.min(end, two.seconds);
    }
    const [ms, own] = [web, end - begin].map((seconds) => (1000 * seconds) / (last - first));
    console.log(`${name.padEnd(12)} ${ms.toFixed(1).padStart(5)} ms  ${own.toFixed(1).padStart(5)} ms  ${(ms / own).toFixed(2).padStart(6)}`);
}
await close();
