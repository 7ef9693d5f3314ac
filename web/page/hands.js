/**
 * Pointers: a mouse or fingers take hold of what is under them and pull it about in the plane that
 * faces the camera; elsewhere they turn the view. With other tools they pin, cut or drop balls.
 */
import * as THREE from 'three';

/** m/s of the pointer above which letting go is throwing. */
const THROW = 1.2;

export class Hands {
    tool = 'grab';
    /** The frames at which hands did something, for undoing it. */
    acted = [];
    #held = new Map();
    #stroke = null;

    constructor({ stage, shapes, engine, player, overlay, say }) {
        Object.assign(this, { stage, shapes, engine, player, overlay, say });
        /** Called after what changed the world. */
        this.onchange = async () => {};
        /** Called when a line between hand and body is gone. */
        this.onlines = () => {};
        this.lines = new THREE.Group();
        const canvas = stage.renderer.domElement;
        canvas.addEventListener('pointerdown', (event) => this.#down(event), { capture: true });
        canvas.addEventListener('pointermove', (event) => this.#move(event));
        for (const name of ['pointerup', 'pointercancel'])
            canvas.addEventListener(name, (event) => this.#up(event));
        canvas.addEventListener('pointermove', (event) => this.#hover(event));
    }

    /** m per m of distance within which thin things are hit: some pixels, more for a finger. */
    #tolerance(event) {
        const pixels = event.pointerType === 'touch' ? 18 : 6;
        const high = this.stage.renderer.domElement.clientHeight;
        return (pixels * 2 * Math.tan((this.stage.camera.fov * Math.PI) / 360)) / high;
    }

    #meets(caster, event) {
        const distance = this.stage.camera.position.distanceTo(this.stage.controls.target);
        return this.shapes.meets(caster, this.#tolerance(event) * distance);
    }

    #hover(event) {
        if (event.buttons || event.pointerType === 'touch' || this.tool === 'cut') return;
        const now = performance.now();
        if (now - (this.#looked ?? 0) < 120) return;
        this.#looked = now;
        const over = this.#meets(this.stage.ray(event.clientX, event.clientY), event);
        this.stage.renderer.domElement.style.cursor = over ? 'grab' : '';
    }
    #looked = 0;

    #down(event) {
        if (event.button !== 0 || event.shiftKey || event.ctrlKey) return;
        const caster = this.stage.ray(event.clientX, event.clientY);
        if (this.tool === 'cut') {
            this.#lock(event);
            this.#stroke = {
                id: event.pointerId,
                ray: caster.ray.clone(),
                points: [],
                frame: this.player.frame,
            };
            return;
        }
        if (this.tool === 'ball') {
            this.#lock(event);
            this.#dropBall(caster.ray);
            return;
        }
        if (!this.#meets(caster, event)) return;
        this.#lock(event);
        const { origin, direction } = caster.ray;
        const ray = [origin.toArray(), direction.toArray(), this.#tolerance(event)];
        if (this.tool === 'pin') this.#pin(ray);
        else this.#take(event.pointerId, ray);
    }

    /** The view stays while a pointer is busy. */
    #lock(event) {
        this.stage.controls.enabled = false;
        try {
            this.stage.renderer.domElement.setPointerCapture(event.pointerId);
        } catch {
            // A pointer that is gone already has nothing to be captured.
        }
        event.stopImmediatePropagation();
    }

    #unlock() {
        if (this.#held.size === 0 && !this.#stroke) this.stage.controls.enabled = true;
    }

    // ---- Grabbing ----

    #take(id, ray) {
        const held = { hand: -1, gone: false, path: [] };
        this.#held.set(id, held);
        this.player.run(async () => {
            const taken = await this.engine.take(...ray);
            if (!taken || held.gone) {
                if (taken) await this.engine.release(taken.hand, null);
                this.#held.delete(id);
                this.#unlock();
                return;
            }
            const point = new THREE.Vector3(...taken.point);
            const facing = this.stage.camera.getWorldDirection(new THREE.Vector3());
            this.acted.push(this.player.frame);
            held.plane = new THREE.Plane().setFromNormalAndCoplanarPoint(facing, point);
            held.target = point;
            held.kind = taken.kind;
            held.hand = taken.hand;
            held.line = this.#makeLine();
            this.stage.renderer.domElement.style.cursor = 'grabbing';
        });
    }

    #makeLine() {
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(6), 3));
        const material = new THREE.LineBasicMaterial({ color: 0xff7a1a, depthTest: false });
        const line = new THREE.Line(geometry, material);
        line.frustumCulled = false;
        line.renderOrder = 2;
        line.visible = false;
        this.lines.add(line);
        return line;
    }

    #move(event) {
        if (this.#stroke?.id === event.pointerId) this.#cut(event);
        const held = this.#held.get(event.pointerId);
        if (!held?.plane) return;
        const { ray } = this.stage.ray(event.clientX, event.clientY);
        const target = ray.intersectPlane(held.plane, new THREE.Vector3());
        if (!target) return;
        held.target = target;
        held.path.push({ at: target.clone(), time: performance.now() });
        if (held.path.length > 6) held.path.shift();
    }

    /** Where all hands go in the next step; asked before each. */
    async send() {
        for (const held of this.#held.values())
            if (held.hand >= 0) await this.engine.move(held.hand, held.target.toArray());
    }

    /** Lines from what is held to the pointer. */
    async follow() {
        for (const held of this.#held.values()) {
            if (held.hand < 0 || held.kind !== 'body') continue;
            const point = await this.engine.held(held.hand);
            held.line.visible = Boolean(point);
            if (!point) continue;
            const { position } = held.line.geometry.attributes;
            position.array.set([...point, ...held.target.toArray()]);
            position.needsUpdate = true;
        }
    }

    /** m/s of a pointer over the last tenth of a second; null where it stood. */
    #velocity(path) {
        const now = performance.now();
        const recent = path.filter(({ time }) => now - time < 120);
        if (recent.length < 2) return null;
        const [first, last] = [recent[0], recent.at(-1)];
        const seconds = Math.max((now - first.time) / 1000, 0.01);
        const velocity = last.at.clone().sub(first.at).divideScalar(seconds);
        return velocity.length() > THROW ? velocity.clampLength(0, 12).toArray() : null;
    }

    #up(event) {
        const held = this.#held.get(event.pointerId);
        if (this.#stroke?.id === event.pointerId) this.#endStroke();
        if (held) {
            this.#held.delete(event.pointerId);
            this.#letGo(held);
        }
        this.stage.renderer.domElement.style.cursor = '';
        this.#unlock();
    }

    #letGo(held) {
        held.gone = true;
        if (held.line) {
            this.lines.remove(held.line);
            held.line.geometry.dispose();
            held.line.material.dispose();
            this.onlines();
        }
        if (held.hand < 0) return;
        const velocity = this.player.playing ? this.#velocity(held.path) : null;
        this.player.run(() => this.engine.release(held.hand, velocity));
    }

    /** After a jump in time hands hold nothing. */
    forget() {
        for (const held of this.#held.values()) {
            held.hand = -1;
            this.#letGo(held);
        }
        this.#held.clear();
        this.#unlock();
    }

    get busy() {
        return this.#held.size > 0;
    }

    // ---- Other tools ----

    #pin(ray) {
        this.player.run(async () => {
            const done = await this.engine.togglePin(...ray);
            if (done) this.acted.push(this.player.frame);
            if (done) this.say(done === 'pinned' ? 'A node is pinned.' : 'A node is let go.');
            await this.onchange();
        });
    }

    #dropBall({ origin, direction }) {
        const reach = this.stage.reach;
        const away = this.stage.camera.position.distanceTo(this.stage.controls.target);
        const at = origin.clone().addScaledVector(direction, Math.max(away - 0.6 * reach, 0.2 * away));
        const velocity = direction.clone().multiplyScalar(1.5 * Math.sqrt(reach));
        this.player.run(async () => {
            this.acted.push(this.player.frame);
            await this.engine.dropBall(at.toArray(), velocity.toArray(), 0.09 * reach);
            this.say('The ball meets colliders, and bodies that have a collision surface.');
            await this.onchange();
        });
    }

    #cut(event) {
        const stroke = this.#stroke;
        const { ray } = this.stage.ray(event.clientX, event.clientY);
        const from = stroke.ray.direction.toArray();
        if (ray.direction.angleTo(stroke.ray.direction) < 0.004) return;
        stroke.points.push([event.offsetX, event.offsetY]);
        this.overlay.setAttribute('points', stroke.points.map((p) => p.join(',')).join(' '));
        stroke.ray = ray.clone();
        const reach = 20 * this.stage.reach;
        this.player.run(async () => {
            try {
                const eye = ray.origin.toArray();
                stroke.copies = (stroke.copies ?? 0) + (await this.engine.cut(eye, from, ray.direction.toArray(), reach));
                await this.onchange();
            } catch (error) {
                stroke.refused = error.message;
            }
        });
    }

    #endStroke() {
        const stroke = this.#stroke;
        this.#stroke = null;
        this.player.run(async () => {
            this.overlay.setAttribute('points', '');
            if (stroke.copies) this.acted.push(stroke.frame);
            if (stroke.refused) this.say(stroke.refused);
            else if (stroke.copies) this.say(`The cut made ${stroke.copies} nodes.`);
        });
    }
}
