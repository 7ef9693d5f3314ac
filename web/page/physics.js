/** What is behind surfaces: constraints by type, frames of oriented nodes, and where all began. */
import * as THREE from 'three';
import { distinct, graphColour } from './colours.js';

/** So many constraints of a type are drawn as rods. */
const FEW = 200;
const UP = new THREE.Vector3(0, 1, 0);
const axisColours = [0xd43d3d, 0x3aa655, 0x3d6fd4];

/** A line material that is seen through what lies before it. */
const lines = (color, opacity = 1) =>
    new THREE.LineBasicMaterial({ color, opacity, transparent: opacity < 1, depthTest: false });

function replace(geometry, array) {
    geometry.deleteAttribute('position');
    geometry.setAttribute('position', new THREE.BufferAttribute(array, 3));
}

const WHITE = new THREE.Color(1, 1, 1);

class Lines {
    constructor(colour, opacity) {
        this.colour = new THREE.Color(colour);
        this.object = new THREE.LineSegments(new THREE.BufferGeometry(), lines(colour, opacity));
        this.object.frustumCulled = false;
        this.object.renderOrder = 1;
    }

    /** Arrays of the engine move; what is drawn is a copy. With numbers of the graph, in their colours. */
    update(array, radius = 0, numbers = null) {
        const { geometry, material } = this.object;
        replace(geometry, array.slice());
        if (material.vertexColors !== Boolean(numbers)) {
            material.vertexColors = Boolean(numbers);
            material.color.copy(numbers ? WHITE : this.colour);
            material.needsUpdate = true;
        }
        if (!numbers) return;
        const shades = new Float32Array(6 * numbers.length);
        numbers.forEach((number, i) => {
            const shade = graphColour(number);
            shades.set(shade, 6 * i);
            shades.set(shade, 6 * i + 3);
        });
        geometry.setAttribute('color', new THREE.BufferAttribute(shades, 3));
    }

    dispose() {
        this.object.geometry.dispose();
        this.object.material.dispose();
    }
}

/** Few lines as thin rods, which are seen where a line of a pixel would not be. */
class Rods {
    #mesh = null;
    object = new THREE.Group();

    constructor(colour) {
        this.colour = colour;
        this.material = new THREE.MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.9 });
    }

    update(array, radius, numbers = null) {
        const count = array.length / 6;
        const shade = new THREE.Color();
        if (!this.#mesh || this.#mesh.instanceMatrix.count < count) this.#make(Math.max(2 * count, 16));
        const [from, to, way] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
        const [turn, size, matrix] = [new THREE.Quaternion(), new THREE.Vector3(), new THREE.Matrix4()];
        for (let i = 0; i < count; i++) {
            from.fromArray(array, 6 * i);
            to.fromArray(array, 6 * i + 3);
            const length = way.subVectors(to, from).length();
            turn.setFromUnitVectors(UP, length > 0 ? way.divideScalar(length) : UP);
            matrix.compose(from.add(to).multiplyScalar(0.5), turn, size.set(radius, length, radius));
            this.#mesh.setMatrixAt(i, matrix);
            this.#mesh.setColorAt(i, numbers ? shade.setRGB(...graphColour(numbers[i])) : this.colour);
        }
        if (count) this.#mesh.instanceColor.needsUpdate = true;
        this.#mesh.count = count;
        this.#mesh.instanceMatrix.needsUpdate = true;
    }

    #make(room) {
        this.#free();
        this.#mesh = new THREE.InstancedMesh(new THREE.CylinderGeometry(1, 1, 1, 6), this.material, room);
        this.#mesh.frustumCulled = false;
        this.#mesh.renderOrder = 1;
        this.object.add(this.#mesh);
    }

    #free() {
        this.object.clear();
        this.#mesh?.geometry.dispose();
        this.#mesh?.dispose();
    }

    dispose() {
        this.#free();
        this.material.dispose();
    }
}

/** Constraints as lines between their nodes, a colour for each type. */
export class Links {
    object = new THREE.Group();
    #types = new Map();

    /** The types of a scene; colours stay with their types as long as it runs. */
    reset() {
        for (const { drawn } of this.#types.values()) drawn.dispose();
        this.#types.clear();
        this.object.clear();
    }

    /** By type, or with `graph` in the colours of the graph. */
    async update(engine, reach, graph) {
        const present = await engine.types();
        for (const { type, name, count } of present) {
            if (!this.#types.has(type)) {
                const colour = new THREE.Color(...distinct(this.#types.size));
                const drawn = count > FEW ? new Lines(colour, 0.7) : new Rods(colour);
                this.object.add(drawn.object);
                this.#types.set(type, { name, drawn, colour });
            }
            const { lines: list, colours } = await engine.links(type);
            this.#types.get(type).drawn.update(list, 0.004 * reach, graph ? colours : null);
        }
        this.present = present.map(({ type, name, count }) => {
            const { drawn, colour } = this.#types.get(type);
            return { name, count, colour: colour.getStyle(), object: drawn.object };
        });
    }
}

/** The frames of oriented nodes: three axes each. */
export class Frames {
    object = new THREE.Group();
    #axes = axisColours.map((colour) => new Lines(colour));

    constructor() {
        this.object.add(...this.#axes.map(({ object }) => object));
    }

    update(list, length) {
        const count = list.length / 7;
        const [at, tip, turn] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Quaternion()];
        const ends = this.#axes.map(() => new Float32Array(6 * count));
        for (let i = 0; i < count; i++) {
            at.fromArray(list, 7 * i);
            turn.fromArray(list, 7 * i + 3);
            ends.forEach((array, k) => {
                tip.set(0, 0, 0).setComponent(k, length).applyQuaternion(turn).add(at);
                at.toArray(array, 6 * i);
                tip.toArray(array, 6 * i + 3);
            });
        }
        this.#axes.forEach((axis, k) => axis.update(ends[k]));
    }
}

/** Bodies as they were at the beginning, as edges that everything is seen through. */
export class Ghost {
    object = new THREE.Group();
    #material = lines(0x8a94a0, 0.35);

    reset(shapes) {
        for (const child of this.object.children) child.geometry.dispose();
        this.object.clear();
        for (const shape of shapes.filter(({ body }) => body >= 0)) {
            const geometry = new THREE.BufferGeometry();
            geometry.setAttribute('position', new THREE.BufferAttribute(shape.positions.slice(), 3));
            if (shape.triangles) geometry.setIndex(new THREE.BufferAttribute(shape.triangles.slice(), 1));
            else if (shape.lines) geometry.setIndex(new THREE.BufferAttribute(shape.lines.slice(), 1));
            const edges = shape.triangles ? new THREE.WireframeGeometry(geometry) : geometry;
            this.object.add(new THREE.LineSegments(edges, this.#material));
        }
    }
}

/** Normals of surfaces, a line for every vertex. */
export class Normals {
    #lines = new Lines(0x2aa198);
    object = this.#lines.object;

    update(shapes, length) {
        const drawn = shapes.filter(({ normals, body }) => normals && body >= 0);
        const ends = new Float32Array(6 * drawn.reduce((sum, shape) => sum + shape.vertexCount, 0));
        let at = 0;
        for (const { positions, normals, vertexCount } of drawn)
            for (let i = 0; i < vertexCount; i++, at += 6)
                for (let k = 0; k < 3; k++) {
                    ends[at + k] = positions[3 * i + k];
                    ends[at + 3 + k] = positions[3 * i + k] + length * normals[3 * i + k];
                }
        this.#lines.update(ends);
    }
}
