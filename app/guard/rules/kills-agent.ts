import { argumentsOf, hasOption } from '../script/arguments.ts';
import type { Finding, GuardCall, Rule } from '../script/guard-call.ts';
import { findsOwnShell, patternFits, processPattern } from '../script/own-text.ts';
import type { Place } from '../script/places.ts';
import { type Program, programOf } from '../script/program.ts';

const say = (sentence: string): Finding => ({ sentence, bounds: [] });

const byPid = 'end it by its process id, or with your own tool for ending background commands';

/** Signals that do not end a process. */
const harmless = /^-(?:0|CONT|SIGCONT|WINCH|SIGWINCH|URG|SIGURG|l|L|-list)$/u;

const isHarmless = ({ args }: Program): boolean => args.some(({ value }) => value !== null && harmless.test(value));

/** `kill` of all processes, of the shell's parent, or of a job of another shell. */
const killed = (program: Program, call: GuardCall): Finding | null => {
  const [first, ...rest] = program.args;
  if (first === undefined || isHarmless(program)) return null;
  const signalled = first.value?.startsWith('-') === true;
  const targets = signalled ? rest : program.args;
  if (targets.some(({ value }) => value === '-1'))
    return say(`\`kill -1\` as a target ends every process of this user, the agent included: ${byPid}.`);
  if (
    targets.some(({ text }) =>
      ['$PPID', '"$PPID"', '${PPID}', '$CLAUDE_PID', '"$CLAUDE_PID"', '${CLAUDE_PID}'].includes(text),
    )
  )
    return say(`The parent of this shell is the agent itself, and this would end it: ${byPid}.`);
  // Each call of an agent gets its own shell, so only jobs of this command are its jobs. Cursor's
  // shell may persist.
  const job = targets.find(({ value }) => value !== null && /^%(?:\d+|%|\+|-)?$/u.test(value));
  if (
    job === undefined ||
    call.shell.mayGoOn ||
    call.functions.size > 0 ||
    /&(?![&>\d])/u.test(call.script.source.replaceAll(/&&|[<>]&|&>/gu, ''))
  )
    return null;
  return say(`\`kill ${job.text}\` ends nothing, because this shell is a new one and has no jobs: ${byPid}.`);
};

/** True if later parts of the same command matter. */
const goesOn = (place: Place, call: GuardCall): boolean =>
  call.places
    .slice(call.places.indexOf(place) + 1)
    .some(({ command }) => ![undefined, 'true', ':', 'exit'].includes(command.words[0]?.value ?? undefined));

const byPattern = (program: Program, place: Place, call: GuardCall): Finding | null => {
  const found = isHarmless(program) ? null : processPattern(program);
  if (found === null) return null;
  const hit = call.agentProcesses.find(({ name, commandLine }) =>
    patternFits(found, found.inCommandLines ? commandLine : name),
  );
  if (hit !== undefined)
    return say(
      `\`pkill\` with "${found.pattern}" also ends the agent itself or what it runs in (${hit.name}): ${byPid}.`,
    );
  if (
    !found.inCommandLines ||
    !findsOwnShell(found, call) ||
    place.ampersand ||
    place.substituted ||
    !goesOn(place, call)
  )
    return null;
  const trick = found.pattern.replace(/[A-Za-z0-9]/u, '[$&]');
  return say(
    `\`pkill -f\` with "${found.pattern}" also ends the shell that runs it, whose command line holds these words, so what follows is never run: look for "${trick}".`,
  );
};

const byName = (program: Program, call: GuardCall): Finding | null => {
  const given = isHarmless(program) ? null : argumentsOf(program.args, { valued: 'suyonZtcjd' });
  if (given === null || hasOption(given, 'r', 'I', 'i', 'o', 'y', 'u', 'g', 's', 'm', 't', 'c', 'z', 'Z', 'n'))
    return null;
  const names = new Set(given.operands.map(({ value }) => value));
  const hit = call.agentProcesses.find(({ name }) => names.has(name));
  return hit === undefined
    ? null
    : say(`\`killall ${hit.name}\` also ends the agent itself or what it runs in: ${byPid}.`);
};

/** Finds a kill that hits the agent, the shell that runs it, or nothing. */
export const killsAgent: Rule = (call) => {
  for (const place of call.places) {
    const program = programOf(place.command);
    if (program === null || call.functions.has(program.name)) continue;
    const found =
      program.name === 'kill'
        ? killed(program, call)
        : program.name === 'pkill'
          ? byPattern(program, place, call)
          : program.name === 'killall'
            ? byName(program, call)
            : null;
    if (found !== null) return found;
  }
  return null;
};
