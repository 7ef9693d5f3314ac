/** Dark or light: as the system says, or as was chosen here. */
const system = matchMedia('(prefers-color-scheme: dark)');

export class Theme {
    constructor() {
        this.onchange = () => {};
        system.addEventListener('change', () => this.apply());
        this.apply();
    }

    get now() {
        return localStorage.getItem('theme') ?? (system.matches ? 'dark' : 'light');
    }

    apply() {
        document.documentElement.dataset.theme = this.now;
        this.onchange?.(this.now);
    }

    toggle() {
        localStorage.setItem('theme', this.now === 'dark' ? 'light' : 'dark');
        this.apply();
    }
}
