/** Colours of bodies and of values: those of the pictures that the command draws, in linear light. */

export const palette = [
    [0.08, 0.22, 0.48],
    [0.694, 0.371, 0.053],
    [0.6, 0.095, 0.12],
    [0.03, 0.29, 0.15],
    [0.18, 0.52, 0.62],
    [0.28, 0.13, 0.4],
    [0.6, 0.56, 0.48],
    [0.56, 0.18, 0.06],
];

/** One of any number of colours: behind the last they come again, lighter. */
export function distinct(index) {
    const share = Math.min(0.45 * Math.floor(index / palette.length), 0.8);
    return palette[index % palette.length].map((part) => part + share * (1 - part));
}

/** Equal steps look equally far apart, from violet to yellow. */
const scale = [
    [0.045, 0.003, 0.146], [0.042, 0.008, 0.231], [0.029, 0.026, 0.301], [0.009, 0.053, 0.365],
    [0.005, 0.084, 0.32], [0.007, 0.123, 0.293], [0.01, 0.172, 0.297], [0.014, 0.233, 0.311],
    [0.017, 0.305, 0.322], [0.022, 0.387, 0.32], [0.026, 0.477, 0.295], [0.03, 0.566, 0.239],
    [0.115, 0.635, 0.179], [0.278, 0.689, 0.133], [0.487, 0.733, 0.099], [0.743, 0.769, 0.08],
    [0.98, 0.795, 0.114],
];

function toLinear(s) {
    return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
}

function toSrgb(c) {
    return c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055;
}

/** The colour of a shape: what the scene says, or one that differs from others'. */
export function colourOf(shape, index) {
    if (shape.colour) return shape.colour.map(toLinear);
    return shape.texture ? [1, 1, 1] : palette[index % palette.length];
}

export function backOf(shape, index) {
    if (shape.back) return shape.back.map(toLinear);
    // As the front, duller.
    const front = colourOf(shape, index);
    const grey = (front[0] + front[1] + front[2]) / 3;
    return front.map((c) => 0.85 * (0.65 * c + 0.35 * grey));
}

/** Writes colours of vertices, which are sRGB, as light. */
export function writeColours(array, colours) {
    for (let i = 0; i < array.length; i++) array[i] = toLinear(colours[i]);
}

/** Writes the colour of a share, 0 to 1, into an array. */
export function writeColour(array, at, share) {
    const place = Math.min(Math.max(share, 0), 1) * (scale.length - 1);
    const i = Math.min(Math.floor(place), scale.length - 2);
    const t = place - i;
    for (let k = 0; k < 3; k++)
        array[at + k] = scale[i][k] + t * (scale[i + 1][k] - scale[i][k]);
}

/** The scale as a gradient of CSS, for the legend. */
export function gradient() {
    const stops = scale.map((c) => `rgb(${c.map((x) => Math.round(255 * toSrgb(x))).join(' ')})`);
    return `linear-gradient(to right, ${stops.join(', ')})`;
}

/** What a vertex is coloured by: a number per vertex, or null for what a shape has not got. */
export const values = {
    strain: (shape) => shape.strain && ((i) => shape.strain[i]),
    speed: (shape) =>
        shape.velocities &&
        ((i) =>
            Math.hypot(
                shape.velocities[3 * i],
                shape.velocities[3 * i + 1],
                shape.velocities[3 * i + 2]
            )),
    pressure: (shape) => shape.pressure && ((i) => shape.pressure[i]),
};
export const units = { strain: '%', speed: 'm/s', pressure: 'Pa' };

/** The colour of a constraint in the graph; grey for what is solved by itself. */
export function graphColour(number) {
    return number < 0 ? [0.2, 0.2, 0.2] : distinct(number);
}
