/** Curves over the last frames: energies, momentum, strain, time per frame and per stage. */
import { make } from './dom.js';

const LENGTH = 600;
const colours = ['#3f7fd0', '#d08a2e', '#2f9e6b', '#b0475a', '#8a63c4', '#7d8894'];

/** Each: a title with a unit, and curves by name with the columns that add up to them. */
const plots = [
    {
        title: 'Energy [J]',
        curves: {
            motion: 'kinetic energy [J]',
            height: 'potential energy [J]',
            elastic: 'elastic energy [J]',
        },
    },
    {
        title: 'Momentum [kg m/s]',
        curves: { x: 'momentum x [kg m/s]', y: 'momentum y [kg m/s]', z: 'momentum z [kg m/s]' },
    },
    { title: 'Strain [1]', curves: { mean: 'mean strain [1]', largest: 'largest strain [1]' } },
    { title: 'Time per frame [ms]', curves: { step: 'ms', drawing: 'draw' } },
    {
        title: 'Time per stage [ms]',
        curves: {
            prepare: 'prepare [ms]',
            find: 'find [ms]',
            predict: 'predict [ms]',
            project: 'project [ms]',
            contact: 'contact [ms]',
            update: 'update [ms]',
        },
    },
];

/** Where curves begin: right of the longest number that an axis has. */
const AXIS = 54;

/** A number in the room that an axis has. */
function short(value) {
    const text = String(Number(value.toPrecision(3)));
    const shown = text.length <= 6 ? text : value.toExponential(1).replace('e+', 'e');
    return shown.replaceAll('-', '\u2212');
}

class Plot {
    constructor({ title, curves }) {
        this.columns = Object.values(curves);
        this.canvas = make('canvas', { className: 'plot' });
        const keys = Object.keys(curves).map((name, i) => {
            const mark = make('i');
            mark.style.background = colours[i];
            return make('span', {}, mark, name);
        });
        this.element = make('div', {}, make('h3', { textContent: title }));
        this.element.append(make('div', { className: 'keys' }, ...keys), this.canvas);
    }

    draw(rows) {
        const { canvas } = this;
        const [width, height] = [canvas.clientWidth, canvas.clientHeight];
        if (!width) return;
        const ratio = Math.min(devicePixelRatio, 2);
        canvas.width = width * ratio;
        canvas.height = height * ratio;
        const context = canvas.getContext('2d');
        context.scale(ratio, ratio);
        const [least, most] = this.#range(rows);
        const y = (value) => height - 6 - ((value - least) / (most - least)) * (height - 12);
        const x = (i) => AXIS + (i / Math.max(rows.length - 1, 60)) * (width - AXIS - 6);
        this.#axis(context, least, most, y, width);
        if (rows.length < 2) this.#wait(context, width, height);
        this.columns.forEach((column, k) => {
            context.strokeStyle = colours[k];
            context.lineWidth = 1.6;
            context.beginPath();
            rows.forEach((row, i) => {
                if (Number.isFinite(row[column])) context.lineTo(x(i), y(row[column]));
            });
            context.stroke();
        });
    }

    #wait(context, width, height) {
        context.textAlign = 'center';
        context.fillText('Curves come as the scene is played.', (AXIS + width) / 2, height / 2);
    }

    #range(rows) {
        let [least, most] = [0, 0];
        for (const row of rows)
            for (const column of this.columns) {
                if (!Number.isFinite(row[column])) continue;
                least = Math.min(least, row[column]);
                most = Math.max(most, row[column]);
            }
        return most > least ? [least, most] : [least, least + 1];
    }

    #axis(context, least, most, y, width) {
        const style = getComputedStyle(document.documentElement);
        context.fillStyle = style.getPropertyValue('--quiet');
        context.strokeStyle = style.getPropertyValue('--line');
        context.font = '11px system-ui, sans-serif';
        context.textAlign = 'right';
        context.textBaseline = 'middle';
        for (const value of new Set([least, 0, most])) {
            context.fillText(short(value), AXIS - 4, y(value));
            context.beginPath();
            context.moveTo(AXIS, y(value));
            context.lineTo(width, y(value));
            context.stroke();
        }
    }
}

export class Plots {
    #rows = [];
    #plots = plots.map((plot) => new Plot(plot));

    constructor(parent) {
        parent.append(...this.#plots.map((plot) => plot.element));
    }

    reset(columns) {
        this.columns = columns;
        this.#rows = [];
        this.draw();
    }

    /** A frame: the columns of the statistics, where they were measured, and times in ms. */
    add(values, times) {
        const row = { ...times };
        values?.forEach((value, i) => (row[this.columns[i]] = value));
        this.#rows.push(row);
        if (this.#rows.length > LENGTH) this.#rows.shift();
    }

    draw() {
        for (const plot of this.#plots) plot.draw(this.#rows);
    }
}
