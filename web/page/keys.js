/** Keys, and the sheet that lists them. */
import { find, make } from './dom.js';

const names = { ' ': 'Space', ',': ',', '.': '.', '?': '?', home: 'Home' };

/** Each line: key, what it does, and the function. */
export function useKeys(lines) {
    const list = find('#keys dl');
    for (const [key, meaning] of lines)
        list.append(
            make('dt', { textContent: names[key] ?? key.toUpperCase() }),
            make('dd', { textContent: meaning })
        );
    addEventListener('keydown', (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.target.closest('input, select, textarea, dialog')) return;
        const line = lines.find(([key]) => key === event.key.toLowerCase());
        if (!line) return;
        event.preventDefault();
        line[2]();
    });
}
