import { homedir } from 'node:os';
import { runInThisContext } from 'node:vm';
import { agentIds } from '../../app/agents/agent-id.ts';
import { guard } from '../agents/guard/guard.ts';
import { placesFor } from '../store/places.ts';

/*
 * The guard as a program of its own, which the hook script starts before a command of an agent: `guard AGENT < JSON`. A file of its own
 * in the build, without the rest of the command line, because it is waited for before every command (a bare start of Node as 1: this 1.1,
 * the whole command line 3). Whatever goes wrong, it answers nothing and ends with 0: to Copilot CLI any other status is a refusal
 * (https://docs.github.com/en/copilot/reference/hooks-reference), and 2 is one to the others.
 */

/** So long an agent may take to tell, and so long the guard may think, milliseconds. */
const patienceMs = 1500;
const thoughtMs = 800;
/** More than that is no call of a shell, UTF-16 code units. */
const longestTold = 4 * 1024 * 1024;

const agent = agentIds.find((id) => id === process.argv[2]);
const nothing = agent === 'gemini' ? '{}' : null;

const say = (answer: string | null): void => {
  if (answer === null) process.exit(0);
  process.stdout.on('error', () => process.exit(0));
  process.stdout.write(`${answer}\n`, () => process.exit(0));
};

const think = (told: string): string | null => {
  if (agent === undefined) return nothing;
  const { platform, env: environment } = process;
  const home = homedir();
  const { settings } = placesFor({ platform, environment, home, workingFolder: process.cwd() });
  const surroundings = {
    settings,
    platform,
    uid: process.getuid?.() ?? -1,
    parent: process.ppid,
    path: environment['PATH'],
  };
  // A timer could not end what keeps the only thread busy; the limit of a script in a context can.
  Reflect.set(globalThis, Symbol.for('curfew.guard'), () => guard(agent, told, surroundings));
  return (
    (runInThisContext("globalThis[Symbol.for('curfew.guard')]()", { timeout: thoughtMs }) as string | null) ?? nothing
  );
};

let told = '';
process.on('uncaughtException', () => {
  say(nothing);
});
setTimeout(() => {
  say(nothing);
}, patienceMs).unref();
process.stdin.setEncoding('utf8');
process.stdin.on('data', (part: string) => {
  told += part;
  if (told.length > longestTold) say(nothing);
});
process.stdin.on('end', () => {
  say(think(told));
});
