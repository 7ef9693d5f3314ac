// What the oracles that run in node share.
let passed = 0;
let failed = 0;

// Notes a failure; whether it held.
export function check(held, what) {
    if (held) passed++;
    else if (++failed <= 12) console.log(`FAIL  ${what}`);
    return Boolean(held);
}

// Two lists of numbers, with a tolerance for each.
export function near(found, expected, tolerance, what) {
    if (found.length !== expected.length)
        return check(false, `${what}: ${found.length} numbers, expected ${expected.length}`);
    // Both are single precision, however they were written.
    const at = expected.findIndex(
        (value, i) => !(Math.abs(Math.fround(found[i]) - Math.fround(value)) <= tolerance));
    return check(at < 0, `${what}: number ${at} is ${found[at]}, expected ${expected[at]}`);
}

// The name of a shape as OpenUSD may have it.
export const plainName = (name) => name.replace(/[^A-Za-z0-9]/g, '_').replace(/^(?=[0-9])/, '_');

// Ends without a result.
export function skip(why) {
    console.log(`skipped: ${why}`);
    process.exit(77);
}

export function finish() {
    console.log(`${passed} passed, ${failed} failed`);
    process.exit(failed > 0 || passed === 0 ? 1 : 0);
}
