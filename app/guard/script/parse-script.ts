import { parse } from 'unbash';
import type { CommandNode, CompoundList, ParsedScript, PipelineNode, Statement as ParsedStatement } from 'unbash';
import { Unsure, redirectionsOf, testWords, wordOf } from './parse-words.ts';
import type { Command, List, Pipeline, Script, SimpleCommand, Statement } from './script.ts';

/*
 * Why unbash (https://github.com/webpro-nl/unbash, ISC): the whole grammar of Bash 5.3 as a typed
 * tree with offsets, synchronous, no dependencies, no Node or DOM types, errors collected instead
 * of guessed away, released about every two weeks (6.0.4, November 2026). Node started with it and
 * one command parsed, a bare start of Node as 1: unbash 1.1 as one bundled file (1.4 as it comes),
 * mvdan-sh 2.3 (sh in GopherJS, given up in favour of sh-syntax), sh-syntax 2.7 (the same parser in
 * Go as WebAssembly, asynchronous),
 * @ericcornelissen/bash-parser 2.0 (archived, no `[[ ]]`), tree-sitter-bash in WebAssembly 14. The
 *   worst texts of 100 kB that were found take it 1.5 s (`<<a <<a …`, quadratic) or overflow the
 *   stack (`function f function f …`); hence the bound here.
 */

/** Longest parsed command, UTF-16 units: longer ones write files, and a rule must be fast. */
export const maxCommandLength = 32_768;

interface Context {
  readonly source: string;
  heredoc: boolean;
}

/** Only blanks and continued lines separate a command's words; the parser skips a stray `(`. */
const isBlank = (text: string): boolean => /^(?:[ \t]|\\\r?\n)*$/u.test(text);

/** Only ends of statements, comments and here-documents may stand between statements. */
const isGap = (text: string, context: Context): boolean =>
  context.heredoc || /^(?:[\s;]|\\\r?\n|#.*(?![^\n\r\u2028\u2029]))*$/u.test(text);

/** What may follow the last command of a statement: blanks and one operator. */
const isEnd = (text: string): boolean => /^(?:[ \t]|\\\r?\n)*[;&]?$/u.test(text);

const separation = (gap: string): Statement['endsWith'] =>
  /[;&|]/u.test(gap.replaceAll(/(?:^|\s)#.*$/gmu, '')) ? 'operator' : 'line';

const listOf = (statements: readonly ParsedStatement[], context: Context): List => ({
  statements: statements.map((statement, index) => {
    const pipelines = pipelinesOf(statement.command, context);
    const next = statements[index + 1];
    const gap = next === undefined ? '' : context.source.slice(statement.end, next.pos);
    const background = statement.background === true;
    const rest = context.source.slice(statement.end, statement.end + 1000);
    // The parser accepts a `;` after an `&` and at the start of a line, and a stray `(` at the end;
    // the shell doesn't.
    const misplaced = background ? /^\s*;(?!;)/u : /^(?:\s*\n\s*;(?!;)|[ \t]*;\s+;(?!;)|[ \t]*\()/u;
    // It also skips a stray `(` between a command and its `&`.
    const end = context.source.slice(statement.command.end, statement.end);
    if (!isGap(gap, context) || (!context.heredoc && (misplaced.test(rest) || !isEnd(end)))) throw new Unsure();
    return {
      pipelines,
      background,
      endsWith: background ? 'operator' : separation(gap),
    };
  }),
});

/** Only an operator stands between pipelines and between their commands. */
const joined = <Part extends { readonly pos: number; readonly end: number }>(
  parts: readonly Part[],
  context: Context,
): readonly Part[] =>
  certain(parts, (all) =>
    all.every((part, index) => {
      const before = all[index - 1];
      return (
        before === undefined ||
        context.heredoc ||
        /^(?:[\s&|]|\\\r?\n|#.*(?![^\n\r\u2028\u2029]))*$/u.test(context.source.slice(before.end, part.pos))
      );
    }),
  );

const pipelinesOf = (node: ParsedStatement['command'], context: Context): readonly Pipeline[] =>
  node.type === 'AndOr'
    ? joined(node.commands, context).map((one) => pipelineOf(one, context))
    : [pipelineOf(node, context)];

const pipelineOf = (node: PipelineNode, context: Context): Pipeline =>
  node.type === 'Pipeline'
    ? {
        negated: node.prefixes.filter(({ type }) => type === 'Negation').length % 2 === 1,
        commands: joined(
          certain(node.commands, ({ length }) => length > 0),
          context,
        ).map((one) => commandOf(one, context)),
      }
    : { negated: false, commands: [commandOf(node, context)] };

/** Returns its argument if it is as required. */
const certain = <Part>(part: Part, holds: (part: Part) => boolean): Part => {
  if (!holds(part)) throw new Unsure();
  return part;
};

const nested = (script: ParsedScript | undefined, context: Context): List => {
  // The text of escaped backticks is a different one, with its own offsets.
  if (script === undefined || script.source !== undefined || (script.errors ?? []).length > 0) throw new Unsure();
  return listOf(script.commands, context);
};

const body = (list: CompoundList, context: Context): List => listOf(list.commands, context);

const simple = (node: Extract<CommandNode, { type: 'Command' }>, context: Context): SimpleCommand => {
  const substituted = (script: ParsedScript | undefined): List => nested(script, context);
  const words = [
    ...(node.name === undefined ? [] : [node.name]),
    ...node.suffix.filter((part) => part.type === 'Word' || part.type === 'Assignment'),
  ];
  const assignments = node.prefix.filter((part) => part.type === 'Assignment').map((part) => wordOf(part, substituted));
  const parts = [...(node.name === undefined ? [] : [node.name]), ...node.prefix, ...node.suffix].toSorted(
    (left, right) => left.pos - right.pos,
  );
  parts.forEach((part, index) => certain(context.source.slice(parts[index - 1]?.end ?? part.pos, part.pos), isBlank));
  if (node.redirects.some(({ type }) => type === 'HereDoc')) context.heredoc = true;
  return {
    kind: 'simple',
    assignments,
    words: words.map((word) => wordOf(word, substituted)),
    redirections: redirectionsOf(node.redirects, context.source, (script) => nested(script, context)),
  };
};

const withRedirections = (
  node: Exclude<CommandNode, { type: 'Command' | 'Redirected' | 'Function' | 'Coproc' }>,
  redirections: SimpleCommand['redirections'],
  context: Context,
): Command => {
  const common = { redirections };
  switch (node.type) {
    case 'Subshell':
    case 'BraceGroup':
      return { kind: 'group', body: body(node.body, context), ...common };
    case 'While':
      return {
        kind: 'loop',
        how: node.kind,
        condition: body(node.clause, context),
        body: body(node.body, context),
        ...common,
      };
    case 'For':
    case 'Select':
    case 'ArithmeticFor':
      return { kind: 'loop', how: 'for', condition: null, body: body(node.body, context), ...common };
    case 'If':
      return {
        kind: 'choice',
        lists: [
          ...[node, ...node.elif].flatMap((part) => [body(part.clause, context), body(part.then, context)]),
          ...(node.else === undefined ? [] : [body(node.else, context)]),
        ],
        ...common,
      };
    case 'Case':
      return { kind: 'choice', lists: node.items.map((item) => body(item.body, context)), ...common };
    case 'TestCommand':
      return { kind: 'test', ...testWords(node.expression, (script) => nested(script, context)) };
    case 'ArithmeticCommand':
      return { kind: 'other' };
  }
};

const commandOf = (node: CommandNode, context: Context): Command => {
  if (node.type === 'Command') return simple(node, context);
  if (node.type === 'Function') return { kind: 'function', name: node.name.value };
  if (node.type === 'Coproc') return { kind: 'other' };
  if (node.type !== 'Redirected') return withRedirections(node, [], context);
  if (node.redirects.some(({ type }) => type === 'HereDoc')) context.heredoc = true;
  return withRedirections(
    node.command,
    redirectionsOf(node.redirects, context.source, (script) => nested(script, context)),
    context,
  );
};

/** Parses a command. Null if too long, unparsable or ambiguous: nothing is said. Never throws. */
export const parseScript = (source: string): Script | null => {
  if (source.length > maxCommandLength || source.endsWith('\\')) return null;
  try {
    const parsed = parse(source);
    if ((parsed.errors ?? []).length > 0) return null;
    const context: Context = { source, heredoc: false };
    const list = listOf(parsed.commands, context);
    certain(source.slice(parsed.commands.at(-1)?.end ?? 0), (rest) => isGap(rest, context));
    return { source, list, heredoc: context.heredoc };
  } catch {
    // `Unsure`, or the parser failed: its stack overflows on thousands of nested constructs. Either
    // way nothing is known.
    return null;
  }
};
