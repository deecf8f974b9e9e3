import { posix } from 'node:path';
import { parseSync, type Plugin } from 'vite';

const file = 'mcp.js';
/** Stands for the path from a chunk to the server's file. */
const marker = '__CURFEW_MCP_SERVER__';
const entry = /(?:^|\/)mcp\/server\/serve\.ts$/u;

/**
 * Leaves the MCP server out of the command line's chunks: it is a file of its own beside them, with
 * a copy of the libraries that both use. As one of the chunks it would load the engine's for them,
 * and other commands its own.
 */
export const mcpServerApart = (): Plugin => ({
  name: 'curfew:mcp-server-apart',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'cli',
  resolveId: (source) => (entry.test(source) ? { id: marker, external: true } : null),
  renderChunk(code, { fileName }) {
    if (!code.includes(marker)) return null;
    const way = posix.relative(posix.dirname(fileName), file);
    return { code: code.replaceAll(marker, way.startsWith('.') ? way : `./${way}`), map: null };
  },
});

/**
 * What the SDK imports for what this server never does: checking answers to its own questions
 * (ajv), and schemas of zod's version 3. 12 ms of a start. The names are what it takes of each; the
 * build fails when it takes more.
 */
const unused: Readonly<Record<string, string>> = {
  ajv: 'export default class {}',
  'ajv-formats': 'export default {};',
  'zod/v3': 'export const object = refuse;',
  'zod-to-json-schema': 'export const zodToJsonSchema = refuse;',
};

const virtual = '\0curfew:mcp-unused:';

/** Puts stand-ins that throw in the place of what the SDK imports and this server doesn't use. */
export const mcpSdkWithoutRest = (): Plugin => ({
  name: 'curfew:mcp-sdk-without-rest',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'mcp',
  resolveId: (source, importer) =>
    importer?.includes('/@modelcontextprotocol/') === true && Object.hasOwn(unused, source) ? virtual + source : null,
  load(id) {
    const text = id.startsWith(virtual) ? unused[id.slice(virtual.length)] : undefined;
    if (text === undefined) return null;
    const refuse = `const refuse = () => { throw new Error('${id.slice(virtual.length)} is not in this build'); };`;
    return `${refuse}\n${text}`;
  },
});

/**
 * Lets the bundler leave out the schemas of the SDK that this server never uses, two thirds of some
 * 250: each takes a tenth of a millisecond to be made, and to the bundler a call may do anything.
 * Fails the build when the SDK declares none in the way that is known here.
 */
export const mcpSdkSchemas = (): Plugin => ({
  name: 'curfew:mcp-sdk-schemas',
  applyToEnvironment: ({ name }) => name === 'mcp',
  transform: {
    filter: { id: /node_modules\/@modelcontextprotocol\/sdk\/dist\/esm\/(?:types|experimental\/tasks\/.*)\.js$/u },
    handler(code, id) {
      let result = '';
      let at = 0;
      for (const node of parseSync('types.js', code).program.body) {
        if (node.type !== 'ExportNamedDeclaration' && node.type !== 'VariableDeclaration') continue;
        const declaration = node.type === 'VariableDeclaration' ? node : node.declaration;
        if (declaration?.type !== 'VariableDeclaration') continue;
        for (const { init } of declaration.declarations) {
          if (init?.type !== 'CallExpression') continue;
          result += `${code.slice(at, init.start)}/* @__PURE__ */ (() => ${code.slice(init.start, init.end)})()`;
          at = init.end;
        }
      }
      if (at === 0 && id.endsWith('/types.js')) this.error('the SDK no longer declares its schemas the way it did');
      return at === 0 ? null : { code: result + code.slice(at), map: null };
    },
  },
});
