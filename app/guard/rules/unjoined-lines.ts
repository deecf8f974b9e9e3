import type { Rule } from '../script/guard-call.ts';
import type { Statement } from '../script/script.ts';

/** Words that make a script a planned program: it stops at errors, waits, traps. */
const deliberate = new Set(['set', 'trap', 'wait', 'source', '.', 'return', 'exit']);

/** Builtins that neither fail nor wait: lines with these before a command are harmless. */
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

/** True for a line that only runs programs: no loop, condition, function or bare assignment. */
const isPlain = ({ pipelines }: Statement): boolean =>
  pipelines.every(({ commands }) => commands.every((command) => command.kind === 'simple' && command.words.length > 0));

/**
 * Finds several commands on separate lines of a background call without operators between them.
 * Seen in anthropics/claude-code#51932: `cd …`, two `npx … | tail -3` and `wc`, each on its line; a
 * pipe waited for input and six processes stood still for 16 h 33 min. After a failure the
 * remaining lines run unobserved.
 */
export const unjoinedLines: Rule = ({ script, background, places }) => {
  if (!background || script.heredoc) return null;
  if (places.some(({ command }) => deliberate.has(command.words[0]?.value ?? ''))) return null;
  // A script that checks the result of a line handles failure.
  if (/\$\?|\bPIPESTATUS\b/u.test(script.source)) return null;
  const all = script.list.statements;
  const first = all.findIndex((statement) => !isHarmless(statement));
  const statements = first === -1 ? [] : all.slice(first);
  // One line beyond a plain command makes it a script, whose author chose the line breaks.
  if (statements.length < 2 || !statements.every(isPlain)) return null;
  if (statements.slice(0, -1).every(({ endsWith }) => endsWith === 'operator')) return null;
  return {
    sentence: `These ${statements.length} commands are on separate lines without operators, so in the background one can fail or wait unnoticed: join them with && (or ; if a failure may be ignored), or start each in its own call.`,
    bounds: [],
  };
};
