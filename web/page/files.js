/** Scenes from files: dropped on the page, or chosen. Meshes come along under their names. */
import { find } from './dom.js';

/** The scene among files is the one that ends with .json; all others are what it may name. A cache
    is played by itself. */
async function toSource(list) {
    const files = {};
    const cache = list.find(({ name }) => name.endsWith('.snc'));
    if (cache) {
        const content = new Uint8Array(await cache.arrayBuffer());
        return { name: cache.name, text: '{}', content, files: {}, sets: {}, playback: true };
    }
    let scene = null;
    for (const file of list) {
        if (!scene && file.name.endsWith('.json')) scene = file;
        else files[file.name] = new Uint8Array(await file.arrayBuffer());
    }
    if (!scene) throw new Error('There is no scene among these files, whose name ends with .json, and no cache (.snc).');
    return { name: scene.name, text: await scene.text(), files, sets: {} };
}

export function takeFiles(open, fail) {
    const sheet = find('#drop');
    const input = find('#files');
    const take = (list) => toSource([...list]).then(open, fail);
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
        take(event.dataTransfer.files);
    });
    input.addEventListener('change', () => {
        if (input.files.length) take(input.files);
        input.value = '';
    });
}
