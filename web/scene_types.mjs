/**
 * The types of scene files in TypeScript, from their JSON schema, which the library makes of the
 * lists that it reads them by: sceneTypes(schema) is the text of scene.d.ts.
 */

/** A type is named after what the schema calls it: "weak edges" is WeakEdges. */
function named(name) {
    if (name === 'number') return 'Quantity'; // Number is JavaScript's own
    return name.replace(/(?:^|[ _])(\w)/g, (_, letter) => letter.toUpperCase());
}

function comment(text, indent) {
    return text ? `${indent}/** ${text.replace(/\*\//g, '* /')} */\n` : '';
}

function union(types) {
    const distinct = [...new Set(types)];
    return distinct.length === 1 ? distinct[0] : distinct.join(' | ');
}

/** As many as the schema says, where that is few enough to be written out. */
function list(schema, indent) {
    const item = typeOf(schema.items ?? {}, indent);
    if (schema.minItems === schema.maxItems && schema.maxItems <= 4)
        return `[${Array(schema.maxItems).fill(item).join(', ')}]`;
    return /[|{ ]/.test(item) ? `(${item})[]` : `${item}[]`;
}

function object(schema, indent) {
    const others = schema.additionalProperties;
    if (others) return `Record<string, ${others === true ? 'unknown' : typeOf(others, indent)}>`;
    const required = new Set(schema.required);
    const inner = `${indent}    `;
    const lines = Object.entries(schema.properties ?? {}).map(([name, of]) => {
        const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
        const optional = required.has(name) ? '' : '?';
        return `${comment(of.description, inner)}${inner}${key}${optional}: ${typeOf(of, inner)};\n`;
    });
    return `{\n${lines.join('')}${indent}}`;
}

const plain = { string: 'string', number: 'number', integer: 'number', boolean: 'boolean', null: 'null' };

function typeOf(schema, indent = '') {
    if (schema.$ref) return named(schema.$ref.split('/').pop());
    if ('const' in schema) return JSON.stringify(schema.const);
    if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) return union(choices.map((choice) => typeOf(choice, indent)));
    if (schema.pattern === '^=') return '`=${string}`';
    if (schema.type === 'array') return list(schema, indent);
    if (schema.type === 'object') return object(schema, indent);
    if (Array.isArray(schema.type)) return union(schema.type.map((type) => plain[type]));
    return plain[schema.type] ?? 'unknown';
}

export function sceneTypes(schema) {
    const types = Object.entries(schema.$defs).map(
        ([name, of]) => `${comment(of.description, '')}export type ${named(name)} = ${typeOf(of)};\n`,
    );
    return `/* The format of scene files; made from its schema. */\n\n${types.join('\n')}`;
}
