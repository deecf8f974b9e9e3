import { readFileSync, writeSync } from 'node:fs';
import { agentIds } from '../../app/agents/common/agent-id.ts';
import { guard } from '../agents/guard/guard.ts';
import { neutralAnswer } from '../agents/hooks/form/neutral-answer.ts';
import { placesFor } from '../store/places.ts';

/*
 * The guard as a program of its own, which the hook script starts before a command of an agent: `guard AGENT < JSON`. A file of its own
 * in the build, without the rest of the command line, because it is waited for before every command. Files are read and written
 * directly: `process.stdin` and `process.stdout` load Node's network and streams, a fifth of this program's time under a profiler.
 *
 * Whatever goes wrong, it answers nothing and ends with 0: to Copilot CLI any other status is a refusal
 * (https://docs.github.com/en/copilot/reference/hooks-reference), and 2 is one to the others.
 */
const agent = agentIds.find((id) => id === process.argv[2]);
let answer: string | null = null;
try {
  const { platform, env: environment, ppid: parent } = process;
  // What os.homedir() looks at first too; its module would cost 2 ms.
  const home = environment['HOME'] ?? process.getBuiltinModule('node:os').homedir();
  const { settings } = placesFor({ platform, environment, home, workingFolder: process.cwd() });
  const surroundings = { settings, platform, uid: process.getuid?.() ?? -1, parent, path: environment['PATH'] };
  answer = agent === undefined ? null : guard(agent, readFileSync(0, 'utf8'), surroundings);
} catch {
  // Nobody is there whom it could be told: an agent takes what is said here for an answer, or for a refusal.
}
try {
  const said = answer ?? (agent === undefined ? null : neutralAnswer(agent, 'pre-tool-use'));
  writeSync(1, said === null ? '' : `${said}\n`);
} catch {
  // The agent doesn't listen any more.
}
