import { argumentsOf, hasOption } from '../script/arguments.ts';
import type { GuardCall, Rule } from '../script/guard-call.ts';
import { findsOwnShell, processPattern } from '../script/own-text.ts';
import { loopsOf, placesIn } from '../script/places.ts';
import { programOf } from '../script/program.ts';
import type { Command, List, Loop, Pipeline, Word } from '../script/script.ts';

/** Returns the only pipeline of a list; null if there are more. */
const onlyPipeline = (list: List): Pipeline | null => {
  const [statement, ...statements] = list.statements;
  const [pipeline, ...pipelines] = statement?.pipelines ?? [];
  return statements.length > 0 || pipelines.length > 0 || statement?.background === true ? null : (pipeline ?? null);
};

/** Returns the pattern by which a pipeline finds itself: `pgrep -f X`, `ps aux | grep X`. */
const ownPattern = ({ commands }: Pipeline): string | null => {
  const programs = commands.map((command) => (command.kind === 'simple' ? programOf(command) : null));
  const [first, second, ...others] = programs;
  if (first == null) return null;
  if (first.name === 'pgrep' && programs.length === 1) {
    const found = processPattern(first);
    return found?.inCommandLines === true ? found.pattern : null;
  }
  if (first.name !== 'ps' || second?.name !== 'grep' || others.length > 0) return null;
  // grep's pattern is in its own arguments and in those of the shell.
  const given = argumentsOf(second.args, { valued: 'efmABC' });
  const [pattern, ...files] = given?.operands ?? [];
  if (given === null || files.length > 0 || hasOption(given, 'v', 'e', 'f', 'x', 'c')) return null;
  const shown = first.args.map(({ value }) => value ?? '').join(' ');
  return /^(?:-?[aeux]{2,4}w*|-[eA]f?w*|-ef|-eaf)$/u.test(shown) && /^[\w ./:=-]+$/u.test(pattern?.value ?? '')
    ? (pattern?.value ?? null)
    : null;
};

/** Returns the list inside `"$(…)"` that is a whole word. */
const substitution = (word: Word | undefined): Pipeline | null => {
  const [list, ...others] = word?.substitutions ?? [];
  if (word === undefined || list === undefined || others.length > 0) return null;
  return /^"?\$\(.*\)"?$/su.test(word.text) ? onlyPipeline(list) : null;
};

interface Seen {
  readonly pattern: string;
  /** True while something is found. */
  readonly whileFound: boolean;
}

/** `[ -z "$(…)" ]`, `test -n "$(…)"`, `[[ -n $(…) ]]`. */
const emptiness = (command: Command): Seen | null => {
  let operator: string | null = null;
  let operand: Word | undefined;
  if (command.kind === 'test') {
    operator = command.operator;
    operand = command.operands.length === 1 ? command.operands[0] : undefined;
  } else if (command.kind === 'simple') {
    const [name, first, second, third, ...others] = command.words;
    const bracket = name?.value === '[' && third?.value === ']';
    if (others.length > 0 || (!bracket && !(name?.value === 'test' && third === undefined))) return null;
    operator = first?.value ?? null;
    operand = second;
  }
  if (operator !== '-z' && operator !== '-n') return null;
  const pipeline = substitution(operand);
  const pattern = pipeline === null ? null : ownPattern(pipeline);
  return pattern === null ? null : { pattern, whileFound: operator === '-n' };
};

const seenBy = (condition: List): Seen | null => {
  const pipeline = onlyPipeline(condition);
  const [only, ...others] = pipeline?.commands ?? [];
  if (pipeline === null || only === undefined) return null;
  const direct = ownPattern(pipeline);
  const seen = direct === null ? (others.length === 0 ? emptiness(only) : null) : { pattern: direct, whileFound: true };
  return seen === null ? null : { ...seen, whileFound: seen.whileFound !== pipeline.negated };
};

const leaves = ({ body }: Loop, source: GuardCall['script']): boolean =>
  placesIn({ ...source, list: body }).some(({ command }) =>
    ['break', 'exit', 'return', 'exec', 'kill', 'pkill'].includes(command.words[0]?.value ?? ''),
  );

/**
 * Finds a loop that waits for a process to end but matches itself: agents run commands as `bash -c
 * "… eval '…'"`, so the pattern of `pgrep -f` is in the command line of the shell that runs the
 * loop (anthropics/claude-code#60716).
 */
export const waitsForItself: Rule = (call) => {
  for (const loop of loopsOf(call.script)) {
    if (loop.how === 'for' || loop.condition === null || leaves(loop, call.script)) continue;
    const seen = seenBy(loop.condition);
    if (seen === null || (loop.how === 'while') !== seen.whileFound) continue;
    if (!findsOwnShell({ pattern: seen.pattern, inCommandLines: true, ignoresCase: false }, call)) continue;
    const trick = seen.pattern.replace(/[A-Za-z0-9]/u, '[$&]');
    return {
      sentence: `This loop never ends, because "${seen.pattern}" also matches the command line of the shell that runs it: search for "${trick}", or wait for the process by its id with \`tail --pid=PID -f /dev/null\`.`,
      bounds: [],
    };
  }
  return null;
};
