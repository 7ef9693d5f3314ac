/** What happened: tore, broke, burst, froze, fell asleep; and what the engine warns of. */
import { make } from './dom.js';

const LONGEST = 200;
const sentences = {
    tore: ({ count }) => `tore: ${count} ${count === 1 ? 'node' : 'nodes'} split`,
    burst: ({ count }) => `burst: ${count} ${count === 1 ? 'node' : 'nodes'} split`,
    broke: ({ count, type, force }) => `broke: ${count} of ${type}, the first at ${force} N`,
    froze: ({ count, node }) => `froze: ${count} nodes, not finite at node ${node}`,
};

export class Log {
    #asleep = 0;

    constructor(parent) {
        this.list = make('ul', { id: 'log' });
        this.empty = make('p', { textContent: 'Nothing has torn, broken, burst, frozen or fallen asleep.' });
        parent.append(this.empty, this.list);
    }

    reset() {
        this.list.replaceChildren();
        this.empty.hidden = false;
        this.#asleep = 0;
    }

    say(frame, sentence) {
        this.empty.hidden = true;
        this.list.prepend(make('li', {}, make('b', { textContent: frame }), sentence));
        while (this.list.childElementCount > LONGEST) this.list.lastChild.remove();
    }

    events(frame, events) {
        for (const event of events) this.say(frame, sentences[event.what](event));
    }

    asleep(frame, count) {
        if (count === this.#asleep) return;
        const more = count - this.#asleep;
        const bodies = Math.abs(more) === 1 ? 'body' : 'bodies';
        this.say(frame, `${Math.abs(more)} ${bodies} ${more > 0 ? 'fell asleep' : 'woke'}`);
        this.#asleep = count;
    }
}
