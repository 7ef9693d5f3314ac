/** A browser with the page in it, for tests. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Drawing by the processor, and nothing that looks for a network. */
const flags = [
    '--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-quic',
    '--no-first-run', '--disable-background-networking', '--disable-component-update',
    '--disable-sync', '--mute-audio',
];

/** The command as the server of a folder: its address, and how it ends. */
async function serve(sinew, folder, port = 0) {
    const server = spawn(sinew, ['view', '--port', String(port), '--no-open', '--page', folder]);
    const [line] = await once(server.stdout, 'data');
    async function close() {
        server.kill('SIGINT');
        await once(server, 'exit');
    }
    return { address: String(line).trim(), close };
}

/** Opens a browser and a server for the folder; everything that goes wrong in a page is in `errors`. */
export async function openBrowser({ modules, browser, folder, sinew }) {
    const { chromium } = (await import(join(modules, 'playwright-core/index.js'))).default;
    const profile = await mkdtemp(join(tmpdir(), 'sinew-web-'));
    let server = await serve(sinew, folder);
    const context = await chromium.launchPersistentContext(profile, {
        executablePath: browser,
        headless: true,
        args: flags,
        viewport: { width: 960, height: 600 },
    });
    const errors = [];
    const { address } = server;
    async function newPage(hash = '') {
        const page = await context.newPage();
        page.on('console', (message) => {
            if (message.type() === 'error') errors.push(message.text());
        });
        page.on('pageerror', (error) => errors.push(error.message));
        await page.goto(address + hash);
        return page;
    }
    /** Ends the server, and begins it anew at its address when `meanwhile` is done. */
    async function restart(meanwhile) {
        await server.close();
        await meanwhile();
        server = await serve(sinew, folder, new URL(address).port);
    }
    async function close() {
        await context.close();
        await server.close();
        await rm(profile, { recursive: true, force: true });
    }
    return { newPage, close, restart, errors, address };
}

/** Waits until a scene is open. */
export function ready(page) {
    return page.waitForFunction(() => window.sinew?.viewer?.info && document.querySelector('#waiting').hidden && document.querySelector('#hash').textContent.length === 16, null, { timeout: 60000 });
}
