/** Hair: strands that are thinner than a pixel, as lines which are lit along their direction. */
import * as THREE from 'three';
import { colourOf, values, writeColour } from './colours.js';

const MANY = 2000;
const FINE = 0.002;
const SUN = new THREE.Vector3(0.4, 0.8, 0.45).normalize();

/** Whether a shape is so many and so thin lines that tubes would be dots. */
export const areStrands = ({ lines, radii, vertexCount }) => Boolean(lines?.length) && vertexCount > MANY && !(radii?.[0] > FINE);

export class Strands {
    constructor(shape) {
        this.topology = shape.topology;
        const geometry = new THREE.BufferGeometry();
        for (const name of ['position', 'color'])
            geometry.setAttribute(name, new THREE.BufferAttribute(new Float32Array(3 * shape.vertexCount), 3));
        geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(shape.lines), 1));
        this.object = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ vertexColors: true }));
        this.object.frustumCulled = false;
    }

    update(shape, index, look) {
        const { position, color } = this.object.geometry.attributes;
        const { positions, lines } = shape;
        position.array.set(positions);
        const value = values[look.colour]?.(shape);
        const plain = colourOf(look.colour === 'body' ? {} : shape, index);
        const shade = [...plain];
        for (let k = 0; k < lines.length; k += 2) {
            const [i, j] = [lines[k], lines[k + 1]];
            const [x, y, z] = [0, 1, 2].map((axis) => positions[3 * j + axis] - positions[3 * i + axis]);
            // A strand is brightest where light comes from its side.
            const along = (x * SUN.x + y * SUN.y + z * SUN.z) / (Math.hypot(x, y, z) || 1);
            const light = 0.7 + 1.3 * Math.sqrt(Math.max(1 - along * along, 0)) ** 3;
            if (value) writeColour(shade, 0, value(i) / look.most);
            for (const vertex of [i, j])
                for (let axis = 0; axis < 3; axis++) color.array[3 * vertex + axis] = value ? shade[axis] : light * plain[axis];
        }
        position.needsUpdate = color.needsUpdate = true;
    }

    dispose() {
        this.object.geometry.dispose();
        this.object.material.dispose();
    }
}
