import * as fc from 'fast-check';
import { describe, test } from 'vitest';
import { claimsOf, outputOf, programOf } from '../../app/agents/signatures.ts';
import { compilePattern } from '../../app/format/pattern.ts';

/** The agent's own quoting: single quotes, and `'"'"'` for a quote inside. */
const single = (text: string): string => `'${text.replaceAll("'", `'"'"'`)}'`;

/** npm's `shell-quote`, which 2.0 used for commands on one line. */
const shellQuote = (text: string): string => {
  if (text === '') return "''";
  if (/["\s\\]/.test(text) && !text.includes("'")) return `'${text}'`;
  if (/["'\s]/.test(text)) return `"${text.replaceAll(/(["\\$`!])/g, '\\$1')}"`;
  return text.replaceAll(/([#!"$&'()*,:;<=>?@[\\\]^`{|}])/g, '\\$1');
};

const awkward = fc.constantFrom(
  "'",
  '"',
  '\\',
  '\n',
  '$HOME',
  '`date`',
  '!',
  ' && ',
  ' && eval ',
  "eval 'x' < /dev/null",
  ' < /dev/null',
  ' && pwd -P >| ',
  ' && pwd -P >| /tmp/claude-88d4-cwd',
  "cat <<'EOT'\nbody\nEOT\n",
  `'"'"'`,
  'source /home/me/.claude/shell-snapshots/snapshot-bash-1-a.sh && ',
  '€',
);
const commandText = fc
  .array(fc.oneof(awkward, fc.string({ maxLength: 12 })), { minLength: 1, maxLength: 12 })
  .map((parts) => parts.join(''))
  // argv can't hold a NUL.
  .filter((text) => text.trim() !== '' && !text.includes('\0'));

const source = 'source /home/me/.claude/shell-snapshots/snapshot-bash-1795232364193-wkirkd.sh';
const end = 'pwd -P >| /tmp/claude-88d4-cwd';

describe('unwrapping', () => {
  test('any command quoted as by 2.1 is restored exactly', () => {
    fc.assert(
      fc.property(commandText, fc.boolean(), fc.boolean(), (command, redirected, sandboxed) => {
        const front = sandboxed ? 'exec 3<&- || exit 126; ' : '';
        const step = '\\builtin shopt -u extglob 2>/dev/null || true';
        const script = `${front}${source} 2>/dev/null || true && ${step} && eval ${single(command)}${redirected ? ' < /dev/null' : ''} && ${end}`;
        const [claim] = claimsOf({ argv: ['/bin/bash', '-c', script] }, {});
        return claim?.shell?.rule === 'claude-shell' && claim.shell.command === command;
      }),
      { numRuns: 2000 },
    );
  });

  test('any command without a pipe, quoted as by 2.0, is restored exactly', () => {
    const oneLine = commandText.filter((text) => !text.includes('|'));
    fc.assert(
      fc.property(oneLine, fc.boolean(), (command, redirected) => {
        const script = `${source} && eval ${shellQuote(command)}${redirected ? ' \\< /dev/null' : ''} && ${end}`;
        const [claim] = claimsOf({ argv: ['/bin/bash', '-c', '-l', script] }, {});
        return claim?.shell?.rule === 'claude-shell' && claim.shell.command === command;
      }),
      { numRuns: 2000 },
    );
  });

  test('any command of a mux shell is restored exactly', () => {
    fc.assert(
      fc.property(commandText, commandText, (command, project) => {
        const script = `__MUX_EXIT_CODE_PATH=${single('/tmp/mux-bashes/w/p/exit_code')} && trap 'echo $? > "$__MUX_EXIT_CODE_PATH"' EXIT && cd ${single(project)} || exit; ${command}`;
        const [claim] = claimsOf({ argv: ['bash', '-c', script] }, {});
        return claim?.shell?.command === command && claim.shell.project === project;
      }),
      { numRuns: 1000 },
    );
  });
});

describe('anchoring', () => {
  test('text before or after the wrapper makes it unrecognised', () => {
    const text = fc
      .string({ minLength: 1, maxLength: 40 })
      .filter((part) => !part.includes('\0') && part.trim() !== '');
    fc.assert(
      fc.property(commandText, text, fc.boolean(), (command, extra, front) => {
        const script = `${source} && eval ${single(command)} < /dev/null && ${end}`;
        const argv = ['/bin/bash', '-c', front ? `${extra} ${script}` : `${script} ${extra}`];
        // A tail that is itself the end of a wrapper, or a front that is its head, is the wrapper
        // again.
        fc.pre(!extra.includes('cwd') && !extra.includes('source') && !extra.startsWith('-'));
        return claimsOf({ argv }, {}).length === 0;
      }),
      { numRuns: 1000 },
    );
  });

  test('no command line and no path whatever makes a signature throw', () => {
    const argv = fc.array(fc.oneof(fc.string(), awkward, fc.constantFrom('bash', '-c', 'node', 'claude', '-m')));
    fc.assert(
      fc.property(argv, fc.string(), fc.dictionary(fc.string(), fc.string()), (words, comm, environment) => {
        claimsOf({ argv: words }, environment);
        programOf({ argv: words, comm });
        outputOf(words.join('/'));
        return true;
      }),
    );
  });
});

describe('a user’s patterns', () => {
  test('a pattern that is accepted answers for any text of the length that is matched', () => {
    const piece = fc.constantFrom('a', 'b', '.', '[ab]', '(a|b)', '(?:ab)', '(a*)*', '(?:a?){9}', '\\w', '^', '$');
    const repeat = fc.constantFrom('', '', '*', '+', '?', '{2,}', '{3}', '*?');
    const pattern = fc
      .array(fc.tuple(piece, repeat), { minLength: 1, maxLength: 20 })
      .map((parts) => parts.map((part) => part.join('')).join(''));
    fc.assert(
      fc.property(pattern, fc.constantFrom('a', 'ab', 'b'), (text, unit) => {
        const result = compilePattern(text);
        if (!result.ok) return true;
        // Ends: that is the claim. One that hangs stops the run.
        result.pattern.fits(`${unit.repeat(500)}!`);
        result.pattern.occursIn(`${unit.repeat(2_000)}!`);
        return true;
      }),
      { numRuns: 500 },
    );
  });

  test('an accepted pattern of everyday pieces fits what the engine of JavaScript says it fits', () => {
    const piece = fc.constantFrom('a', 'b', '.', '[ab]', '(?:a|b)', 'ab', '\\d', '\\w', '\\.', '-');
    const repeat = fc.constantFrom('', '', '*', '+', '?', '{2}');
    const pattern = fc
      .array(fc.tuple(piece, repeat), { minLength: 1, maxLength: 4 })
      .map((parts) => parts.map((part) => part.join('')).join(''));
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '1', '.', '-', '\n', 'ä', '😀'), maxLength: 8 });
    fc.assert(
      fc.property(pattern, text, (written, given) => {
        const result = compilePattern(written);
        return result.ok && result.pattern.fits(given) === new RegExp(`^(?:${written})$`, 'su').test(given);
      }),
      { numRuns: 1_000 },
    );
  });
});
