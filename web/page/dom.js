/** Elements, shortly. */
export const find = (selector) => document.querySelector(selector);

export function make(name, properties = {}, ...children) {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
}

/** Hands a file to whoever looks at the page. */
export function download(blob, name) {
    const link = make('a', { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
