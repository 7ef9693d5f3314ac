/**
 * Links and files that bring back what is on the page: the name of a scene of the gallery, or its
 * whole text, with the parameters that were changed.
 */
const LONGEST = 100000;

async function through(stream, bytes) {
    const reader = new Blob([bytes]).stream().pipeThrough(stream);
    return new Uint8Array(await new Response(reader).arrayBuffer());
}

async function pack(text) {
    const bytes = await through(new CompressionStream('deflate-raw'), new TextEncoder().encode(text));
    const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
    return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

async function unpack(text) {
    const letters = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    return new TextDecoder().decode(await through(new DecompressionStream('deflate-raw'), bytes));
}

/** The part of an address behind #, for a scene as it was opened. */
export async function toHash({ gallery, source }) {
    const query = new URLSearchParams();
    if (gallery) {
        query.set('scene', gallery);
    } else {
        query.set('name', source.name);
        query.set('text', await pack(source.text));
    }
    for (const [name, value] of Object.entries(source.sets)) query.set(`set.${name}`, value);
    if (query.toString().length > LONGEST)
        throw new Error('This scene is too long for a link; save it as a file.');
    if (!gallery && Object.keys(source.files).length)
        throw new Error('A link cannot carry the meshes of this scene; save it as a file.');
    return `#${query}`;
}

/** What an address asks for: a scene of the gallery, a text, or neither. */
export async function fromHash(hash) {
    const query = new URLSearchParams(hash.replace(/^#/, ''));
    const sets = {};
    for (const [key, value] of query) if (key.startsWith('set.')) sets[key.slice(4)] = value;
    if (query.has('scene')) return { gallery: query.get('scene'), sets };
    if (!query.has('text')) return null;
    const text = await unpack(query.get('text'));
    return { source: { name: query.get('name') ?? 'scene.json', text, files: {}, sets } };
}

/** The scene file with the parameters and settings that it has now. */
export function toFile(source, settings) {
    const scene = JSON.parse(source.text);
    for (const [name, value] of Object.entries(source.sets)) {
        const number = value === '' ? NaN : Number(value);
        const parameter = scene.parameters?.[name];
        const is = Number.isNaN(number) ? value : number;
        if (parameter && typeof parameter === 'object') parameter.value = is;
        else if (scene.parameters) scene.parameters[name] = is;
    }
    if (Object.keys(settings).length) scene.settings = { ...scene.settings, ...settings };
    return JSON.stringify(scene, null, 2);
}
