/** Scenes from files and folders: dropped on the page, or chosen. What they name comes along. */
import { find } from './dom.js';
import { filesOf, isPlayed, sceneAmong } from './named.js';

/** Files of which the page can make nothing, with a sentence that says what it takes. */
class FilesError extends Error {
    name = 'FilesError';
}

async function bytesOf(file) {
    return new Uint8Array(await file.arrayBuffer());
}

/**
 * What came together as a source. Paths of a scene are from its folder; a file that was dropped
 * without the folder which the scene has it in is found by the rest of its name.
 */
async function toSource(list) {
    const played = list.find(({ path }) => isPlayed(path));
    if (played) {
        const { name } = played.file;
        return { name, text: '{}', content: await bytesOf(played.file), files: {}, sets: {}, playback: true };
    }
    const all = new Map(list.map(({ path, file }) => [path, file]));
    const scene = await sceneAmong([...all.keys()], (path) => all.get(path).text());
    if (!scene) throw new FilesError('There is no scene among these files, whose name ends with .json, no cache (.snc) and no recording (.reco).');
    const folder = scene.slice(0, scene.lastIndexOf('/') + 1);
    const text = await all.get(scene).text();
    const bare = (path) => path.slice(path.lastIndexOf('/') + 1);
    const alone = new Map(list.map(({ path, file }) => [bare(path), file]));
    const files = await filesOf(text, (path) => {
        const file = all.get(folder + path) ?? alone.get(bare(path));
        return file ? bytesOf(file) : null;
    });
    return { name: bare(scene), text, files, sets: {} };
}

/** Files of an entry of a drop, with those in folders. */
async function filesIn(entry) {
    if (entry.isFile) {
        const file = await new Promise((done, fail) => entry.file(done, fail));
        return [{ path: entry.fullPath.replace(/^\//, ''), file }];
    }
    const reader = entry.createReader();
    const found = [];
    // A reader gives a part of its folder at a time, and nothing at the end.
    for (;;) {
        const some = await new Promise((done, fail) => reader.readEntries(done, fail));
        if (!some.length) return found;
        for (const one of some) found.push(...(await filesIn(one)));
    }
}

/** All that was dropped. Entries must be asked for at once; files that are made up have none. */
async function dropped({ items, files }) {
    const entries = [...items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
    if (!entries.length) return [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
    return (await Promise.all(entries.map(filesIn))).flat();
}

export function takeFiles(open, fail) {
    const sheet = find('#drop');
    const input = find('#files');
    const take = (list) => Promise.resolve(list).then(toSource).then(open, fail);
    let inside = 0;
    const show = (change) => {
        inside = Math.max(0, inside + change);
        sheet.hidden = inside === 0;
    };
    addEventListener('dragenter', (event) => {
        event.preventDefault();
        show(1);
    });
    addEventListener('dragleave', () => show(-1));
    addEventListener('dragover', (event) => event.preventDefault());
    addEventListener('drop', (event) => {
        event.preventDefault();
        inside = 0;
        sheet.hidden = true;
        take(dropped(event.dataTransfer));
    });
    input.addEventListener('change', () => {
        if (input.files.length) take([...input.files].map((file) => ({ path: file.name, file })));
        input.value = '';
    });
}
