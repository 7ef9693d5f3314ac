/**
 * Shapes of frames as objects of three.js. Positions and normals are handed over as they lie in the
 * memory of the engine; an object is made anew only when the topology of its shape changes.
 */
import * as THREE from 'three';
import { backOf, colourOf, values, writeColour, writeColours } from './colours.js';
import { Strands, areStrands } from './strands.js';
import { Tubes } from './tubes.js';

const EVERYWHERE = new THREE.Sphere(new THREE.Vector3(), Infinity);

/** Fabric scatters light at grazing angles, liquids mirror what is around; other things shine a little. */
function physical(kind) {
    const both = { side: THREE.DoubleSide, shadowSide: THREE.DoubleSide };
    if (kind === 'fluid') return new THREE.MeshPhysicalMaterial({ ...both, roughness: 0.06, ior: 1.33, specularIntensity: 1 });
    const cloth = kind === 'cloth';
    return new THREE.MeshPhysicalMaterial({
        ...both,
        roughness: cloth ? 0.85 : 0.5,
        sheen: cloth ? 0.4 : 0,
        sheenRoughness: 0.5,
        clearcoat: cloth ? 0 : 0.15,
        clearcoatRoughness: 0.4,
    });
}

/** Where the processor draws: as little as possible, but for the glints that show a liquid. */
function plain(kind) {
    if (kind === 'fluid') return new THREE.MeshPhongMaterial({ side: THREE.DoubleSide, shininess: 90, specular: 0x8899aa });
    return new THREE.MeshLambertMaterial({ side: THREE.DoubleSide });
}

/** A material with a colour for each side. */
function makeMaterial(kind, quality) {
    const material = quality === 'high' ? physical(kind) : plain(kind);
    material.userData.back = { value: new THREE.Color() };
    material.onBeforeCompile = (shader) => {
        shader.uniforms.back = material.userData.back;
        shader.fragmentShader = shader.fragmentShader
            .replace('void main() {', 'uniform vec3 back;\nvoid main() {')
            .replace('#include <color_fragment>', '')
            .replace(
                '#include <map_fragment>',
                `#ifdef USE_COLOR
                    diffuseColor.rgb = vColor;
                #else
                    if (!gl_FrontFacing) diffuseColor.rgb = back;
                #endif
                #include <map_fragment>`
            );
    };
    return material;
}

/** The image of a shape, a PNG file, as a texture that begins again after its size. */
async function makeTexture({ png, size }) {
    // Copied before anything is waited for: the memory of the engine may move.
    const file = new Blob([png.slice()], { type: 'image/png' });
    const texture = new THREE.Texture(await createImageBitmap(file, { imageOrientation: 'flipY' }));
    texture.flipY = false;
    texture.colorSpace = THREE.SRGBColorSpace;
    texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
    texture.anisotropy = 8;
    texture.repeat.set(1 / size, 1 / size);
    texture.needsUpdate = true;
    return texture;
}

class Surface {
    #texture = null;
    #painted = false;

    constructor(shape, kind, quality) {
        this.object = new THREE.Mesh(new THREE.BufferGeometry(), makeMaterial(kind, quality));
        this.object.frustumCulled = false;
        this.object.castShadow = this.object.receiveShadow = true;
        this.take(shape);
        if (shape.texture && shape.uvs)
            makeTexture(shape.texture).then(
                (texture) => (this.#texture = texture),
                () => console.warn(`${shape.name}: its texture cannot be shown`)
            );
    }

    /** Other triangles with the same look, as liquids and what tears have in every frame. */
    take(shape) {
        this.topology = shape.topology;
        const geometry = new THREE.BufferGeometry();
        // Wireframes are made from it later, when the memory of the engine may have moved.
        geometry.setIndex(new THREE.BufferAttribute(shape.triangles.slice(), 1));
        geometry.setAttribute('position', this.#attribute(shape.positions));
        geometry.setAttribute('normal', this.#attribute(shape.normals));
        if (shape.uvs) geometry.setAttribute('uv', new THREE.BufferAttribute(shape.uvs.slice(), 2));
        this.#painted = false;
        geometry.boundingSphere = EVERYWHERE;
        this.object.geometry.dispose();
        this.object.geometry = geometry;
    }

    #attribute(array) {
        return new THREE.BufferAttribute(array, 3).setUsage(THREE.DynamicDrawUsage);
    }

    update(shape, index, look) {
        const { geometry, material } = this.object;
        geometry.attributes.position.array = shape.positions;
        geometry.attributes.position.needsUpdate = true;
        geometry.attributes.normal.array = shape.normals;
        geometry.attributes.normal.needsUpdate = true;
        material.wireframe = look.wireframe;
        const value = values[look.colour]?.(shape);
        const paint = look.colour === 'scene' ? shape.colours : null;
        const map = look.colour === 'scene' && shape.uvs ? this.#texture : null;
        if (Boolean(value || paint) !== material.vertexColors || map !== material.map) {
            material.vertexColors = Boolean(value || paint);
            material.map = map;
            material.needsUpdate = true;
        }
        if (value) this.#colour(value, shape.vertexCount, look.most);
        else if (paint && !this.#painted) this.#paint(paint);
        const plain = look.colour === 'body' ? { colour: null, back: null } : shape;
        material.color.setRGB(...colourOf(plain, index));
        material.userData.back.value.setRGB(...backOf(plain, index));
    }

    /** Colours of vertices stay as long as the topology does. */
    #paint(colours) {
        const { geometry } = this.object;
        geometry.attributes.color ??= this.#attribute(new Float32Array(colours.length));
        writeColours(geometry.attributes.color.array, colours);
        geometry.attributes.color.needsUpdate = true;
        this.#painted = true;
    }

    #colour(value, count, most) {
        const { geometry } = this.object;
        this.#painted = false;
        geometry.attributes.color ??= this.#attribute(new Float32Array(3 * count));
        const { array } = geometry.attributes.color;
        for (let i = 0; i < count; i++) writeColour(array, 3 * i, value(i) / most);
        geometry.attributes.color.needsUpdate = true;
    }

    dispose() {
        this.#texture?.dispose();
        this.object.geometry.dispose();
        this.object.material.dispose();
    }
}

function boxOf(shape) {
    const box = new THREE.Box3();
    const at = new THREE.Vector3();
    for (let i = 0; i < shape.vertexCount; i++) {
        at.fromArray(shape.positions, 3 * i);
        if (Number.isFinite(at.x + at.y + at.z)) box.expandByPoint(at);
    }
    return box;
}

const size = (box) => (box.isEmpty() ? 0 : box.getSize(new THREE.Vector3()).length());

export class Shapes {
    object = new THREE.Group();
    #parts = [];
    #kinds = [];
    shapes = [];

    constructor(quality) {
        this.quality = quality;
        this.look = { wireframe: false, colour: 'scene', most: 1 };
    }

    /** A new scene: the kinds of its bodies say what they look like. */
    reset(info) {
        this.#kinds = info.bodies.map((body) => body.kind);
        this.#dropFrom(0);
    }

    #dropFrom(count) {
        for (const part of this.#parts.splice(count)) this.#drop(part);
    }

    #drop(part) {
        this.object.remove(part.object);
        part.dispose();
    }

    #make(shape) {
        return shape.triangles
            ? new Surface(shape, this.#kinds[shape.body] ?? 'collider', this.quality)
            : areStrands(shape)
              ? new Strands(shape)
              : new Tubes(shape, this.quality);
    }

    /** Follows a frame. */
    update(frame) {
        this.shapes = frame.shapes;
        this.look.most = this.#mostOf(frame.shapes);
        frame.shapes.forEach((shape, i) => {
            const part = this.#parts[i];
            if (part && part.topology !== shape.topology && part.take && shape.triangles) {
                part.take(shape);
            } else if (part?.topology !== shape.topology) {
                if (part) this.#drop(part);
                this.#parts[i] = this.#make(shape);
                this.object.add(this.#parts[i].object);
            }
            this.#parts[i].update(shape, i, this.look);
        });
        this.#dropFrom(frame.shapes.length);
    }

    /**
     * The end of the scale: above nearly all values, so that a few do not hide the rest, and the
     * largest that it has been, so that colours do not flicker.
     */
    #mostOf(shapes) {
        const of = values[this.look.colour];
        if (!of) return 1;
        const before = this.#scale?.colour === this.look.colour ? this.#scale.most : 1e-4;
        const sample = [];
        for (const shape of shapes) {
            const value = of(shape);
            const stride = Math.ceil(shape.vertexCount / 2000);
            for (let i = 0; value && i < shape.vertexCount; i += stride) sample.push(value(i));
        }
        sample.sort((a, b) => a - b);
        // Where nearly all is free of contact, the largest pressure.
        const most = Math.max(before, sample[Math.floor(0.985 * sample.length)] || sample.at(-1) || 0);
        this.#scale = { colour: this.look.colour, most };
        return most;
    }
    #scale = null;

    forgetScale() {
        this.#scale = null;
    }

    /** The box around all bodies, and around colliders that are not much larger. */
    box() {
        const boxes = this.shapes.map((shape) => [shape, boxOf(shape)]);
        const isBody = (shape) => shape.body >= 0 || shape.name === 'nodes';
        const all = new THREE.Box3();
        for (const [shape, box] of boxes) if (isBody(shape)) all.union(box);
        const most = all.isEmpty() ? Infinity : 2.5 * size(all);
        for (const [shape, box] of boxes) {
            const both = all.clone().union(box);
            if (!isBody(shape) && size(both) < most) all.copy(both);
        }
        return all;
    }

    /** Whether a ray meets anything that is drawn. Where the memory of the engine has moved since,
        that is not known, and the engine is to be asked. */
    meets(caster, tolerance) {
        if (this.shapes.some((shape) => shape.positions.length === 0 && shape.vertexCount)) return true;
        caster.params.Line.threshold = tolerance;
        return caster.intersectObject(this.object, true).length > 0;
    }
}
