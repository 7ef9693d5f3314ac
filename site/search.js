// Searches the index that lies beside this script: titles and names first, then texts.
const box = document.querySelector('#search');
const found = document.querySelector('#found');
const above = document.currentScript.dataset.top;
let index = null; // a promise of the entries
let chosen = -1;

/** A script, because pages that are opened as files may not fetch. */
function load() {
    index ??= new Promise((resolve, reject) => {
        const script = document.createElement('script');
        script.src = `${above}search-index.js`;
        script.onload = () => resolve(globalThis.sinewSearchIndex);
        script.onerror = reject;
        document.head.append(script);
    });
    return index;
}

/** How well an entry fits all words; 0 where one is missing. */
function score(entry, words) {
    const name = entry.name.toLowerCase();
    const text = entry.text.toLowerCase();
    let sum = 0;
    for (const word of words) {
        if (name === word) sum += 100;
        else if (name.startsWith(word)) sum += 40;
        else if (name.includes(word)) sum += 20;
        else if (text.includes(word)) sum += 3;
        else return 0;
    }
    return sum + entry.weight;
}

function show(entries) {
    found.replaceChildren(...entries.map((entry) => {
        const link = document.createElement('a');
        link.href = above + entry.page;
        link.textContent = entry.name;
        const where = document.createElement('small');
        where.textContent = entry.where;
        link.append(where);
        return link;
    }));
    chosen = -1;
}

async function search() {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return show([]);
    const entries = await load();
    const rated = entries.map((entry) => [score(entry, words), entry]).filter(([rate]) => rate > 0);
    rated.sort((a, b) => b[0] - a[0]);
    show(rated.slice(0, 24).map(([, entry]) => entry));
}

box.addEventListener('input', search);
box.addEventListener('focus', load);
box.addEventListener('keydown', (event) => {
    const links = [...found.children];
    if (event.key === 'Escape') { box.value = ''; show([]); }
    if (event.key === 'Enter' && links.length > 0) location.href = links[Math.max(chosen, 0)].href;
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    links[chosen]?.classList.remove('chosen');
    chosen = (chosen + (event.key === 'ArrowDown' ? 1 : links.length - 1)) % Math.max(links.length, 1);
    links[chosen]?.classList.add('chosen');
});
document.addEventListener('keydown', (event) => {
    if (event.key === '/' && document.activeElement !== box) { event.preventDefault(); box.focus(); }
});
document.addEventListener('click', (event) => {
    if (!found.contains(event.target) && event.target !== box) show([]);
});
