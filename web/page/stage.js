/** The stage: renderer, lights, ground, camera, and what is around a scene. */
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { RoomEnvironment } from 'three/addons/environments/RoomEnvironment.js';

const looks = {
    light: { top: '#dfe7ee', bottom: '#f1f0ee', ground: 0xd6d4d0, sky: 0.5, sun: 2.5 },
    dark: { top: '#12161c', bottom: '#242a32', ground: 0x3a4048, sky: 0.34, sun: 2.6 },
};

/** Width by height of the pictures that the command draws, for which cameras of scenes are meant. */
const PICTURE = 1.6;

function gradientTexture(top, bottom) {
    const canvas = document.createElement('canvas');
    canvas.width = 2;
    canvas.height = 256;
    const context = canvas.getContext('2d');
    const fill = context.createLinearGradient(0, 0, 0, 256);
    fill.addColorStop(0, top);
    fill.addColorStop(0.75, bottom);
    context.fillStyle = fill;
    context.fillRect(0, 0, 2, 256);
    const texture = new THREE.CanvasTexture(canvas);
    texture.colorSpace = THREE.SRGBColorSpace;
    return texture;
}

/** White in the middle, nothing at the border: the ground has no end that could be seen. */
function fadeTexture() {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 256;
    const context = canvas.getContext('2d');
    const fill = context.createRadialGradient(128, 128, 20, 128, 128, 128);
    fill.addColorStop(0, '#fff');
    fill.addColorStop(1, '#000');
    context.fillStyle = fill;
    context.fillRect(0, 0, 256, 256);
    return new THREE.CanvasTexture(canvas);
}

/** Where the processor draws, plain materials without shadows are what it can do. */
function drawsInSoftware() {
    const context = document.createElement('canvas').getContext('webgl2');
    const info = context?.getExtension('WEBGL_debug_renderer_info');
    const name = info ? context.getParameter(info.UNMASKED_RENDERER_WEBGL) : '';
    context?.getExtension('WEBGL_lose_context')?.loseContext();
    return /swiftshader|llvmpipe|software/i.test(name);
}

/** "high" or "low": as the address says (?quality=high), or as the machine can. */
export function chooseQuality() {
    const asked = new URLSearchParams(location.search).get('quality');
    return asked ?? (drawsInSoftware() ? 'low' : 'high');
}

export class Stage {
    constructor(canvas) {
        this.quality = chooseQuality();
        const high = this.quality === 'high';
        this.renderer = new THREE.WebGLRenderer({ canvas, antialias: high });
        this.renderer.shadowMap.enabled = high;
        this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
        // The colours that scenes give are to be seen as they are.
        this.renderer.toneMapping = THREE.NeutralToneMapping;
        this.scene = new THREE.Scene();
        this.camera = new THREE.PerspectiveCamera(35, 1, 0.01, 200);
        this.controls = new OrbitControls(this.camera, canvas);
        this.controls.enableDamping = true;
        this.controls.dampingFactor = 0.12;
        this.controls.zoomToCursor = true;
        this.controls.maxPolarAngle = 0.497 * Math.PI;
        if (high) this.#addSky();
        else this.scene.add(new THREE.HemisphereLight(0xffffff, 0x8a8478, 1.6));
        this.#addSun();
        this.#addGround();
        this.setTheme('light');
        this.resize();
    }

    #addSky() {
        const generator = new THREE.PMREMGenerator(this.renderer);
        this.scene.environment = generator.fromScene(new RoomEnvironment(), 0.04).texture;
        generator.dispose();
    }

    #addSun() {
        this.sun = new THREE.DirectionalLight(0xfff9f2, 2.5);
        this.sun.castShadow = this.quality === 'high';
        this.sun.shadow.mapSize.set(2048, 2048);
        this.sun.shadow.bias = -0.0004;
        // What the sun does not reach is not black.
        this.fill = new THREE.DirectionalLight(0xdfe9ff, 0.7);
        this.fill.position.set(-2, 0.6, -2);
        this.scene.add(this.sun, this.sun.target, this.fill);
    }

    #addGround() {
        const fade = { alphaMap: fadeTexture(), transparent: true };
        const material =
            this.quality === 'high'
                ? new THREE.MeshStandardMaterial({ ...fade, roughness: 1, envMapIntensity: 0.75 })
                : new THREE.MeshLambertMaterial(fade);
        this.ground = new THREE.Mesh(new THREE.CircleGeometry(1, 64), material);
        this.ground.rotation.x = -Math.PI / 2;
        this.ground.receiveShadow = true;
        this.scene.add(this.ground);
    }

    setTheme(theme) {
        const look = looks[theme];
        this.scene.background = gradientTexture(look.top, look.bottom);
        this.scene.environmentIntensity = look.sky;
        this.ground.material.color.setHex(look.ground);
        this.sun.intensity = look.sun;
    }

    resize() {
        const { clientWidth: width, clientHeight: height } = this.renderer.domElement.parentElement;
        if (!width || !height) return;
        this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
        this.renderer.setSize(width, height, false);
        this.camera.aspect = width / height;
        this.camera.updateProjectionMatrix();
    }

    /** Ground, light and, where the scene names no camera, the view follow from its size. */
    fit(box, info) {
        // What falls is seen where it lands.
        if (!box.isEmpty() && info.ground < box.min.y && info.ground > box.min.y - 2)
            box.min.y = info.ground;
        const size = box.isEmpty() ? new THREE.Vector3(1, 1, 1) : box.getSize(new THREE.Vector3());
        const centre = box.isEmpty() ? new THREE.Vector3() : box.getCenter(new THREE.Vector3());
        const reach = Math.max(size.length() / 2, 0.05);
        this.reach = reach;
        const lowest = box.isEmpty() ? 0 : Math.min(0, box.min.y - 0.02 * reach);
        this.ground.position.set(centre.x, (info.ground ?? lowest) - 0.001 * reach, centre.z);
        this.ground.scale.setScalar(14 * reach);
        this.#aimSun(centre, reach);
        this.camera.near = reach / 200;
        this.camera.far = reach * 60;
        this.#look(info.cameras.find((camera) => camera.name === 'main'), centre, reach);
        this.home = [this.camera.position.clone(), this.controls.target.clone()];
    }

    #aimSun(centre, reach) {
        this.sun.position.copy(centre).add(new THREE.Vector3(1.2, 2.6, 1.5).multiplyScalar(reach));
        this.sun.target.position.copy(centre);
        this.sun.shadow.normalBias = 0.004 * reach;
        const wide = 2 * reach;
        const camera = this.sun.shadow.camera;
        Object.assign(camera, { left: -wide, right: wide, top: wide, bottom: -wide });
        Object.assign(camera, { near: reach / 10, far: 8 * reach });
        camera.updateProjectionMatrix();
    }

    #look(named, centre, reach) {
        const { camera, controls } = this;
        if (named) {
            camera.position.set(...named.eye);
            controls.target.set(...named.target);
            camera.fov = (named.fieldOfView * 180) / Math.PI;
        } else {
            camera.fov = 35;
            const away = (1.08 * reach) / Math.sin((camera.fov * Math.PI) / 360);
            camera.position.copy(centre).add(new THREE.Vector3(0.5, 0.32, 0.8).setLength(away));
            controls.target.copy(centre);
        }
        // A narrower window than that of pictures shows as much to the sides.
        if (camera.aspect < PICTURE) {
            const back = camera.position.clone().sub(controls.target);
            camera.position.copy(controls.target).addScaledVector(back, Math.min(PICTURE / camera.aspect, 2.4));
        }
        camera.updateProjectionMatrix();
        controls.update();
    }

    goHome() {
        this.camera.position.copy(this.home[0]);
        this.controls.target.copy(this.home[1]);
        this.controls.update();
    }

    /** The ray through a place of the window. */
    ray(clientX, clientY) {
        const bounds = this.renderer.domElement.getBoundingClientRect();
        const place = new THREE.Vector2(
            ((clientX - bounds.left) / bounds.width) * 2 - 1,
            1 - ((clientY - bounds.top) / bounds.height) * 2
        );
        const caster = new THREE.Raycaster();
        caster.setFromCamera(place, this.camera);
        return caster;
    }

    draw() {
        this.controls.update();
        this.renderer.render(this.scene, this.camera);
    }
}
