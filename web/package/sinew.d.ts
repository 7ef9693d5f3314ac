import type { Scene as SceneFile, Settings } from './scene.js';

export type { SceneFile };

/** What is wrong with a scene, in the sentences that the command prints. */
export class SceneError extends Error {
    sentences: string[];
}

/** What was asked for is in the second part of the module: await complete() of the engine, then ask again. */
export class MissingPart extends Error {}

export interface LoadOptions {
    /** Threads that steps use, up to 16, where memory can be shared; default 1. The bits are the same. */
    threads?: number;
}

/** Loads the module: from an address, bytes or a compiled module; by default sinew.wasm beside this, and
    sinew-threads.wasm for several threads. */
export function load(
    source?: string | URL | BufferSource | WebAssembly.Module,
    options?: LoadOptions,
): Promise<Sinew>;

export type Vector = [number, number, number];

export interface OpenOptions {
    /** Of the scene, for sentences; default "scene.json". */
    name?: string;
    /** Files that the scene names, such as meshes. */
    files?: Record<string, string | ArrayBuffer | Uint8Array>;
    /** Parameters of the scene. */
    sets?: Record<string, string | number>;
}

export interface Sinew {
    /** How many threads a step has. */
    readonly threads: number;
    /** Whether the second part of the module is there. */
    readonly whole: boolean;
    /** Loads it, once: joints, files beside a scene, cuts, caches and what few materials have. By default from
        sinew-rare.wasm beside this. */
    complete(source?: string | URL | BufferSource | WebAssembly.Module): Promise<void>;
    /** Opens a scene: its text, or an object in its format. Throws a SceneError, or MissingPart. */
    open(scene: string | SceneFile | Uint8Array, options?: OpenOptions): Scene;
}

/** What a scene says of itself. */
export interface SceneInfo {
    title: string;
    about: string;
    frames: number;
    fps: number;
    /** Whether these are frames of a cache, which have no world behind them, or steps of a recording. */
    playback: boolean;
    /** Whether they are steps of a recording, which happen again. */
    repeats?: boolean;
    parameters: { name: string; value: number | string; unit: string; meaning: string }[];
    bodies: { name: string; kind: string; nodes: number; constraints: number; mass: number }[];
    cameras: { name: string; eye: Vector; target: Vector; up: Vector; fieldOfView: number }[];
    /** Names of what measure() gives, with their units. */
    columns: string[];
    /** m, of the first level plane, where there is one. */
    ground?: number;
}

/** A body, single nodes or a collider. Arrays are views of the memory of the module. */
export interface Shape {
    name: string;
    /** Number of the body; -1 for what is none. */
    body: number;
    /** Changes when vertices or elements do. */
    topology: string;
    vertexCount: number;
    /** m, three numbers per vertex. */
    positions: Float32Array;
    normals: Float32Array | null;
    /** m/s */
    velocities: Float32Array | null;
    /** Relative stretch, one number per vertex. */
    strain: Float32Array | null;
    /** m */
    radii: Float32Array | null;
    triangles: Uint32Array | null;
    lines: Uint32Array | null;
    /** sRGB, 0 to 1, as the scene says; null where it does not. */
    colour: Vector | null;
    back: Vector | null;
    /** sRGB, 0 to 1, three numbers per vertex, in place of the colour; they and what follows stay as long as the topology does. */
    colours: Float32Array | null;
    /** Texture coordinates, two numbers per vertex, the second upward. */
    uvs: Float32Array | null;
    /** An image that colours are multiplied with, as a PNG file, and how much of the coordinates it is wide and high. */
    texture: { png: Uint8Array; size: number } | null;
}

export interface Frame {
    number: number;
    time: number;
    shapes: Shape[];
}

export interface Event {
    what: 'tore' | 'burst' | 'broke' | 'froze';
    count: number;
    node?: number;
    type?: string;
    force?: number;
}

export interface Setting {
    name: Exclude<keyof Settings, 'comment'>;
    kind: 'integer' | 'real' | 'vector' | 'choice' | 'switch';
    /** Of a choice: its names with | between them. */
    unit: string;
    /** What is allowed; null where there is no limit. */
    least: number | null;
    most: number | null;
    meaning: string;
    /** Null is automatic. */
    value: (number | null)[];
}

export interface ConstraintType {
    type: number;
    name: string;
    count: number;
    meaning: string;
}

export interface BodyField {
    type: number;
    typeName: string;
    name: string;
    unit: string;
    least: number;
    most: number;
    meaning: string;
    count: number;
    value: number;
}

/** A scene that runs. Methods throw an Error with a sentence where they are refused. */
export interface Scene {
    readonly info: SceneInfo;
    readonly warnings: string[];
    readonly frameNumber: number;
    readonly time: number;
    /** The fingerprint of the state, as "sinew run --hash" prints it. */
    readonly hash: string;
    step(): void;
    /** Everything as it is now, triangles divided `smooth` times; valid until the next call. */
    frame(options?: { smooth?: 0 | 1 | 2 | 3; liquid?: boolean }): Frame;
    measure(): number[];
    events(): Event[];
    /** Point (m) and impulse (N s) of each contact, six numbers. */
    contacts(): Float32Array;
    save(): Uint8Array;
    restore(snapshot: Uint8Array): void;
    /** Takes what a ray meets; `tolerance` in m per m of distance, for what is thin. */
    take(origin: Vector, direction: Vector, tolerance?: number): {
        hand: number;
        point: Vector;
        kind: 'body' | 'pin' | 'collider';
    } | null;
    move(hand: number, point: Vector): boolean;
    held(hand: number): Vector | null;
    release(hand: number, velocity?: Vector | null): void;
    togglePin(origin: Vector, direction: Vector, tolerance?: number): 'pinned' | 'unpinned' | '';
    /** Cuts between two directions from an eye; how many nodes were made. */
    cut(eye: Vector, from: Vector, to: Vector, reach: number): number;
    dropBall(position: Vector, velocity?: Vector, radius?: number): void;
    /** The types of constraints that the scene has. */
    types(): ConstraintType[];
    /** Constraints of a type as lines between their nodes: two points each. */
    links(type: number): Float32Array;
    /** The same, and for each line the colour of its constraint in the graph; -1 for what is solved by itself. */
    colouredLinks(type: number): { lines: Float32Array; colours: Float32Array };
    /** Oriented nodes: position and quaternion (x, y, z, w) of each. */
    axes(): Float32Array;
    settings(): Setting[];
    setSetting(number: number, value: number[]): void;
    bodyFields(body: number): BodyField[];
    setBodyField(body: number, type: number, name: string, value: number): void;
    close(): void;
}
