/**
 * How long a frame takes in the web module, beside the command on one thread:
 *
 *     node bench/web.mjs build/web build/release/sinew [SCENE]...
 *
 * Time of the processor for frames 5 to 15, the least of three runs, since other programs may have
 * the machine as well.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const [folder, sinew] = process.argv.slice(2, 4).map((path) => resolve(path));
const named = process.argv.slice(4);
const scenes = named.length ? named : ['cloth', 'beam', 'tests/drape'];
const [FIRST, LAST, RUNS] = [5, 15, 3];
const scenesAt = new URL('../scenes/', import.meta.url).pathname;
const { load } = await import(join(folder, 'package/sinew.js'));
const engine = await load(readFileSync(join(folder, 'package/sinew.wasm')));
await engine.complete(readFileSync(join(folder, 'package/sinew-rare.wasm')));

function inModule(name) {
    const scene = engine.open(readFileSync(join(scenesAt, `${name}.json`), 'utf8'), { name: `${name}.json` });
    for (let i = 0; i < FIRST; i++) scene.step();
    const before = process.cpuUsage();
    for (let i = FIRST; i < LAST; i++) scene.step();
    const { user, system } = process.cpuUsage(before);
    scene.close();
    return (user + system) / 1000 / (LAST - FIRST);
}

/** The processor time of children, as the shell has it. */
function secondsOf(name, frames) {
    const file = join(scenesAt, `${name}.json`);
    const command = `'${sinew}' run '${file}' --frames ${frames} --threads 1 --format none --picture none --out /tmp >/dev/null; times`;
    const { stdout } = spawnSync('bash', ['-c', command], { encoding: 'utf8' });
    const [minutes, seconds] = stdout.trim().split('\n')[1].split(' ')[0].replace('s', '').split('m').map(Number);
    return 60 * minutes + seconds;
}

function native(name) {
    return (1000 * (secondsOf(name, LAST) - secondsOf(name, FIRST))) / (LAST - FIRST);
}

const least = (measure) => Math.min(...Array.from({ length: RUNS }, measure));
console.log('scene        module    native    ratio');
for (const name of scenes) {
    const [web, own] = [least(() => inModule(name)), least(() => native(name))];
    console.log(`${name.padEnd(10)} ${web.toFixed(1).padStart(5)} ms  ${own.toFixed(1).padStart(5)} ms  ${(web / own).toFixed(2).padStart(6)}`);
}
