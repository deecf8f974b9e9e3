import { writeSync } from 'node:fs';
import { agentIds } from '../../app/agents/common/agent-id.ts';
import { guard } from '../agents/guard/guard.ts';
import { neutralAnswer } from '../agents/hooks/form/hook-program.ts';
import { forgetRelativeHome } from '../os/this-system.ts';
import { readBounded } from '../os/files/bounded-read.ts';
import { refuseForeignHome } from '../store/foreign-home.ts';
import { placesHere } from '../store/places.ts';

/** As much as the hook script passes on, bytes; a longer call gets no answer. */
const maxTold = 4 * 1024 * 1024;

/**
 * The guard as a program of its own, which the hook script starts before a command of an agent:
 * `guard AGENT < JSON`. A separate file in the build, without the rest of the command line, because
 * every command waits for it. It reads and writes descriptors directly: `process.stdin` and
 * `process.stdout` load Node's network and streams, a fifth of this program's time under a
 * profiler.
 * On any error it answers nothing and exits with 0: to Copilot CLI any other status is a refusal
 * (https://docs.github.com/en/copilot/reference/hooks-reference), and 2 is one to the others.
 */
/** What the agent tells: the hook of Windows runs in this very process and has read it already. */
const told = (): string => {
  const read: unknown = Reflect.get(globalThis, Symbol.for('curfew.guard.told'));
  return typeof read === 'string' ? read : (readBounded(0, maxTold)?.toString('utf8') ?? '');
};
const agent = agentIds.find((id) => id === process.argv[2]);
let answer: string | null = null;
try {
  forgetRelativeHome();
  const { platform, env: environment, ppid: parent } = process;
  // os.homedir() reads HOME first too; its module would cost 2 ms.
  const home = environment['HOME'] ?? process.getBuiltinModule('node:os').homedir();
  const places = placesHere(home);
  refuseForeignHome(home, places);
  const { settings } = places;
  const surroundings = { settings, platform, uid: process.getuid?.() ?? -1, parent, path: environment['PATH'] };
  answer = agent === undefined ? null : guard(agent, told(), surroundings);
} catch {
  // Stay silent: the agent would read output here as an answer, or as a refusal.
}
try {
  const said = answer ?? (agent === undefined ? null : neutralAnswer(agent, 'pre-tool-use'));
  writeSync(1, said === null ? '' : `${said}\n`);
} catch {
  // The agent has closed its end.
}
