/** All scenes that come with the engine, as pictures. */
import { make } from './dom.js';

let list = null;

/** The scenes: name, title, about, and the files that they name. */
export async function scenes() {
    if (!list) {
        const response = await fetch('scenes/index.json');
        if (!response.ok) throw new Error(`scenes/index.json: the server answers ${response.status}`);
        list = await response.json();
    }
    return list;
}

function card({ name, title, about, picture }) {
    const image = picture
        ? make('img', { src: `scenes/${name}.png`, alt: '', loading: 'lazy' })
        : make('span', { className: 'blank' });
    const link = make('a', { href: `#scene=${name}`, title: about });
    link.append(image, make('strong', { textContent: title }), make('small', { textContent: name }));
    return make('li', {}, link);
}

export async function showGallery(parent) {
    if (parent.childElementCount) return;
    parent.append(...(await scenes()).map(card));
}

async function fetchFile(name) {
    const response = await fetch(`scenes/${name}`);
    if (!response.ok) throw new Error(`scenes/${name}: the server answers ${response.status}`);
    return response;
}

/** A scene of the gallery as a source for the engine, with the files that it names. */
export async function fetchScene(name, sets) {
    const scene = (await scenes()).find((one) => one.name === name);
    if (!scene) throw new Error(`There is no scene "${name}" in the gallery.`);
    const fetchBytes = async (path) => [path, new Uint8Array(await (await fetchFile(path)).arrayBuffer())];
    const [text, ...files] = await Promise.all([
        fetchFile(`${name}.json`).then((response) => response.text()),
        ...scene.files.map(fetchBytes),
    ]);
    return { name: `${name}.json`, text, files: Object.fromEntries(files), sets };
}
