/** Pictures and videos of the canvas. */
import { download } from './dom.js';

export function savePicture(stage, name) {
    // What is drawn is only there until the browser shows it.
    stage.draw();
    stage.renderer.domElement.toBlob((blob) => download(blob, `${name}.png`), 'image/png');
}

export class Recorder {
    #recorder = null;

    constructor(canvas) {
        this.canvas = canvas;
        this.onchange = () => {};
    }

    get running() {
        return this.#recorder !== null;
    }

    toggle(name) {
        if (this.#recorder) this.#recorder.stop();
        else this.#start(name);
    }

    #start(name) {
        if (typeof MediaRecorder === 'undefined')
            throw new Error('This browser cannot record videos.');
        const types = ['video/webm;codecs=vp9', 'video/webm', 'video/mp4'];
        const mimeType = types.find((type) => MediaRecorder.isTypeSupported(type));
        const parts = [];
        const stream = this.canvas.captureStream(60);
        const recorder = new MediaRecorder(stream, { mimeType, videoBitsPerSecond: 12e6 });
        recorder.ondataavailable = (event) => parts.push(event.data);
        recorder.onstop = () => {
            this.#recorder = null;
            for (const track of stream.getTracks()) track.stop();
            const ending = mimeType?.includes('mp4') ? 'mp4' : 'webm';
            download(new Blob(parts, { type: mimeType }), `${name}.${ending}`);
            this.onchange(false);
        };
        recorder.start();
        this.#recorder = recorder;
        this.onchange(true);
    }
}
