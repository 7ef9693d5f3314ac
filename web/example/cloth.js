import * as THREE from 'three';
import { load } from 'sinew';

// Somebody else's scene: a camera, a light, a turning cube.
const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(innerWidth, innerHeight);
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
const camera = new THREE.PerspectiveCamera(40, innerWidth / innerHeight, 0.1, 50);
camera.position.set(1.5, 1.5, 3);
camera.lookAt(0, 0.8, 0);
scene.add(new THREE.HemisphereLight(0xffffff, 0x445566, 3));
const cube = new THREE.Mesh(new THREE.BoxGeometry(0.3, 0.3, 0.3), new THREE.MeshStandardMaterial());
scene.add(cube);

// A cloth, held by two corners. Its arrays are views of the memory of the engine.
const cloth = (await load()).open({
    version: 1,
    meshes: { sheet: { shape: 'grid', columns: 30, rows: 30 } },
    bodies: [{ name: 'cloth', mesh: 'sheet', material: { kind: 'cloth', preset: 'cotton' },
        position: [0, 1.4, 0], pins: ['corner_0', 'corner_1'] }],
});
const shape = () => cloth.frame().shapes[0];
const geometry = new THREE.BufferGeometry().setIndex([...shape().triangles]);
for (const [name, key] of [['position', 'positions'], ['normal', 'normals']])
    geometry.setAttribute(name, new THREE.BufferAttribute(shape()[key], 3));
const material = new THREE.MeshStandardMaterial({ color: 0x285c9e, side: THREE.DoubleSide });
scene.add(Object.assign(new THREE.Mesh(geometry, material), { frustumCulled: false }));

renderer.setAnimationLoop(() => {
    cloth.step();
    const { positions, normals } = shape();
    Object.assign(geometry.attributes.position, { array: positions, needsUpdate: true });
    Object.assign(geometry.attributes.normal, { array: normals, needsUpdate: true });
    cube.rotation.y += 0.01;
    renderer.render(scene, camera);
});
window.cloth = cloth;
