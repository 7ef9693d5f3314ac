/** The viewer: one scene, what is drawn of it, its time and its numbers. */
import { Contacts } from './contacts.js';
import { Hands } from './hands.js';
import { Frames, Ghost, Links, Normals } from './physics.js';
import { Log } from './log.js';
import { Plots } from './plots.js';
import { Player } from './player.js';
import { Recorder, savePicture } from './capture.js';
import { Shapes } from './shapes.js';
import { pressSurfaces } from './pressure.js';
import { Stage } from './stage.js';
import { Panel, fillLook, fillScene, fillSettings } from './panel.js';
import { find, make } from './dom.js';
import { gradient, units } from './colours.js';

const colours = ['scene', 'body', 'strain', 'speed', 'pressure'];

export class Viewer {
    look = {
        colour: 'scene', smooth: 1, liquid: true, wireframe: false, contacts: false, constraints: false,
        graph: false, frames: false, normals: false, ghost: false, ground: true, shadows: true,
    };
    /** Settings that were changed here, by name. */
    changed = {};
    #drawn = 0;
    #measured = { ms: 0, due: 0 };
    #dirty = true;
    #fitted = false;
    #last = performance.now();

    constructor(engine, { fail }) {
        this.engine = engine;
        this.fail = fail;
        this.stage = new Stage(find('#canvas'));
        this.shapes = new Shapes(this.stage.quality);
        this.contacts = new Contacts();
        /** What is drawn over the scene while the look of its name is on. */
        this.layers = {
            contacts: this.contacts, constraints: new Links(), frames: new Frames(),
            normals: new Normals(), ghost: new Ghost(),
        };
        this.player = new Player(engine);
        this.panel = new Panel(['Scene', 'Settings', 'Look', 'Plots', 'Log']);
        this.plots = new Plots(this.panel.page('Plots'));
        this.log = new Log(this.panel.page('Log'));
        this.recorder = new Recorder(find('#canvas'));
        const overlay = find('#stroke');
        const { stage, shapes, player } = this;
        const say = (sentence) => this.say(sentence);
        this.hands = new Hands({ stage, shapes, engine, player, overlay, say });
        const layers = Object.values(this.layers).map(({ object }) => object);
        for (const object of layers) object.visible = false;
        this.stage.scene.add(this.shapes.object, ...layers, this.hands.lines);
        this.#listen();
        this.#useControls();
        if (innerWidth <= 720) find('#panel').hidden = true;
        requestAnimationFrame((now) => this.#animate(now));
    }

    #listen() {
        this.player.onframe = (result) => this.#onFrame(result);
        this.player.onchange = () => this.#showTime();
        this.player.onerror = this.fail;
        this.player.before = () => this.hands.send();
        this.hands.onchange = () => this.#show();
        this.hands.onlines = () => (this.#dirty = true);
        this.stage.controls.addEventListener('change', () => (this.#dirty = true));
        this.recorder.onchange = (on) => find('#video').classList.toggle('on', on);
        this.panel.onshow = (name) => name === 'Plots' && this.plots.draw();
        new ResizeObserver(() => {
            this.stage.resize();
            this.#dirty = true;
        }).observe(find('#view'));
    }

    #useControls() {
        const on = (id, name, action) => find(id).addEventListener(name, action);
        on('#play', 'click', () => this.player.toggle());
        on('#step', 'click', () => this.player.step());
        on('#back', 'click', () => this.player.seek(Math.max(this.player.frame - 1, 0)));
        on('#restart', 'click', () => this.player.seek(0));
        on('#seek', 'input', () => this.#seekTo(Number(find('#seek').value)));
        on('#speed', 'change', () => (this.player.speed = Number(find('#speed').value)));
        on('#picture', 'click', () => this.savePicture());
        on('#video', 'click', () => this.toggleVideo());
        on('#panel-toggle', 'click', () => this.panel.toggle());
        for (const button of document.querySelectorAll('[data-tool]'))
            button.addEventListener('click', () => this.setTool(button.dataset.tool));
        this.setTool('grab');
    }

    /** Opens a scene. Where it is broken, the one before goes on. */
    async open(source, { change, buttons }) {
        this.player.pause();
        const info = await this.player.run(() => this.engine.open(source));
        this.info = info;
        this.name = source.name.replace(/\.(json|snc|reco)$/, '');
        find('#tools').hidden = info.playback;
        find('#hash').hidden = info.playback && !info.repeats;
        this.changed = {};
        this.hands.forget();
        this.hands.acted = [];
        this.shapes.reset(info);
        this.shapes.forgetScale();
        this.log.reset();
        for (const warning of info.warnings) this.log.say('–', warning);
        this.plots.reset(info.columns);
        this.#measured = { ms: 0, due: 0 };
        await this.player.run(() => this.player.reset(info));
        this.stage.resize();
        this.stage.fit(this.shapes.box(), info);
        this.#fitted = true;
        this.layers.constraints.reset();
        this.#typesShown = '';
        this.layers.ghost.reset(this.shapes.shapes);
        fillScene(this.panel.page('Scene'), { info, source, change, buttons });
        await this.player.run(() => this.#fillSettings());
        fillLook(this.panel.page('Look'), { look: this.look, change: (name, is) => this.change(name, is) });
        this.#dirty = true;
        return info;
    }

    #fillSettings() {
        const { info, engine, player } = this;
        const changed = (name, value) => (this.changed[name] = value);
        return fillSettings(this.panel.page('Settings'), { info, engine, player, changed });
    }

    // ---- From frame to frame ----

    /** After a step, or after a jump, which has no result. */
    async #onFrame(result) {
        if (!result) this.hands.forget();
        find('#hash').textContent = await this.engine.hash();
        if (result) {
            this.log.events(this.player.frame, result.events);
            this.ms = this.ms ? 0.9 * this.ms + 0.1 * result.ms : result.ms;
            await this.#measure(result.ms);
        }
        await this.#show();
    }

    /** Statistics go through everything, so they are taken more rarely where that takes long. */
    async #measure(ms) {
        let values = null;
        if (--this.#measured.due <= 0) {
            const begin = performance.now();
            values = await this.engine.measure();
            this.#measured.ms = performance.now() - begin;
            this.#measured.due = Math.ceil(this.#measured.ms / 3);
            const asleep = this.info.columns.indexOf('asleep');
            if (asleep >= 0) this.log.asleep(this.player.frame, values[asleep]);
        }
        this.plots.add(values, { ms, draw: this.#drawn });
        if (this.panel.open && this.panel.shown === 'Plots') this.plots.draw();
    }

    /** Draws the world as it is. */
    async #show() {
        // Whatever the engine is asked first, since arrays of a frame are valid until it is asked again.
        const { look, layers } = this;
        const reach = this.stage.reach ?? 1;
        if (look.contacts) layers.contacts.update(await this.engine.contacts(), reach);
        if (look.constraints) await layers.constraints.update(this.engine, Math.min(reach, 3), look.graph);
        if (look.frames) layers.frames.update(await this.engine.axes(), 0.08 * reach);
        await this.hands.follow();
        // Values are those of particles, which surfaces have not got.
        const liquid = look.liquid && !units[look.colour];
        const pressed = look.colour === 'pressure';
        const contacts = pressed ? (await this.engine.contacts()).slice() : null;
        const frame = await this.engine.frame(pressed ? 0 : look.smooth, liquid);
        if (pressed) pressSurfaces(frame.shapes, contacts, 1 / this.info.fps);
        this.shapes.update(frame);
        if (look.normals) layers.normals.update(this.shapes.shapes, 0.03 * reach);
        this.#showLegend();
        this.#showTypes();
        this.#dirty = true;
        this.#draw();
    }

    #draw() {
        if (!this.#dirty) return;
        const begin = performance.now();
        this.#dirty = false;
        this.stage.draw();
        this.#drawn = performance.now() - begin;
        // When a scene was seen for the first time, for those who look at how the page loads.
        if (this.#fitted && !performance.getEntriesByName('first picture').length) performance.mark('first picture');
    }

    async #animate(now) {
        requestAnimationFrame((next) => this.#animate(next));
        const seconds = Math.min((now - this.#last) / 1000, 0.1);
        this.#last = now;
        if (find('#viewer').hidden) return;
        if (this.stage.controls.update()) this.#dirty = true;
        await this.player.tick(seconds);
        // What the graphics memory has is enough where the camera alone has moved.
        this.#draw();
    }

    // ---- What is shown beside ----

    #showTime() {
        const { player } = this;
        const seek = find('#seek');
        seek.max = Math.max(player.total, player.furthest);
        if (document.activeElement !== seek || player.playing) seek.value = player.frame;
        find('#play').classList.toggle('on', player.playing);
        find('#frame').textContent = `frame ${player.frame}`;
        find('#ms').textContent = this.ms ? `${this.ms.toFixed(1)} ms` : '';
    }

    #showLegend() {
        const unit = units[this.look.colour];
        find('#legend').hidden = !unit;
        if (!unit) return;
        const most = this.shapes.look.most * (unit === '%' ? 100 : 1);
        find('#legend-name').textContent = `${this.look.colour}  0`;
        find('#legend-scale').style.background = gradient();
        find('#legend-most').textContent = `${Number(most.toPrecision(2))} ${unit}`;
    }

    /** Which colour is which type of constraint. */
    #showTypes() {
        find('#types').hidden = !this.look.constraints;
        if (!this.look.constraints) return;
        const { present } = this.layers.constraints;
        const { graph } = this.look;
        const text = `${graph} ${present.map(({ name, count }) => `${name} ${count}`)}`;
        if (this.#typesShown === text) return;
        this.#typesShown = text;
        const line = ({ name, count, colour, object }) => {
            const mark = make('i');
            mark.style.background = graph ? 'none' : colour;
            const item = make('li', { title: 'show or hide' }, mark, `${name.replaceAll('_', ' ')} (${count})`);
            item.classList.toggle('off', !object.visible);
            item.addEventListener('click', () => {
                object.visible = !object.visible;
                item.classList.toggle('off', !object.visible);
                this.#dirty = true;
            });
            return item;
        };
        find('#types').classList.toggle('many', present.length > 6);
        find('#types').replaceChildren(...present.map(line));
    }
    #typesShown = '';

    say(sentence) {
        const note = find('#note');
        note.textContent = sentence;
        note.hidden = false;
        clearTimeout(this.noteTimer);
        this.noteTimer = setTimeout(() => (note.hidden = true), 4000);
    }

    // ---- What keys and buttons do ----

    setTheme(name) {
        this.stage.setTheme(name);
        this.#dirty = true;
        this.plots.draw();
    }

    setTool(name) {
        this.hands.tool = name;
        for (const button of document.querySelectorAll('[data-tool]'))
            button.setAttribute('aria-pressed', String(button.dataset.tool === name));
        find('#canvas').style.cursor = name === 'cut' ? 'crosshair' : '';
    }

    /** While a slider moves, the last of the frames it asked for is the one that counts. */
    async #seekTo(frame) {
        this.#wanted = frame;
        if (this.#seeking) return;
        this.#seeking = true;
        while (this.#wanted !== null) {
            const next = this.#wanted;
            this.#wanted = null;
            await this.player.seek(next);
        }
        this.#seeking = false;
    }
    #wanted = null;
    #seeking = false;

    /** Back to before what hands did last. */
    async undo() {
        const frame = this.hands.acted.pop();
        if (frame === undefined) this.say('There is nothing to undo.');
        else await this.player.seek(Math.min(frame, this.player.frame));
    }

    faster(by) {
        const select = find('#speed');
        const index = Math.min(Math.max(select.selectedIndex + by, 0), select.options.length - 1);
        select.selectedIndex = index;
        this.player.speed = Number(select.value);
    }

    nextColour() {
        this.change('colour', colours[(colours.indexOf(this.look.colour) + 1) % colours.length]);
    }

    change(name, value) {
        this.look[name] = value;
        Object.assign(this.shapes.look, { wireframe: this.look.wireframe, colour: this.look.colour });
        for (const [key, { object }] of Object.entries(this.layers)) object.visible = this.look[key];
        this.stage.ground.visible = this.look.ground;
        this.stage.sun.castShadow = this.look.shadows && this.stage.quality === 'high';
        fillLook(this.panel.page('Look'), { look: this.look, change: (key, is) => this.change(key, is) });
        return this.player.run(() => this.#show());
    }

    savePicture() {
        return this.player.run(async () => {
            await this.#show();
            savePicture(this.stage, `${this.name}-${this.player.frame}`);
        });
    }

    toggleVideo() {
        try {
            this.recorder.toggle(this.name);
        } catch (error) {
            this.say(error.message);
        }
    }
}
