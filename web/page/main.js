/** The page: a gallery, and a viewer with its parts wired together. */
import { localEngine, onMachine } from './local.js';
import { RemoteEngine, isServed } from './remote.js';
import { find, make, download } from './dom.js';
import { fetchScene, showGallery } from './gallery.js';
import { fromHash, toFile, toHash } from './share.js';
import { takeFiles } from './files.js';
import { Theme } from './theme.js';
import { useKeys } from './keys.js';
import { Viewer } from './viewer.js';

const engine = onMachine ? new RemoteEngine() : localEngine;
const theme = new Theme();
/** The address of the scene that the command "sinew view" names. */
const COMMAND = '#command';
let viewer = null;
/** What is open: a source, and the name in the gallery where it has one. */
let opened = null;
let recovering = false;

function title(text) {
    find('#title').textContent = text;
    document.title = text ? `${text} – Sinew` : 'Sinew';
}

/** What stands above a sentence, by the kind of error. */
const headings = { SceneError: 'This scene cannot be run', FilesError: 'These files cannot be opened' };

function fail(error) {
    // It comes back, or not: recover says so.
    if (error.name === 'LostError') return;
    find('#gallery').hidden = true;
    find('#viewer').hidden = false;
    find('#viewer').classList.toggle('empty', !opened);
    find('#waiting').hidden = true;
    const box = find('#error');
    box.querySelector('h2').textContent = headings[error.name] ?? 'Something went wrong';
    box.querySelector('pre').textContent = error.message;
    box.hidden = false;
}

function getViewer() {
    if (viewer) return viewer;
    try {
        viewer = new Viewer(engine, { fail });
    } catch {
        throw new Error('This browser has no WebGL, which the page draws with.');
    }
    theme.onchange = (now) => viewer.setTheme(now);
    theme.apply();
    return viewer;
}

async function open(source, gallery = null) {
    find('#gallery').hidden = true;
    find('#viewer').hidden = false;
    find('#error').hidden = true;
    find('#waiting').hidden = false;
    title(source.name);
    // The page is shown before the engine has all attention.
    await new Promise((done) => setTimeout(done, 20));
    try {
        const info = await getViewer().open(source, { change, buttons: makeButtons(source) });
        opened = { source, gallery };
        find('#viewer').classList.remove('empty');
        title(info.title || source.name);
    } finally {
        find('#waiting').hidden = true;
    }
}

/**
 * After the connection was lost: opens the scene once more, as soon as somebody answers, and goes on
 * from the frame that was shown, by the snapshots which the page has.
 */
async function recover() {
    if (!opened || recovering) return;
    recovering = true;
    const { player } = viewer;
    const playing = player.playing;
    player.pause();
    find('#waiting').textContent = 'The connection is lost; waiting for "sinew view" to answer…';
    find('#waiting').hidden = false;
    try {
        while (!(await engine.start().then(() => true, () => false)))
            await new Promise((done) => setTimeout(done, 500));
        await player.run(() => engine.open(opened.source));
        await player.seek(player.frame);
        if (playing) player.play();
    } catch (error) {
        fail(error);
    }
    find('#waiting').hidden = true;
    find('#waiting').textContent = 'Preparing…';
    recovering = false;
}
engine.onlost = recover;

/** A parameter that begins the scene anew. */
async function change(name, value) {
    const source = { ...opened.source, sets: { ...opened.source.sets, [name]: value } };
    const playing = viewer.player.playing;
    await open(source, opened.gallery);
    if (playing) viewer.player.play();
    history.replaceState(null, '', await toHash(opened).catch(() => location.hash));
}

/** The page with the other engine, and with what it shows. */
function otherEngine() {
    const { hash } = location;
    location.href = `${onMachine ? './' : './?engine=machine'}${hash === COMMAND ? '' : hash}`;
}

function makeButtons(source) {
    const button = (textContent, action) => {
        const element = make('button', { textContent });
        element.addEventListener('click', () => Promise.resolve(action()).catch(fail));
        return element;
    };
    const save = button('Save scene file', () => {
        const text = toFile(opened.source, viewer.changed);
        download(new Blob([text], { type: 'application/json' }), opened.source.name);
    });
    const link = button('Copy link', async () => {
        const link = new URL(await toHash(opened), location.href).href;
        await navigator.clipboard.writeText(link);
        viewer.say('The link is copied.');
    });
    if (source.playback) return [];
    // Nobody else has the files of this machine.
    return source.onMachine ? [save] : [save, link];
}

/** The address says what is shown. */
async function route() {
    try {
        if (onMachine && location.hash === COMMAND) {
            await open(await engine.sceneOfCommand());
            viewer.player.play();
            return;
        }
        const asked = await fromHash(location.hash);
        if (asked) {
            const source = asked.source ?? (await fetchScene(asked.gallery, asked.sets));
            await open(source, asked.gallery);
            viewer.player.play();
            return;
        }
        viewer?.player.pause();
        find('#viewer').hidden = true;
        find('#gallery').hidden = false;
        title('');
        await showGallery(find('#cards'));
    } catch (error) {
        fail(error);
    }
}

takeFiles(
    (source) => open(source).then(() => viewer.player.play(), fail),
    fail
);
find('#open').addEventListener('click', () => find('#files').click());
find('#theme').addEventListener('click', () => theme.toggle());
find('#help').addEventListener('click', () => find('#keys').showModal());
find('#error-close').addEventListener('click', () => {
    find('#error').hidden = true;
    if (opened) title(viewer.info.title || opened.source.name);
    else location.hash = '';
});
find('#engine').addEventListener('click', otherEngine);
find('#engine').textContent = onMachine ? 'On this machine' : 'In this page';
isServed().then((served) => (find('#engine').hidden = !served));
addEventListener('hashchange', route);
addEventListener('unhandledrejection', (event) => fail(event.reason));
const shown = (action) => () => {
    if (viewer && !find('#viewer').hidden) action(viewer);
};
useKeys([
    [' ', 'play or pause', shown((v) => v.player.toggle())],
    ['.', 'one frame on', shown((v) => v.player.step())],
    [',', 'one frame back', shown((v) => v.player.seek(Math.max(v.player.frame - 1, 0)))],
    ['r', 'restart', shown((v) => v.player.seek(0))],
    ['-', 'slower', shown((v) => v.faster(-1))],
    ['+', 'faster', shown((v) => v.faster(1))],
    ['1', 'grab and throw', shown((v) => v.setTool('grab'))],
    ['2', 'pin and unpin', shown((v) => v.setTool('pin'))],
    ['3', 'cut with a stroke', shown((v) => v.setTool('cut'))],
    ['4', 'throw a ball', shown((v) => v.setTool('ball'))],
    ['u', 'undo what hands did last', shown((v) => v.undo())],
    ['c', 'next way to colour', shown((v) => v.nextColour())],
    ['w', 'wireframe', shown((v) => v.change('wireframe', !v.look.wireframe))],
    ['k', 'contacts', shown((v) => v.change('contacts', !v.look.contacts))],
    ['l', 'constraints', shown((v) => v.change('constraints', !v.look.constraints))],
    ['n', 'normals', shown((v) => v.change('normals', !v.look.normals))],
    ['g', 'where it began', shown((v) => v.change('ghost', !v.look.ghost))],
    ['home', 'the view of the scene', shown((v) => v.stage.goHome())],
    ['p', 'save a picture', shown((v) => v.savePicture())],
    ['v', 'record a video', shown((v) => v.toggleVideo())],
    ['b', 'panel', shown((v) => v.panel.toggle())],
    ['o', 'open files', () => find('#files').click()],
    ['t', 'dark or light', () => theme.toggle()],
    ['?', 'this sheet', () => find('#keys').showModal()],
]);
// For tests, and for those who look at a page with its console.
window.sinew = { engine, get viewer() { return viewer; }, open };
route();
