/** A number, a choice or a vector with its name, unit and meaning, as a row with a slider. */
import { make } from './dom.js';

function step(least, most) {
    return 10 ** Math.floor(Math.log10((most - least) / 200));
}

function label(name, unit, meaning) {
    const shown = unit && unit !== '1' ? unit : '';
    return make(
        'label',
        { title: meaning },
        make('span', { textContent: name.replaceAll('_', ' ') }),
        make('span', { className: 'unit', textContent: shown })
    );
}

/** A slider with its number beside it. What cannot be set is taken back. */
function pair({ value, least, most, integer }, change) {
    const slide = make('input', { type: 'range', min: least, max: most });
    const number = make('input', { type: 'number', step: 'any' });
    slide.step = integer ? 1 : step(least, most);
    const show = (is) => {
        slide.value = is ?? least;
        number.value = is === null ? '' : Number(Number(is).toPrecision(6));
        number.placeholder = is === null ? 'automatic' : '';
    };
    show(value);
    slide.addEventListener('input', () => (number.value = slide.value));
    slide.addEventListener('change', () => change(Number(slide.value)));
    number.addEventListener('change', () => {
        if (number.value === '') return show(value);
        slide.value = number.value;
        change(Number(number.value));
    });
    return make('div', { className: 'inputs' }, slide, number);
}

/** A range that fits a number nobody gave one for. */
export function rangeOf(value) {
    if (value === 0) return [0, 1];
    return value > 0 ? [0, 4 * value] : [4 * value, -4 * value];
}

/** What sliders of a unit reach where nothing is known but that. */
const spans = { 'm/s^2': 30, 'm/s': 30, '1/s': 10, 'kg/m^3': 5, m: 20, s: 20, 1: 100 };

/** The range of a slider for a field with limits, which may be null: around what it is now. */
export function spanOf({ unit, least, most, value }) {
    const largest = Math.max(...value.map((one) => Math.abs(one ?? 0)));
    const far = Math.max(spans[unit] ?? 1, 2 * largest);
    return [Math.max(least ?? -far, -far), Math.min(most ?? far, far)];
}

/** A row; `change` is given the new value, and may refuse it by an error. */
export function row({ name, unit, meaning, ...field }, change) {
    const element = make('div', { className: 'row' }, label(name, unit, meaning));
    const tell = async (value) => {
        try {
            await change(value);
            element.classList.remove('wrong');
            element.title = '';
        } catch (error) {
            element.classList.add('wrong');
            element.title = error.message;
        }
    };
    if (field.choices) {
        const select = make('select');
        field.choices.forEach((text, i) => select.append(make('option', { value: i, textContent: text })));
        select.value = field.value;
        select.addEventListener('change', () => tell(Number(select.value)));
        element.append(select);
    } else if (Array.isArray(field.value)) {
        const vector = [...field.value];
        vector.forEach((value, k) =>
            element.append(
                pair({ ...field, value }, (is) => {
                    vector[k] = is;
                    return tell([...vector]);
                })
            )
        );
    } else if (typeof field.value === 'string') {
        const input = make('input', { type: 'text', value: field.value });
        input.addEventListener('change', () => tell(input.value));
        element.append(input);
    } else {
        element.append(pair(field, tell));
    }
    return element;
}
