/**
 * The server of the page gives what is in its folder and nothing else, to this machine alone.
 *
 *     node tests/web/server.mjs
 */
import assert from 'node:assert/strict';
import { mkdtempSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '../../web/serve.mjs';

const outside = mkdtempSync(join(tmpdir(), 'sinew-serve-'));
const folder = join(outside, 'folder');
mkdirSync(join(folder, 'below'), { recursive: true });
mkdirSync(`${folder}-beside`);
writeFileSync(join(outside, 'secret.txt'), 'secret');
writeFileSync(join(`${folder}-beside`, 'secret.txt'), 'secret');
writeFileSync(join(folder, 'index.html'), 'hello');
writeFileSync(join(folder, 'below/a b.js'), 'export {};');
writeFileSync(join(folder, 'below/m.wasm'), 'module');
writeFileSync(join(folder, 'below/m.wasm.br'), 'small');
symlinkSync(join(outside, 'secret.txt'), join(folder, 'link.txt'));
symlinkSync(outside, join(folder, 'linked'));
const server = await serve(folder);
const { port, address } = server.address();

/** The whole answer to a request that is sent as it is, which fetch would tidy up. */
function ask(path, { method = 'GET', host = `127.0.0.1:${port}`, more = '' } = {}) {
    return new Promise((done, fail) => {
        const socket = connect(port, '127.0.0.1');
        let text = '';
        socket.on('data', (part) => (text += part));
        socket.on('end', () => done(text));
        socket.on('error', fail);
        socket.write(`${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${more}Connection: close\r\n\r\n`);
    });
}

const status = (text) => Number(text.split(' ')[1]);
const checks = {
    async files_are_served() {
        assert.match(await ask('/'), /200[^]*text\/html[^]*hello$/);
        assert.match(await ask('/below/a%20b.js?x=1'), /200[^]*text\/javascript/);
        assert.match(await ask('/below/m.wasm'), /application\/wasm[^]*module$/);
        assert.match(await ask('/below/m.wasm', { more: 'Accept-Encoding: gzip, br\r\n' }), /content-encoding: br[^]*small$/);
        assert.doesNotMatch(await ask('/', { method: 'HEAD' }), /hello/);
    },
    async nothing_outside_is() {
        const paths = [
            '/../secret.txt', '/below/../../secret.txt', '/%2e%2e/secret.txt', '/..%2fsecret.txt',
            '/%2e%2e%2fsecret.txt', '/..%5csecret.txt', '//secret.txt', '/link.txt',
            '/linked/secret.txt', '/../folder-beside/secret.txt', '/below/..%00/secret.txt', '/%',
            '/%ff%fe', `/${'../'.repeat(40)}etc/passwd`, `${outside}/secret.txt`, '/missing',
        ];
        for (const path of paths) {
            const text = await ask(path);
            assert.equal(status(text), 404, path);
            assert.doesNotMatch(text, /secret|root:/, path);
        }
    },
    async others_are_refused() {
        assert.equal(status(await ask('/', { host: 'evil.example' })), 403);
        assert.equal(status(await ask('/', { host: `127.0.0.1.evil.example:${port}` })), 403);
        assert.equal(status(await ask('/', { method: 'POST' })), 405);
        assert.equal(address, '127.0.0.1');
    },
};
let failed = 0;
for (const [name, run] of Object.entries(checks)) {
    const problem = await run().then(() => null, (error) => error);
    failed += Boolean(problem);
    console.log(`${problem ? 'FAIL' : 'ok'}  ${name}${problem ? `\n${problem.message}` : ''}`);
}
server.close();
rmSync(outside, { recursive: true });
process.exit(failed ? 1 : 0);
