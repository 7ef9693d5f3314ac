/** The panel beside the scene: pages with tabs, filled from what the engine lists. */
import { find, make } from './dom.js';
import { rangeOf, row, spanOf } from './rows.js';

export class Panel {
    #pages = new Map();

    constructor(names) {
        for (const name of names) {
            const tab = make('button', { textContent: name, role: 'tab' });
            const page = make('section', { hidden: true });
            tab.addEventListener('click', () => this.show(name));
            find('#tabs').append(tab);
            find('#pages').append(page);
            this.#pages.set(name, { tab, page });
        }
        this.onshow = () => {};
        this.show(names[0]);
    }

    page(name) {
        return this.#pages.get(name).page;
    }

    show(name) {
        this.shown = name;
        for (const [other, { tab, page }] of this.#pages) {
            tab.setAttribute('aria-selected', String(other === name));
            page.hidden = other !== name;
        }
        this.onshow(name);
    }

    get open() {
        return !find('#panel').hidden;
    }

    toggle() {
        find('#panel').hidden = this.open;
        dispatchEvent(new Event('resize'));
        this.onshow(this.shown);
    }
}

/** What a scene says of itself, and its parameters: another value begins it anew. */
export function fillScene(page, { info, source, buttons, change }) {
    const listed = JSON.parse(source.text).parameters ?? {};
    const rows = info.parameters.map((parameter) => {
        const { least, most } = listed[parameter.name] ?? {};
        const range = typeof parameter.value === 'number' ? rangeOf(parameter.value) : [0, 1];
        const field = {
            ...parameter,
            least: Number.isFinite(least) ? least : range[0],
            most: Number.isFinite(most) ? Math.min(most, Math.max(range[1], least ?? 0)) : range[1],
            integer: Number.isInteger(parameter.value) && parameter.value > 1,
        };
        return row(field, (value) => change(parameter.name, String(value)));
    });
    const nodes = info.bodies.reduce((sum, body) => sum + body.nodes, 0);
    const links = info.bodies.reduce((sum, body) => sum + body.constraints, 0);
    const bodies = `${info.bodies.length} ${info.bodies.length === 1 ? 'body' : 'bodies'}`;
    // Rigid bodies and their joints belong to none of the bodies.
    const made = info.bodies.length ? `${bodies}, ${nodes} nodes, ${links} constraints, ` : '';
    const counts = info.playback
        ? `${info.frames + 1} frames, ${info.fps} per second.`
        : `${made}${info.fps} frames per second.`;
    page.replaceChildren(
        make('h3', { textContent: info.title || source.name }),
        make('p', { textContent: info.about }),
        make('p', { textContent: counts }),
        ...(rows.length ? [make('h3', { textContent: 'Parameters' }), ...rows] : []),
        make('div', { className: 'buttons' }, ...buttons)
    );
}

/** As the engine lists it. Ranges of sliders are narrower than what is allowed, which may be all numbers. */
function settingRow(setting, number, engine, changed) {
    const { kind, value, unit } = setting;
    const choices = kind === 'choice' ? unit.split('|') : kind === 'switch' ? ['no', 'yes'] : null;
    const [least, most] = spanOf(setting);
    const field = {
        ...setting,
        least,
        most,
        choices,
        unit: choices ? '' : unit,
        value: kind === 'vector' ? value : value[0],
        integer: kind === 'integer',
    };
    return row(field, async (is) => {
        await engine.setSetting(number, Array.isArray(is) ? is : [is]);
        changed(setting.name, kind === 'switch' ? is === 1 : choices ? choices[is] : is);
    });
}

/** Stiffness and the like go over many powers of ten: sliders are of what it is now. */
function bodyRow(body, field, engine) {
    const [least, most] = rangeOf(field.value);
    const shown = { ...field, name: `${field.typeName}: ${field.name}`, least, most };
    shown.most = Math.min(most, field.most);
    shown.least = Math.max(least, field.least);
    return row(shown, (value) => engine.setBodyField(body, field.type, field.name, value));
}

/** Settings of the world, and fields of the bodies, which are changed while it runs. */
export async function fillSettings(page, { info, engine, player, changed }) {
    const settings = await engine.settings();
    const rows = settings.map((setting, i) =>
        settingRow(setting, i, { setSetting: (...a) => player.run(() => engine.setSetting(...a)) }, changed)
    );
    if (info.playback) {
        const text = 'These frames are played, not simulated: there is nothing to set.';
        page.replaceChildren(make('p', { textContent: text }));
        return;
    }
    page.replaceChildren(make('h3', { textContent: 'Solver and air' }), ...rows);
    for (const [i, body] of info.bodies.slice(0, 6).entries()) {
        const fields = await engine.bodyFields(i);
        const own = { setBodyField: (...a) => player.run(() => engine.setBodyField(...a)) };
        if (!fields.length) continue;
        page.append(make('h3', { textContent: `${body.name} (${body.kind})` }));
        page.append(...fields.map((field) => bodyRow(i, field, own)));
    }
}

/** How things are drawn. */
export function fillLook(page, { look, change }) {
    const colours = ['scene', 'body', 'strain', 'speed', 'pressure'];
    const switches = [
        ['liquid', 'liquids as surfaces rather than as particles'],
        ['wireframe', 'the edges of triangles'],
        ['contacts', 'where things touch, and how hard'],
        ['constraints', 'lines between their nodes, joints with axes and limits, a colour for each type'],
        ['graph', 'constraints in the colours of the graph: those of one type and colour share no node, and are solved at once'],
        ['frames', 'the axes of oriented nodes, as rods have them'],
        ['normals', 'of surfaces, at their vertices'],
        ['ghost', 'bodies as they were at the beginning'],
        ['ground', 'the floor'],
        ['shadows', 'of the sun'],
    ];
    const set = (name) => (value) => change(name, value);
    page.replaceChildren(
        make('h3', { textContent: 'Look' }),
        row(
            { name: 'colour', unit: '', meaning: 'what colours mean', choices: colours, value: colours.indexOf(look.colour) },
            (i) => change('colour', colours[i])
        ),
        row(
            { name: 'smooth', unit: '', meaning: 'how often triangles are divided', value: look.smooth, least: 0, most: 2, integer: true },
            set('smooth')
        ),
        ...switches.map(([name, meaning]) => {
            const box = make('input', { type: 'checkbox', checked: look[name] });
            box.addEventListener('change', () => change(name, box.checked));
            return make('div', { className: 'row' }, make('label', { title: meaning }, name, box));
        })
    );
}
