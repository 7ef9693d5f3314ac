/**
 * The engine as the page sees it. Everything is asked with `await`, so that one which runs elsewhere
 * can take the place of the one in the page: it has the same methods, and gives frames whose arrays
 * came over a wire. `features` says what it can do; the page hides the rest.
 *
 * @typedef {object} Source
 * @property {string} name     of the scene file, such as "cloth.json"
 * @property {string} text     of the scene
 * @property {Uint8Array} [content]  of a cache or recording, in place of a text
 * @property {Record<string, Uint8Array>} files  that the scene names
 * @property {Record<string, string>} sets       parameters that are not as the scene has them
 */
import { load, MissingPart } from '../package/sinew.js';

/** The page itself has one; more than eight gain little. */
function threadsOfPage() {
    return Math.min(navigator.hardwareConcurrency ?? 1, 8);
}

/** The module in this page. */
export class LocalEngine {
    features = { hands: true, settings: true, snapshots: true };
    where = 'in this page';
    threads = 1;
    #sinew = null;
    #scene = null;
    #loading = null;
    #source = null;

    /** Loads the module, once; where that fails, the next who asks tries again. */
    async start() {
        this.#loading ??= load(undefined, { threads: threadsOfPage() });
        try {
            this.#sinew = await this.#loading;
            this.threads = this.#sinew.threads;
            if (this.threads > 1) this.where = `in this page, by ${this.threads} threads`;
        } catch (error) {
            this.#loading = null;
            throw error;
        }
    }

    /** Opens a scene in place of the last one, which stays where this one is broken. */
    async open(source) {
        await this.start();
        const { name, text, content, files, sets } = source;
        const scene = await this.#whole(() => this.#sinew.open(content ?? text, { name, files, sets }));
        this.#scene?.close();
        this.#scene = scene;
        this.#source = source;
        return { ...scene.info, warnings: scene.warnings };
    }

    /** What is asked of the module, and again with its second part where that is wanted. */
    async #whole(ask, again = ask) {
        try {
            return ask();
        } catch (error) {
            if (!(error instanceof MissingPart)) throw error;
            await this.#sinew.complete();
            return again();
        }
    }

    /** Comes to a frame from the beginning: a step that was broken off has left half of itself. */
    async #begin(frame) {
        await this.open(this.#source);
        while (this.#scene.frameNumber < frame) this.#scene.step();
    }

    async close() {
        this.#scene?.close();
        this.#scene = null;
    }

    /** Simulates a frame: how long that took, and what happened in it. */
    async step() {
        const begin = performance.now();
        const next = this.#scene.frameNumber + 1;
        await this.#whole(() => this.#scene.step(), () => this.#begin(next));
        return { ms: performance.now() - begin, events: this.#scene.events() };
    }

    async frame(smooth, liquid) {
        return this.#scene.frame({ smooth, liquid });
    }

    async hash() {
        return this.#scene.hash;
    }

    async measure() {
        return this.#scene.measure();
    }

    async contacts() {
        return this.#scene.contacts();
    }

    async types() {
        return this.#scene.types();
    }

    async links(type) {
        return this.#scene.colouredLinks(type);
    }

    async axes() {
        return this.#scene.axes();
    }

    async save() {
        return this.#scene.save();
    }

    async restore(bytes) {
        const again = async () => {
            await this.open(this.#source);
            this.#scene.restore(bytes);
        };
        await this.#whole(() => this.#scene.restore(bytes), again);
    }

    async take(origin, direction, tolerance) {
        return this.#scene.take(origin, direction, tolerance);
    }

    async move(hand, point) {
        return this.#scene.move(hand, point);
    }

    async held(hand) {
        return this.#scene.held(hand);
    }

    async release(hand, velocity) {
        this.#scene.release(hand, velocity);
    }

    async togglePin(origin, direction, tolerance) {
        return this.#scene.togglePin(origin, direction, tolerance);
    }

    async cut(eye, from, to, reach) {
        await this.#sinew.complete();
        return this.#scene.cut(eye, from, to, reach);
    }

    async dropBall(position, velocity, radius) {
        this.#scene.dropBall(position, velocity, radius);
    }

    async settings() {
        return this.#scene.settings();
    }

    async setSetting(number, value) {
        this.#scene.setSetting(number, value);
    }

    async bodyFields(body) {
        return this.#scene.bodyFields(body);
    }

    async setBodyField(body, type, name, value) {
        this.#scene.setBodyField(body, type, name, value);
    }
}
