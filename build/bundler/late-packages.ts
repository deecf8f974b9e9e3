import { posix } from 'node:path';
import type { Plugin } from 'vite';

/** What is passed on of each package: only what app uses of it, or the build fails. */
const passedOn: Readonly<Record<string, string>> = {
  re2js: `
      export const RE2JS = {
        compile: (...all) => late().RE2JS.compile(...all),
        get DOTALL() { return late().RE2JS.DOTALL; },
      };
      const kind = (name) => ({ [Symbol.hasInstance]: (value) => value instanceof late()[name] });
      export const RE2JSException = kind('RE2JSException');
      export const RE2JSSyntaxException = kind('RE2JSSyntaxException');`,
  unbash: `
      export const parse = (...all) => late().parse(...all);`,
};

const virtual = '\0curfew:late-';
const fileOf = (name: string): string => `chunks/${name}.js`;
/** Stands for the path from a chunk to a package's, which only the finished chunk knows. */
const marker = /__CURFEW_LATE_(\w+)__/gu;

/**
 * Loads re2js when the first pattern is compiled, and unbash when the first command is taken apart,
 * instead of at every start: 9 ms and 340 kB of source that a machine without patterns and jobs
 * never needs. Each becomes a chunk of its own, which Node loads synchronously, from 22.13 on
 * without a warning
 * (https://nodejs.org/api/modules.html#loading-ecmascript-modules-using-require).
 */
export const latePackages = (environments: readonly string[]): Plugin => ({
  name: 'curfew:late-packages',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => environments.includes(name),
  resolveId(source, importer) {
    return Object.hasOwn(passedOn, source) && importer?.includes('/app/') === true ? `${virtual}${source}` : null;
  },
  load(id) {
    const name = id.startsWith(virtual) ? id.slice(virtual.length) : '';
    if (!Object.hasOwn(passedOn, name)) return null;
    this.emitFile({ type: 'chunk', id: name, fileName: fileOf(name) });
    return `
      import { createRequire } from 'node:module';
      let loaded;
      const late = () => (loaded ??= createRequire(import.meta.url)('__CURFEW_LATE_${name}__'));
      ${passedOn[name]}
    `;
  },
  renderChunk(code, { fileName }) {
    const placed = code.replaceAll(
      marker,
      (_, name: string) => `./${posix.relative(posix.dirname(fileName), fileOf(name))}`,
    );
    return placed === code ? null : { code: placed, map: null };
  },
});
