import { posix } from 'node:path';
import { parseSync, type Plugin } from 'vite';

type Program = ReturnType<typeof parseSync>['program'];

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** Calls `visit` with every node of a syntax tree, and with the functions that it is in. */
const walk = (
  value: unknown,
  visit: (node: Node, within: readonly Node[]) => void,
  within: readonly Node[] = [],
): void => {
  if (typeof value !== 'object' || value === null) return;
  if (isNode(value)) visit(value, within);
  const inside = isNode(value) && String(value['type']).includes('Function') ? [...within, value] : within;
  for (const one of Object.values(value)) walk(one, visit, inside);
};

const nameIn = (node: unknown): string => {
  if (typeof node === 'object' && node !== null) {
    if ('name' in node) return String(node.name);
    if ('value' in node) return String(node.value);
  }
  throw new Error('a name was expected');
};

/** A part of a chunk's text and what stands in its place. */
interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const changed = (code: string, changes: readonly Change[]): string => {
  let result = '';
  let at = 0;
  for (const { start, end, text } of changes.toSorted((one, other) => one.start - other.start)) {
    result += code.slice(at, start) + text;
    at = end;
  }
  return result + code.slice(at);
};

/** Whether a function has a parameter or variable of this name. */
const declares = (within: Node, name: string): boolean => {
  let found = false;
  const named = (pattern: unknown): void =>
    walk(pattern, (node) => (found ||= node['type'] === 'Identifier' && nameIn(node) === name));
  named(within['params']);
  walk(within['body'], (node) => {
    if (node['type'] === 'VariableDeclarator') named(node['id']);
    if (node['type'] === 'CatchClause') named(node['param']);
  });
  return found;
};

/**
 * Throws where a name that a chunk exports gets another value later: what imports it would keep the
 * first one.
 */
const refuseNewValues = (program: Program, exported: readonly string[]): void => {
  const names = new Set(exported);
  walk(program, (node, within) => {
    const target = node['type'] === 'AssignmentExpression' ? node['left'] : node['argument'];
    if (node['type'] !== 'AssignmentExpression' && node['type'] !== 'UpdateExpression') return;
    if (!isNode(target) || target['type'] !== 'Identifier') return;
    const name = nameIn(target);
    if (names.has(name) && !within.some((one) => declares(one, name)))
      throw new Error(`${name} is exported and changes`);
  });
};

/** A chunk in two: the module that others import, and the text of the function that it runs. */
export interface Halves {
  readonly module: string;
  readonly text: string;
}

/**
 * Returns a chunk as a module that has its text run by `keptCode` of main/cli/common/kept-code.ts;
 * null where it has no code of its own. The lines of the text are those of the chunk, one line
 * further down.
 * @param runner the path from the chunk to the module of `keptCode`
 * @param file the name of the text's file, beside the chunk
 */
export const halvesOf = (code: string, runner: string, file: string): Halves | null => {
  const { program } = parseSync('chunk.js', code);
  if (program.body.every(({ type }) => type === 'ImportDeclaration' || type.startsWith('Export'))) return null;
  const changes: Change[] = [];
  const imports: string[] = [];
  const bound: string[] = [];
  const exported: { readonly local: string; readonly as: string }[] = [];
  for (const node of program.body) {
    if (node.type === 'ImportDeclaration') {
      const whole = `from${imports.length}`;
      imports.push(`import*as ${whole} from${JSON.stringify(node.source.value)};`);
      const named = node.specifiers.map((specifier) => {
        if (specifier.type !== 'ImportSpecifier') throw new Error('a chunk imports by name');
        return `${nameIn(specifier.imported)}:${specifier.local.name}`;
      });
      bound.push(`const{${named.join(',')}}=${whole};`);
      changes.push({ start: node.start, end: node.end, text: '' });
    } else if (node.type === 'ExportNamedDeclaration' && node.declaration === null && node.source === null) {
      for (const { local, exported: as } of node.specifiers) exported.push({ local: nameIn(local), as: nameIn(as) });
      changes.push({ start: node.start, end: node.end, text: '' });
    } else if (node.type.startsWith('Export')) throw new Error('a chunk exports what it declared before');
  }
  refuseNewValues(
    program,
    exported.map(({ local }) => local),
  );
  walk(program, ({ type, start, end }) => {
    if (type === 'MetaProperty' && code.startsWith('import', Number(start)))
      changes.push({ start: Number(start), end: Number(end), text: 'importMeta' });
    // A script has no `import()` of its own.
    if (type === 'ImportExpression')
      changes.push({ start: Number(start), end: Number(start) + 'import'.length, text: 'importHere' });
  });
  const given = ['importMeta', 'importHere', ...imports.map((_, index) => `from${index}`)].join(',');
  const locals = [...new Set(exported.map(({ local }) => local))];
  const asBound = exported.map(({ local, as }) => `of${locals.indexOf(local)} as ${as}`).join(',');
  return {
    module: [
      ...imports,
      `import{keptCode}from${JSON.stringify(runner)};`,
      `const{${locals.map((local, index) => `${local}:of${index}`).join(',')}}=keptCode(import.meta.dirname+${JSON.stringify(`/${file}`)})(${given.replace('importMeta,importHere', 'import.meta,name=>import(name)')});`,
      `export{${asBound}};`,
    ].join('\n'),
    text: `(function(${given}){"use strict";${bound.join('')}\n${changed(code, changes)}\nreturn{${locals.join(',')}}})`,
  };
};

/**
 * Has the large chunks of the command line run by `keptCode`, which keeps the compiled code of
 * every function that ran. Node's own cache is made before a module runs: of the 1,100 functions
 * that `curfew scan` calls it has none, and to compile them took 40 of 205 ms.
 */
export const keptChunks = (environments: readonly string[], names: readonly string[], runner: string): Plugin => ({
  name: 'curfew:kept-chunks',
  applyToEnvironment: ({ name }) => environments.includes(name),
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || !names.includes(chunk.name)) continue;
        const { fileName, code, map } = chunk;
        const file = fileName.replace(/\.js$/u, '.text.js');
        const way = posix.relative(posix.dirname(fileName), runner);
        const halves = halvesOf(code, way.startsWith('.') ? way : `./${way}`, posix.basename(file));
        if (halves === null) continue;
        const { module, text } = halves;
        this.emitFile({ type: 'asset', fileName: file, source: text });
        if (map !== null) {
          // The text begins a line later.
          const moved = { ...map, file: posix.basename(file), mappings: `;${map.mappings}` };
          this.emitFile({ type: 'asset', fileName: `${file}.map`, source: JSON.stringify(moved) });
          delete bundle[`${fileName}.map`];
        }
        chunk.code = module;
        chunk.map = null;
      }
    },
  },
});
