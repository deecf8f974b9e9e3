import type { Plugin } from 'vite';
import { parseSync } from 'vite';

/**
 * Modules of Node that many files import and few commands use: only functions are taken from them,
 * and loaded when called. `node:crypto` takes 3.0 MB of resident memory as soon as it is loaded,
 * `node:child_process` with its sockets 2.6 MB, of the 66 MB of an idle `curfew watch` (Node 24.21,
 * x86-64).
 */
const rarelyCalled: ReadonlySet<string> = new Set(['node:crypto', 'node:child_process', 'node:zlib']);

/** Returns one `import … from 'node:…'` as a declaration that gets the module from the process. */
const asDeclaration = (
  module: string,
  specifiers: readonly {
    readonly kind: 'default' | 'all' | 'named';
    readonly imported: string;
    readonly local: string;
  }[],
): string => {
  const asked = `process.getBuiltinModule(${JSON.stringify(module)})`;
  if (rarelyCalled.has(module)) {
    return specifiers
      .map(({ kind, imported, local }) => {
        if (kind !== 'named')
          throw new Error(`${module} is loaded when one of its functions is called: import these by name`);
        return `const ${local} = (...all) => ${asked}.${imported}(...all);`;
      })
      .join(' ');
  }
  const whole = specifiers.filter(({ kind }) => kind !== 'named').map(({ local }) => `const ${local} = ${asked};`);
  const named = specifiers
    .filter(({ kind }) => kind === 'named')
    .map(({ imported, local }) => (imported === local ? local : `${imported}: ${local}`));
  return [...whole, ...(named.length === 0 ? [] : [`const { ${named.join(', ')} } = ${asked};`])].join(' ');
};

/**
 * Gets Node's own modules from the process instead of importing them. An import makes Node touch
 * every export of a module, the lazy ones too (`fs.promises`, the streams of `process`): 13 of the
 * 45 ms of `curfew --help` under a profiler. Needs Node 22.3; build/bin/curfew.js rejects anything
 * older than 22.13 (https://nodejs.org/api/process.html#processgetbuiltinmoduleid).
 */
export const quickBuiltins = (environments: readonly string[]): Plugin => ({
  name: 'curfew:quick-builtins',
  applyToEnvironment: ({ name }) => environments.includes(name),
  renderChunk: {
    order: 'post',
    handler(code) {
      let result = '';
      let at = 0;
      for (const node of parseSync('chunk.js', code).program.body) {
        if (node.type !== 'ImportDeclaration' || !node.source.value.startsWith('node:')) continue;
        const specifiers = node.specifiers.map((specifier) => {
          const local = specifier.local.name;
          if (specifier.type === 'ImportDefaultSpecifier')
            return { kind: 'default', imported: 'default', local } as const;
          if (specifier.type === 'ImportNamespaceSpecifier') return { kind: 'all', imported: '*', local } as const;
          const { imported } = specifier;
          const name = imported.type === 'Identifier' ? imported.name : imported.value;
          return { kind: name === 'default' ? 'default' : 'named', imported: name, local } as const;
        });
        result += code.slice(at, node.start) + asDeclaration(node.source.value, specifiers);
        at = node.end;
      }
      // Only the imports' own lines change, so the source map stays right line by line.
      return at === 0 ? null : { code: result + code.slice(at), map: null };
    },
  },
});

const spawning = "import childProcess from 'node:child_process';";

/**
 * commander loads Node's child processes for commands that are separate programs, of which there
 * are none here; 5 ms of every start. Fails the build when commander's source has changed there.
 */
export const commanderWithoutPrograms = (environments: readonly string[]): Plugin => ({
  name: 'curfew:commander-without-programs',
  applyToEnvironment: ({ name }) => environments.includes(name),
  transform: {
    filter: { id: /node_modules\/commander\/lib\/command\.js$/u },
    handler(code) {
      if (!code.includes(spawning)) this.error('commander no longer imports node:child_process the way it did');
      const lazily =
        "const childProcess = { spawn: (...all) => process.getBuiltinModule('node:child_process').spawn(...all) };";
      return { code: code.replace(spawning, lazily), map: null };
    },
  },
});

const segmenting = 'const segmenter = new Intl.Segmenter();';
const emojiPattern = /const emojiPrefixRegex = (?<pattern>\/\^.*\/v);/u;

/**
 * string-width has a segmenter made before it is asked for any width: 2.6 MB of tables, which it
 * uses only for text that is not plain ASCII. The same holds for its pattern of all emoji, 1 ms of
 * every start that prints a table (Node 24.21, x86-64). Fails the build when string-width no longer
 * looks as it did.
 */
export const stringWidthWithoutSegmenter = (environments: readonly string[]): Plugin => ({
  name: 'curfew:string-width-without-segmenter',
  applyToEnvironment: ({ name }) => environments.includes(name),
  transform: {
    filter: { id: /node_modules\/string-width\/index\.js$/u },
    handler(code) {
      if (!code.includes(segmenting)) this.error('string-width no longer makes its segmenter the way it did');
      const lazily =
        'let madeSegmenter; const segmenter = { segment: text => (madeSegmenter ??= new Intl.Segmenter()).segment(text) };';
      const late = code.replace(
        emojiPattern,
        'let madeEmoji; const emojiPrefixRegex = { test: text => (madeEmoji ??= $<pattern>).test(text), exec: text => (madeEmoji ??= $<pattern>).exec(text) };',
      );
      if (late === code) this.error('string-width no longer has its pattern of emoji the way it did');
      return { code: late.replace(segmenting, lazily), map: null };
    },
  },
});
