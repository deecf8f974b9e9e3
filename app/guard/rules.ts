import { killsAgent } from './rules/kills-agent.ts';
import { neverEnds } from './rules/never-ends.ts';
import { waitsForItself } from './rules/waits-for-itself.ts';
import { waitsOnInput } from './rules/waits-on-input.ts';
import { argumentsOf, hasOption } from './script/arguments.ts';
import { type Rule, isLeftRunning } from './script/guard-call.ts';
import type { Place } from './script/places.ts';
import { type Program, programOf } from './script/program.ts';
import type { Statement, Word } from './script/script.ts';
import type { GuardRuleId } from './settings.ts';

/** With these options a program prints something and ends. */
const brief = new Set(['--version', '-v', '-V', '--help', '-h', 'version', 'help']);
const briefOllama = new Set(['list', 'ls', 'ps', 'show', 'stop', 'rm', 'cp', 'help', '--version', '-v']);

const isBrief = ({ args }: Program): boolean => args.length === 0 || args.some(({ value }) => brief.has(value ?? ''));

/** Programs that may run or wait forever, with a test for calls that don't. */
const mayStay = (program: Program): boolean => {
  const { name, args } = program;
  switch (name) {
    case 'npx':
      return !isBrief(program);
    case 'wget': {
      // With its own limit it gives up on a silent connection: wget(1).
      const given = argumentsOf(args, { valued: 'aABDeiIlNoOPQRtTUwX' });
      return !isBrief(program) && (given === null || !hasOption(given, 'T', '--timeout', '--read-timeout'));
    }
    case 'node':
    case 'nodejs':
      return !isBrief(program) && !args.some(({ value }) => value === '-c' || value === '--check');
    case 'ollama':
      return args.length > 0 && !briefOllama.has(args[0]?.value ?? '');
    case 'curl': {
      const given = argumentsOf(args, { valued: 'mHdXoAbcCDeEFKPQrtTuUwxyYz', longValued: ['--max-time'] });
      return given !== null && hasOption(given, 'N', '--no-buffer') && !hasOption(given, 'm', '--max-time');
    }
    default:
      // Unbuffered output means that its progress is watched.
      return (
        /^python[\d.]*$/u.test(name) &&
        args[0]?.value?.startsWith('-') === true &&
        /^-[bBdEiIOPqsSvx]*u/u.test(args[0].value)
      );
  }
};

/** Finds a program in the background that may never end and has no `timeout` before it. */
const noTimeout: Rule = (call) => {
  const found = call.places.flatMap((place) => {
    if (!isLeftRunning(call, place)) return [];
    const program = programOf(place.command);
    if (program === null || program.bounded || call.functions.has(program.name) || !mayStay(program)) return [];
    return [program];
  });
  const [first] = found;
  if (first === undefined) return null;
  return {
    sentence: `\`${first.name}\` is started in the background without a time limit and may never end: put \`timeout SECONDS\` in front of it.`,
    bounds: found.map(({ word }) => word.start),
  };
};

/** Options of sudo(8) with a value, and those that ask elsewhere or not at all. */
const valued = /^-[A-Za-z]*[ugpCDRTUrt]$/u;
const neverAsksHere =
  /^(?:-[A-Za-z]*[nSAkKVh][A-Za-z]*|--(?:non-interactive|stdin|askpass|reset-timestamp|remove-timestamp|version|help).*)$/u;

/** True if it may ask for a password; false if an option isn't known for certain. */
const mayAsk = (args: readonly Word[]): boolean => {
  for (let index = 0; index < args.length; index += 1) {
    const value = args[index]?.value;
    if (value == null || neverAsksHere.test(value)) return false;
    if (!value.startsWith('-') && !/^\w+=/u.test(value)) return true;
    if (valued.test(value)) index += 1;
  }
  return false;
};

/**
 * Finds `sudo` in the background, where the user can't type a password. sudo(8): -n never asks, -S
 * and -A ask elsewhere.
 */
const sudoInBackground: Rule = (call) => {
  if (call.root || call.functions.has('sudo')) return null;
  const asks = call.places.some((place) => {
    const program = isLeftRunning(call, place) ? programOf(place.command) : null;
    return program?.name === 'sudo' && !program.bounded && mayAsk(program.args);
  });
  if (!asks) return null;
  return {
    sentence:
      '`sudo` may ask for a password, which can’t be typed in the background: use `sudo -n`, which fails at once instead of waiting, or ask the user to run it.',
    bounds: [],
  };
};

/** Commands that are not plausible as arguments if a further word follows. */
const implausibleArguments = new Set(['echo', 'printf', 'cd', 'sleep', 'exit', 'export']);

/** Programs whose arguments may be command names: run, searched for, or a subcommand. */
const takesAnyWords = new Set(
  'echo printf sudo doas xargs find ssh docker podman kubectl watch nice strace ltrace gdb perf flock parallel type which whereis man info help hash apropos tldr run exec env nohup time bash sh zsh dash eval test [ say git gh grep egrep fgrep rg ag ack awk sed poetry pdm uv pipenv redis-cli adb tmux screen'.split(
    ' ',
  ),
);

const swallowedBy = ({ command }: Place): string | null => {
  const program = programOf(command);
  if (program === null || program.word !== command.words[0] || takesAnyWords.has(program.name)) return null;
  const outputs = command.redirections.filter(({ kind, descriptor }) => kind === 'output' && descriptor === 1);
  for (const output of outputs) {
    // Returns the words right after the redirection, or after adjacent ones.
    const behind = command.words.filter(({ start }) => start >= output.end);
    const [name, argument] = behind;
    const before = command.words.filter(({ end }) => end <= output.start);
    if (name === undefined || argument === undefined || before.length === 0) continue;
    if (name.value !== null && name.value === name.text && implausibleArguments.has(name.value)) return name.value;
  }
  return null;
};

/**
 * Finds a redirection followed by a command whose `;` or `&&` was forgotten: `jq . a.json >
 * out.json echo "written"` gives jq two more files to read, silently.
 */
const swallowedCommand: Rule = ({ places }) => {
  for (const place of places) {
    const swallowed = swallowedBy(place);
    if (swallowed === null) continue;
    const name = place.command.words[0]?.text ?? '';
    return {
      sentence: `\`${swallowed}\` after the redirection is not run but passed to \`${name}\` as an argument: put && or ; before \`${swallowed}\`.`,
      bounds: [],
    };
  }
  return null;
};

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
const unjoinedLines: Rule = ({ script, background, places }) => {
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

/** All rules of the guard, by the name of their setting. */
export const rules: Readonly<Record<GuardRuleId, Rule>> = {
  unjoinedLines,
  noTimeout,
  neverEnds,
  swallowedCommand,
  waitsOnInput,
  waitsForItself,
  killsAgent,
  sudoInBackground,
};
