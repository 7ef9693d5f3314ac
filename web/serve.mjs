/**
 * A web server for one folder, on this machine alone.
 *
 *     node web/serve.mjs FOLDER [PORT]
 *
 * It answers GET and HEAD for files below the folder, by their real paths, so that neither ".." nor
 * links lead out of it; and only those who ask for this machine by name, so that a page elsewhere
 * cannot reach it under a name of its own.
 */
import { createServer } from 'node:http';
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const types = {
    '.css': 'text/css; charset=utf-8',
    '.html': 'text/html; charset=utf-8',
    '.js': 'text/javascript; charset=utf-8',
    '.mjs': 'text/javascript; charset=utf-8',
    '.json': 'application/json; charset=utf-8',
    '.md': 'text/plain; charset=utf-8',
    '.png': 'image/png',
    '.ts': 'text/plain; charset=utf-8',
    '.wasm': 'application/wasm',
};

const isHere = (host) => /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host ?? '');

/** The file of an address, or null for what is not below the folder. */
async function find(root, url) {
    let path;
    try {
        path = decodeURIComponent(url.split(/[?#]/)[0]);
    } catch {
        return null;
    }
    if (path.includes('\0')) return null;
    try {
        let file = await realpath(join(root, path));
        if ((await stat(file)).isDirectory()) file = await realpath(join(file, 'index.html'));
        if (!file.startsWith(root + sep)) return null;
        const info = await stat(file);
        return info.isFile() ? { file, size: info.size } : null;
    } catch {
        return null;
    }
}

/** A brotli beside a file, for those who take it: the module is a third of its size. */
async function packed(found, accepts) {
    if (!/\bbr\b/.test(accepts ?? '')) return null;
    const info = await stat(`${found.file}.br`).catch(() => null);
    return info?.isFile() ? { file: `${found.file}.br`, size: info.size } : null;
}

async function answer(root, request, response) {
    const refuse = (status) => response.writeHead(status).end();
    if (!isHere(request.headers.host)) return refuse(403);
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405);
    const found = await find(root, request.url);
    if (!found) return refuse(404);
    const small = await packed(found, request.headers['accept-encoding']);
    const sent = small ?? found;
    response.writeHead(200, {
        'content-type': types[extname(found.file)] ?? 'application/octet-stream',
        'content-length': sent.size,
        ...(small ? { 'content-encoding': 'br' } : {}),
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
    });
    if (request.method === 'HEAD') return response.end();
    const stream = createReadStream(sent.file);
    stream.on('error', () => response.destroy());
    stream.pipe(response);
}

/** Serves a folder on a port of the loopback, 0 for any; the server. */
export async function serve(folder, port = 0) {
    const root = await realpath(folder);
    const server = createServer((request, response) => {
        answer(root, request, response).catch(() => response.destroy());
    });
    await new Promise((done, fail) => {
        server.once('error', fail);
        server.listen(port, '127.0.0.1', done);
    });
    return server;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const [, , folder, port] = process.argv;
    if (!folder) {
        console.error('usage: node serve.mjs FOLDER [PORT]');
        process.exit(2);
    }
    const server = await serve(folder, Number(port ?? 8017)).catch((error) => {
        console.error(`serve: ${error.message}`);
        process.exit(1);
    });
    console.log(`http://127.0.0.1:${server.address().port}/`);
}
