import type { Rule } from '../script/guard-call.ts';
import type { Statement } from '../script/script.ts';

/** Words after which a script is a program with a plan of its own: it stops at errors, waits, traps. */
const deliberate = new Set(['set', 'trap', 'wait', 'source', '.', 'return', 'exit']);

/** Builtins that neither fail nor wait: lines of these before a command change nothing. */
const harmless = new Set(['export', 'unset', 'alias', 'umask', 'echo', 'printf', 'true', ':']);

const isHarmless = ({ pipelines }: Statement): boolean =>
  pipelines.every(({ commands }) =>
    commands.every(
      (command) =>
        command.kind === 'simple' &&
        harmless.has(command.words[0]?.value ?? '') &&
        !command.words.some(({ text }) => /\$\(|`|[<>]\(/u.test(text)),
    ),
  );

/** A line that only runs programs: no loop, no condition, no function, no bare assignment. */
const isPlain = ({ pipelines }: Statement): boolean =>
  pipelines.every(({ commands }) => commands.every((command) => command.kind === 'simple' && command.words.length > 0));

/**
 * Several commands on lines of their own in a background call, with nothing between them. Seen in anthropics/claude-code#51932: `cd …`,
 * two `npx … | tail -3` and `wc`, each on its line; a pipe waited for input and six processes stood still for 16 h 33 min. Whatever
 * the agent's wrapper makes of line breaks, after a failure the rest goes on, and nobody is there to see it.
 */
export const unjoinedLines: Rule = ({ script, background, places }) => {
  if (!background || script.heredoc) return null;
  if (places.some(({ command }) => deliberate.has(command.words[0]?.value ?? ''))) return null;
  // Who looks at what a line came to has thought of its failing.
  if (/\$\?|\bPIPESTATUS\b/u.test(script.source)) return null;
  const all = script.list.statements;
  const first = all.findIndex((statement) => !isHarmless(statement));
  const statements = first === -1 ? [] : all.slice(first);
  // One line that is more than a plain command makes it a script, and its author knows what a line is.
  if (statements.length < 2 || !statements.every(isPlain)) return null;
  if (statements.slice(0, -1).every(({ endsWith }) => endsWith === 'operator')) return null;
  return {
    sentence: `These ${statements.length} commands stand on lines of their own with nothing between them, so in the background one can fail or wait and nobody sees it: join them with && (with ; where a failure may be passed over), or start them in calls of their own.`,
    bounds: [],
  };
};
