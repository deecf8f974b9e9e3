import { argumentsOf, hasOption } from '../script/arguments.ts';
import { type Rule, isLeftRunning } from '../script/guard-call.ts';
import { type Program, programOf } from '../script/program.ts';

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
export const noTimeout: Rule = (call) => {
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
