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
        slide.value = is;
        number.value = Number(Number(is).toPrecision(6));
    };
    show(value);
    slide.addEventListener('input', () => (number.value = slide.value));
    slide.addEventListener('change', () => change(Number(slide.value)));
    number.addEventListener('change', () => {
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
