/** Contacts as points, with lines for the forces that they have. */
import * as THREE from 'three';

export class Contacts {
    constructor() {
        this.object = new THREE.Group();
        this.points = new THREE.Points(
            new THREE.BufferGeometry(),
            new THREE.PointsMaterial({ color: 0xff5a36, size: 5, sizeAttenuation: false, depthTest: false })
        );
        this.lines = new THREE.LineSegments(
            new THREE.BufferGeometry(),
            new THREE.LineBasicMaterial({ color: 0xffb02e, depthTest: false })
        );
        this.object.add(this.points, this.lines);
        for (const part of this.object.children) {
            part.frustumCulled = false;
            part.renderOrder = 1;
        }
        this.object.visible = false;
    }

    /** `list` has point and impulse of each; the longest line is a tenth of the scene. */
    update(list, reach) {
        const count = list.length / 6;
        const [points, ends] = [new Float32Array(3 * count), new Float32Array(6 * count)];
        let most = 1e-12;
        for (let i = 0; i < count; i++)
            most = Math.max(most, Math.hypot(list[6 * i + 3], list[6 * i + 4], list[6 * i + 5]));
        for (let i = 0; i < count; i++)
            for (let k = 0; k < 3; k++) {
                points[3 * i + k] = ends[6 * i + k] = list[6 * i + k];
                ends[6 * i + 3 + k] = list[6 * i + k] + (0.3 * reach * list[6 * i + 3 + k]) / most;
            }
        this.#set(this.points.geometry, points);
        this.#set(this.lines.geometry, ends);
    }

    #set(geometry, array) {
        geometry.deleteAttribute('position');
        geometry.setAttribute('position', new THREE.BufferAttribute(array, 3));
    }
}
