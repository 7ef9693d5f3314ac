/**
 * Time: playing, pausing, single steps, slow motion, and going back. Snapshots are kept on the way,
 * as many as there is room for; a frame without one is computed again from the one before it, in
 * which what hands did is not repeated.
 */
const ROOM = 256e6;

export class Player {
    playing = false;
    speed = 1;
    frame = 0;
    busy = false;
    #engine;
    #kept = [];
    #bytes = 0;
    #every = 1;
    #owed = 0;
    #queue = Promise.resolve();

    constructor(engine) {
        this.#engine = engine;
        /** Called after every frame with what the step gave, or null after a jump. */
        this.onframe = async () => {};
        this.onchange = () => {};
        this.onerror = () => {};
        /** Asked before every step, so that hands move. */
        this.before = async () => {};
    }

    /** One thing after the other, whoever asks. */
    run(action) {
        const done = this.#queue.then(action);
        this.#queue = done.catch(() => {});
        return done;
    }

    async reset(info) {
        this.fps = info.fps;
        this.total = info.frames;
        this.last = info.playback ? info.frames : Infinity;
        this.frame = 0;
        this.#kept = [];
        this.#bytes = 0;
        this.#every = 1;
        await this.#keep();
        await this.onframe(null);
        this.onchange();
    }

    get furthest() {
        return Math.max(this.frame, this.#kept.at(-1)?.frame ?? 0);
    }

    async #keep() {
        if (this.frame % this.#every !== 0) return;
        const bytes = await this.#engine.save();
        this.#kept.push({ frame: this.frame, bytes });
        this.#bytes += bytes.length;
        // Twice as far apart is half as much.
        while (this.#bytes > ROOM && this.#kept.length > 2) {
            this.#every *= 2;
            this.#kept = this.#kept.filter(({ frame }) => frame % this.#every === 0);
            this.#bytes = this.#kept.reduce((sum, kept) => sum + kept.bytes.length, 0);
        }
    }

    async #advance() {
        // What was after this is not what comes now.
        while (this.#kept.length && this.#kept.at(-1).frame > this.frame)
            this.#bytes -= this.#kept.pop().bytes.length;
        await this.before(1 / this.fps);
        const result = await this.#engine.step();
        this.frame++;
        await this.#keep();
        return result;
    }

    /** Frames that are due after so many seconds. A slow engine makes time slow, and skips nothing. */
    async tick(seconds) {
        if (!this.playing || this.busy) return;
        if (this.frame >= this.last) return this.pause();
        this.#owed = Math.min(this.#owed + seconds * this.speed * this.fps, 3);
        if (this.#owed < 1) return;
        this.busy = true;
        const begin = performance.now();
        try {
            await this.run(async () => {
                while (this.#owed >= 1 && this.playing && this.frame < this.last && performance.now() - begin < 25) {
                    this.#owed -= 1;
                    await this.onframe(await this.#advance());
                }
            });
        } catch (error) {
            this.pause();
            this.onerror(error);
        }
        this.#owed = Math.min(this.#owed, 1);
        this.busy = false;
        this.onchange();
    }

    /** What has come to its end begins again. */
    async play() {
        if (this.frame >= this.last) await this.seek(0);
        this.playing = true;
        this.#owed = 1;
        this.onchange();
    }

    pause() {
        this.playing = false;
        this.onchange();
    }

    toggle() {
        if (this.playing) this.pause();
        else this.play();
    }

    async step(count = 1) {
        this.pause();
        await this.run(async () => {
            for (let i = 0; i < count && this.frame < this.last; i++) await this.onframe(await this.#advance());
        });
        this.onchange();
    }

    /** Goes to a frame, back or on; to the present one as it was before hands did anything. */
    async seek(frame) {
        this.pause();
        await this.run(async () => {
            if (frame <= this.frame) {
                const kept = this.#kept.findLast((one) => one.frame <= frame);
                await this.#engine.restore(kept.bytes);
                this.frame = kept.frame;
            } else if (frame > this.frame) {
                const kept = this.#kept.findLast((one) => one.frame <= frame);
                if (kept && kept.frame > this.frame) {
                    await this.#engine.restore(kept.bytes);
                    this.frame = kept.frame;
                }
            }
            while (this.frame < frame) {
                await this.before(1 / this.fps);
                await this.#engine.step();
                this.frame++;
            }
            await this.onframe(null);
        });
        this.onchange();
    }
}
