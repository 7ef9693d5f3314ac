/**
 * Pressure of contacts on surfaces: the part of each force along the normal goes to the nearest vertex, and is over
 * the area about that, a third of its triangles. In Pa.
 */

/** Of every vertex, m^2, and how long an edge is about, m. */
function areasOf({ positions, triangles, vertexCount }) {
    const areas = new Float32Array(vertexCount);
    let sum = 0;
    for (let t = 0; t < triangles.length; t += 3) {
        const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
        const u = [0, 1, 2].map((k) => positions[b + k] - positions[a + k]);
        const v = [0, 1, 2].map((k) => positions[c + k] - positions[a + k]);
        const area = 0.5 * Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
        sum += area;
        for (let k = 0; k < 3; k++) areas[triangles[t + k]] += area / 3;
    }
    return { areas, edge: Math.sqrt((2.3 * sum) / Math.max(triangles.length / 3, 1)) };
}

/** Vertices by cells of space, in which the nearest one is found. */
class Cells {
    #cells = new Map();

    constructor({ positions, vertexCount }, size) {
        this.positions = positions;
        this.size = size;
        for (let i = 0; i < vertexCount; i++) {
            const key = this.#cell(positions.subarray(3 * i, 3 * i + 3)).join();
            if (!this.#cells.has(key)) this.#cells.set(key, []);
            this.#cells.get(key).push(i);
        }
    }

    #cell(point) {
        return [0, 1, 2].map((k) => Math.floor(point[k] / this.size));
    }

    /** The vertex that is nearest to a point, within the size of a cell; -1 where there is none. */
    nearest(point) {
        const [x, y, z] = this.#cell(point);
        let [found, least] = [-1, this.size];
        for (let n = 0; n < 27; n++) {
            const key = [x + (n % 3) - 1, y + (Math.floor(n / 3) % 3) - 1, z + Math.floor(n / 9) - 1].join();
            for (const i of this.#cells.get(key) ?? []) {
                const far = Math.hypot(...[0, 1, 2].map((k) => this.positions[3 * i + k] - point[k]));
                if (far < least) [found, least] = [i, far];
            }
        }
        return found;
    }
}

/** Gives every surface of a body its `pressure`; `contacts` are points and impulses of a step of so many seconds. */
export function pressSurfaces(shapes, contacts, seconds) {
    for (const shape of shapes) {
        if (!shape.triangles || !shape.normals || shape.body < 0) continue;
        const pressure = (shape.pressure = new Float32Array(shape.vertexCount));
        if (!contacts.length) continue;
        const { areas, edge } = areasOf(shape);
        const cells = new Cells(shape, Math.max(1.5 * edge, 1e-6));
        for (let c = 0; c < contacts.length; c += 6) {
            const i = cells.nearest(contacts.subarray(c, c + 3));
            if (i < 0 || !areas[i]) continue;
            let along = 0;
            for (let k = 0; k < 3; k++) along += contacts[c + 3 + k] * shape.normals[3 * i + k];
            pressure[i] += Math.abs(along) / seconds / areas[i];
        }
    }
}
