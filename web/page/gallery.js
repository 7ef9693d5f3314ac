/** All scenes that come with the engine, as pictures. */
import { make } from './dom.js';

let list = null;

/** The scenes: name, title, about. */
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

/** A scene of the gallery as a source for the engine. */
export async function fetchScene(name, sets) {
    if (!(await scenes()).some((scene) => scene.name === name))
        throw new Error(`There is no scene "${name}" in the gallery.`);
    const response = await fetch(`scenes/${name}.json`);
    if (!response.ok) throw new Error(`scenes/${name}.json: the server answers ${response.status}`);
    return { name: `${name}.json`, text: await response.text(), files: {}, sets };
}
