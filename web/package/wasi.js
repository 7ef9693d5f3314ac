/**
 * What a module for WASI asks of its host, as far as Sinew does: a clock, a console, and files that
 * are in memory. Paths begin at "/"; there are no folders but those in the names of files.
 */

const SUCCESS = 0;
const BAD_FILE = 8;
const INVALID = 28;
const NO_ENTRY = 44;
const NOT_SUPPORTED = 58;
const ROOT = 3;
const REGULAR_FILE = 4;
const DIRECTORY = 3;
const CHARACTER_DEVICE = 2;
const CREATE = 1;
const TRUNCATE = 8;

/** A path without "." and "..", from the root. */
function collapse(path) {
    const parts = [];
    for (const part of path.split('/')) {
        if (part === '..') parts.pop();
        else if (part && part !== '.') parts.push(part);
    }
    return parts.join('/');
}

export class Wasi {
    /** @type {Map<string, Uint8Array>} what files there are, by their paths without the first "/" */
    files = new Map();
    #open = new Map([[ROOT, { folder: true }]]);
    #next = ROOT + 1;
    #memory = null;
    #kept = null;
    #line = ['', '', ''];

    /** The memory is known when the module is there. */
    use(memory) {
        this.#memory = memory;
    }

    put(path, bytes) {
        this.files.set(collapse(path), bytes);
    }

    remove(path) {
        this.files.delete(collapse(path));
    }

    /** Of all memory, and kept until that moves: a step asks for the time often. */
    #view() {
        const { buffer } = this.#memory;
        if (this.#kept?.buffer !== buffer) this.#kept = new DataView(buffer);
        return this.#kept;
    }

    #text(at, length) {
        return new TextDecoder().decode(new Uint8Array(this.#memory.buffer, at, length).slice());
    }

    /** Addresses and lengths of the pieces that a call reads into or writes from. */
    *#pieces(list, count) {
        const view = this.#view();
        for (let i = 0; i < count; i++) {
            const at = view.getUint32(list + 8 * i, true);
            yield new Uint8Array(this.#memory.buffer, at, view.getUint32(list + 8 * i + 4, true));
        }
    }

    /** Standard output and error, a line at a time. */
    #print(number, bytes) {
        const lines = (this.#line[number] + new TextDecoder().decode(bytes.slice())).split('\n');
        this.#line[number] = lines.pop();
        for (const line of lines) (number === 2 ? console.warn : console.log)(line);
    }

    #stat(at, size, type) {
        const view = this.#view();
        for (let i = 0; i < 64; i += 8) view.setBigUint64(at + i, 0n, true);
        view.setUint8(at + 16, type);
        view.setBigUint64(at + 24, 1n, true);
        view.setBigUint64(at + 32, BigInt(size), true);
    }

    #isFolder(path) {
        if (path === '') return true;
        for (const name of this.files.keys()) if (name.startsWith(`${path}/`)) return true;
        return false;
    }

    #write(file, list, count) {
        let written = 0;
        for (const piece of this.#pieces(list, count)) {
            const end = file.at + piece.length;
            let bytes = this.files.get(file.path) ?? new Uint8Array(0);
            if (end > bytes.length) {
                const longer = new Uint8Array(end);
                longer.set(bytes);
                bytes = longer;
            }
            bytes.set(piece, file.at);
            this.files.set(file.path, bytes);
            file.at = end;
            written += piece.length;
        }
        return written;
    }

    #read(file, list, count) {
        const bytes = this.files.get(file.path) ?? new Uint8Array(0);
        let read = 0;
        for (const piece of this.#pieces(list, count)) {
            const part = bytes.subarray(file.at, file.at + piece.length);
            piece.set(part);
            file.at += part.length;
            read += part.length;
            if (part.length < piece.length) break;
        }
        return read;
    }

    #openPath(path, length, flags, out) {
        const name = collapse(this.#text(path, length));
        if (!this.files.has(name)) {
            if (!(flags & CREATE)) return NO_ENTRY;
            this.files.set(name, new Uint8Array(0));
        } else if (flags & TRUNCATE) {
            this.files.set(name, new Uint8Array(0));
        }
        this.#open.set(this.#next, { path: name, at: 0 });
        this.#view().setUint32(out, this.#next++, true);
        return SUCCESS;
    }

    #seek(file, offset, whence, out) {
        const size = this.files.get(file.path)?.length ?? 0;
        const base = [0, file.at, size][whence];
        const at = base + Number(offset);
        if (base === undefined || at < 0) return INVALID;
        file.at = at;
        this.#view().setBigUint64(out, BigInt(at), true);
        return SUCCESS;
    }

    /** The functions that a module imports. */
    get imports() {
        const known = {
            environ_sizes_get: (count, size) => {
                this.#view().setUint32(count, 0, true);
                this.#view().setUint32(size, 0, true);
                return SUCCESS;
            },
            environ_get: () => SUCCESS,
            clock_time_get: (clock, precision, out) => {
                const ms = clock === 0 ? Date.now() : performance.now();
                const ns = Math.round(ms * 1e6);
                this.#view().setUint32(out, ns % 2 ** 32, true);
                this.#view().setUint32(out + 4, ns / 2 ** 32, true);
                return SUCCESS;
            },
            random_get: (at, length) => {
                const random = crypto.getRandomValues(new Uint8Array(length)); // not into shared memory
                new Uint8Array(this.#memory.buffer, at, length).set(random);
                return SUCCESS;
            },
            proc_exit: (code) => {
                throw new Error(`the module has ended with the code ${code}`);
            },
            fd_prestat_get: (fd, out) => {
                if (fd !== ROOT) return BAD_FILE;
                this.#view().setUint32(out, 0, true);
                this.#view().setUint32(out + 4, 1, true);
                return SUCCESS;
            },
            fd_prestat_dir_name: (fd, at) => {
                this.#view().setUint8(at, '/'.charCodeAt(0));
                return SUCCESS;
            },
            fd_fdstat_get: (fd, out) => {
                const file = this.#open.get(fd);
                if (!file && fd > 2) return BAD_FILE;
                const view = this.#view();
                for (let i = 0; i < 24; i += 8) view.setBigUint64(out + i, 0n, true);
                view.setUint8(out, fd < 3 ? CHARACTER_DEVICE : file.folder ? DIRECTORY : REGULAR_FILE);
                view.setBigUint64(out + 8, ~0n, true);
                view.setBigUint64(out + 16, ~0n, true);
                return SUCCESS;
            },
            fd_fdstat_set_flags: () => SUCCESS,
            fd_close: (fd) => (this.#open.delete(fd) ? SUCCESS : BAD_FILE),
            fd_read: (fd, list, count, out) => {
                const file = this.#open.get(fd);
                if (!file?.path) return BAD_FILE;
                this.#view().setUint32(out, this.#read(file, list, count), true);
                return SUCCESS;
            },
            fd_write: (fd, list, count, out) => {
                const file = this.#open.get(fd);
                let written = 0;
                if (fd === 1 || fd === 2) {
                    for (const piece of this.#pieces(list, count)) {
                        this.#print(fd, piece);
                        written += piece.length;
                    }
                } else if (file?.path) {
                    written = this.#write(file, list, count);
                } else {
                    return BAD_FILE;
                }
                this.#view().setUint32(out, written, true);
                return SUCCESS;
            },
            fd_seek: (fd, offset, whence, out) => {
                const file = this.#open.get(fd);
                return file?.path ? this.#seek(file, offset, whence, out) : BAD_FILE;
            },
            fd_filestat_get: (fd, out) => {
                const file = this.#open.get(fd);
                if (!file) return BAD_FILE;
                this.#stat(out, this.files.get(file.path)?.length ?? 0, REGULAR_FILE);
                return SUCCESS;
            },
            path_filestat_get: (fd, flags, path, length, out) => {
                const name = collapse(this.#text(path, length));
                const bytes = this.files.get(name);
                if (bytes) this.#stat(out, bytes.length, REGULAR_FILE);
                else if (this.#isFolder(name)) this.#stat(out, 0, DIRECTORY);
                else return NO_ENTRY;
                return SUCCESS;
            },
            path_open: (fd, look, path, length, flags, rights, inherited, options, out) =>
                this.#openPath(path, length, flags, out),
            path_readlink: () => INVALID,
            path_unlink_file: (fd, path, length) =>
                this.files.delete(collapse(this.#text(path, length))) ? SUCCESS : NO_ENTRY,
            path_rename: (fd, path, length, other, to, toLength) => {
                const from = collapse(this.#text(path, length));
                const bytes = this.files.get(from);
                if (!bytes) return NO_ENTRY;
                this.files.delete(from);
                this.files.set(collapse(this.#text(to, toLength)), bytes);
                return SUCCESS;
            },
        };
        // What is not known here is not supported, and says so when it is called.
        return new Proxy(known, { get: (all, name) => all[name] ?? (() => NOT_SUPPORTED) });
    }
}
