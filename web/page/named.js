/**
 * Which files belong to a scene: those whose names stand in it, or in what it names. A name is
 * looked for from the folder of the file that it stands in, and nothing is asked of what the text
 * means: who reads the scene knows that.
 */
const TEXTS = /\.(json|urdf|gltf)$/i;
/** Of a mesh in several files one is named. */
const PARTS = /\.(node|ele|face)$/i;

/** A path without "." and ".."; null where it leads out of the folder it begins in. */
function join(folder, name) {
    const parts = folder ? folder.split('/') : [];
    for (const part of name.split('/')) {
        if (part === '..') {
            if (!parts.pop()) return null;
        } else if (part && part !== '.') parts.push(part);
    }
    return parts.join('/');
}

const folderOf = (path) => path.slice(0, Math.max(path.lastIndexOf('/'), 0));

/** Everything in quotes that might be the name of a file. */
function quoted(text) {
    const names = new Set();
    for (const [, double, single] of text.matchAll(/"([^"\n]{1,300})"|'([^'\n]{1,300})'/g)) {
        const name = (double ?? single).replace(/^file:\/\//, '');
        if (/\.\w+$/.test(name)) names.add(name);
    }
    return names;
}

/** Where a name may lie: those of packages begin in a folder above, as the engine looks for them. */
function places(name, folder) {
    const packed = /^package:\/\/[^/]*\/(.*)/.exec(name)?.[1];
    const found = packed
        ? ['', '../', '../../'].map((up) => join(folder, up + packed))
        : name.startsWith('/') ? [] : [join(folder, name)];
    const all = found.filter(Boolean);
    const parts = all.filter((path) => PARTS.test(path));
    return [...all, ...parts.flatMap((path) => ['.node', '.ele', '.face'].map((end) => path.replace(PARTS, end)))];
}

/**
 * The files of a scene by their paths, from its folder. `find` gives the bytes of a path, or null
 * where there are none.
 */
/** Whether a file has what happened, and is played: a cache or a recording. */
export function isPlayed(path) {
    return /\.(snc|reco)$/.test(path);
}

export async function filesOf(text, find) {
    const files = {};
    const asked = new Set();
    const waiting = [['', text]];
    while (waiting.length) {
        const [folder, content] = waiting.pop();
        for (const path of [...quoted(content)].flatMap((name) => places(name, folder))) {
            if (asked.has(path)) continue;
            asked.add(path);
            const bytes = await find(path);
            if (!bytes) continue;
            files[path] = bytes;
            if (TEXTS.test(path)) waiting.push([folderOf(path), new TextDecoder().decode(bytes)]);
        }
    }
    return files;
}

/**
 * The scene among files that came together, by their paths: one that no other names. Without any,
 * null; of several the first.
 */
export async function sceneAmong(paths, textOf) {
    const scenes = paths.filter((path) => path.endsWith('.json')).sort((a, b) => a.split('/').length - b.split('/').length);
    const named = new Set();
    if (scenes.length > 1)
        for (const path of scenes)
            for (const name of quoted(await textOf(path))) named.add(join(folderOf(path), name));
    return scenes.find((path) => !named.has(path)) ?? scenes[0] ?? null;
}
