import { posix } from 'node:path';
import type { Plugin } from 'vite';

const virtual = '\0curfew:late-re2js';
const engineFile = 'chunks/re2js.js';
/** Stands for the way from a chunk to the engine's, which only the finished chunk knows. */
const marker = '__CURFEW_PATTERN_ENGINE__';

/**
 * Loads re2js when the first pattern is compiled instead of at every start: 6 ms and 190 kB of source
 * that a machine without patterns in its settings never needs. The engine becomes a chunk of its own,
 * which Node takes in synchronously, from 22.13 on without a warning
 * (https://nodejs.org/api/modules.html#loading-ecmascript-modules-using-require). Passes on what
 * app/format/pattern.ts takes of re2js and nothing else: the build fails when it takes more.
 */
export const latePatterns = (environments: readonly string[]): Plugin => ({
  name: 'curfew:late-patterns',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => environments.includes(name),
  resolveId(source, importer) {
    return source === 're2js' && importer?.includes('/app/') === true ? virtual : null;
  },
  load(id) {
    if (id !== virtual) return null;
    this.emitFile({ type: 'chunk', id: 're2js', fileName: engineFile });
    return `
      import { createRequire } from 'node:module';
      let engine;
      const late = () => (engine ??= createRequire(import.meta.url)('${marker}'));
      export const RE2JS = {
        compile: (...all) => late().RE2JS.compile(...all),
        get DOTALL() { return late().RE2JS.DOTALL; },
      };
      const kind = (name) => ({ [Symbol.hasInstance]: (value) => value instanceof late()[name] });
      export const RE2JSException = kind('RE2JSException');
      export const RE2JSSyntaxException = kind('RE2JSSyntaxException');
    `;
  },
  renderChunk(code, { fileName }) {
    if (!code.includes(marker)) return null;
    const way = posix.relative(posix.dirname(fileName), engineFile);
    return { code: code.replaceAll(marker, `./${way}`), map: null };
  },
});
