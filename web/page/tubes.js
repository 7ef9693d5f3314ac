/** Ropes, rods and particles: a cylinder for each segment and a ball for each vertex. */
import * as THREE from 'three';
import { colourOf, values, writeColour } from './colours.js';

const UP = new THREE.Vector3(0, 1, 0);
const THIN = 0.006;

export class Tubes {
    constructor(shape, quality) {
        this.topology = shape.topology;
        this.object = new THREE.Group();
        const material =
            quality === 'high'
                ? new THREE.MeshStandardMaterial({ roughness: 0.6 })
                : new THREE.MeshLambertMaterial();
        const detail = shape.vertexCount > 2000 ? 1 : 3;
        const ball = new THREE.IcosahedronGeometry(1, detail);
        this.balls = this.#instances(ball, material, shape.vertexCount);
        if (shape.lines) {
            const rod = new THREE.CylinderGeometry(1, 1, 1, 14, 1, true);
            this.rods = this.#instances(rod, material, shape.lines.length / 2);
        }
    }

    #instances(geometry, material, count) {
        const mesh = new THREE.InstancedMesh(geometry, material, Math.max(count, 1));
        mesh.count = count;
        mesh.frustumCulled = false;
        mesh.castShadow = mesh.receiveShadow = true;
        this.object.add(mesh);
        return mesh;
    }

    update(shape, index, look) {
        const value = values[look.colour]?.(shape);
        const plain = new THREE.Color().setRGB(...colourOf(look.colour === 'body' ? {} : shape, index));
        const shade = [0, 0, 0];
        const colour = (i) => {
            if (!value) return plain;
            writeColour(shade, 0, value(i) / look.most);
            return new THREE.Color().setRGB(...shade);
        };
        this.#placeBalls(shape, colour);
        if (this.rods) this.#placeRods(shape, colour);
        this.balls.material.wireframe = look.wireframe;
        for (const mesh of this.object.children) {
            mesh.boundingSphere = null;
            mesh.instanceMatrix.needsUpdate = true;
            if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
        }
    }

    #placeBalls(shape, colour) {
        const matrix = new THREE.Matrix4();
        for (let i = 0; i < shape.vertexCount; i++) {
            const radius = shape.radii?.[i] || THIN;
            matrix.makeScale(radius, radius, radius);
            matrix.setPosition(...shape.positions.subarray(3 * i, 3 * i + 3));
            this.balls.setMatrixAt(i, matrix);
            this.balls.setColorAt(i, colour(i));
        }
    }

    #placeRods(shape, colour) {
        const [a, b, along] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
        const turn = new THREE.Quaternion();
        const matrix = new THREE.Matrix4();
        for (let k = 0; k < shape.lines.length / 2; k++) {
            const [i, j] = [shape.lines[2 * k], shape.lines[2 * k + 1]];
            a.fromArray(shape.positions, 3 * i);
            b.fromArray(shape.positions, 3 * j);
            along.subVectors(b, a);
            const length = along.length();
            const radius = shape.radii?.[i] || THIN;
            turn.setFromUnitVectors(UP, length > 0 ? along.divideScalar(length) : UP);
            a.add(b).multiplyScalar(0.5);
            matrix.compose(a, turn, new THREE.Vector3(radius, length, radius));
            this.rods.setMatrixAt(k, matrix);
            this.rods.setColorAt(k, colour(i));
        }
    }

    dispose() {
        for (const mesh of this.object.children) {
            mesh.geometry.dispose();
            mesh.material.dispose();
            mesh.dispose();
        }
    }
}
