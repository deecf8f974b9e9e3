import { homedir } from 'node:os';
import { messageOf } from '../../../../app/format/error-message.ts';
import type { AgentId } from '../../../../app/agents/common/agent-id.ts';
import type { HookEventKind } from '../../../../app/agents/common/hook-form.ts';
import { asPid } from '../../../../app/process/identity.ts';
import { terminalSafeJson } from '../../../../app/format/json.ts';
import { dropEvent, eventText } from '../../../agents/hooks/inbox/drop-event.ts';
import { hookFolders } from '../../../agents/hooks/form/folders.ts';
import { placesEnvironment } from '../../../agents/hooks/form/hook-script.ts';
import { neutralAnswer } from '../../../agents/hooks/form/hook-program.ts';
import { takeSessionAnswer } from '../../../agents/hooks/inbox/session-answer.ts';
import { startDetached } from '../../../os/programs/detached-program.ts';
import { openMachine } from '../../../os/open-machine.ts';
import { keptChecks } from '../../../store/kept-checks.ts';
import type { ProcessSource } from '../../../os/processes/source.ts';
import { refuseForeignHome } from '../../../store/foreign-home.ts';
import { placesHere } from '../../../store/places.ts';
import { supervisorInWords } from '../../../home/supervisor-lock-holder.ts';
import { type ExitStatus, exitStatus } from '../../common/exit-status.ts';
import type { Output } from '../../common/output.ts';
import { standardInput } from '../../common/standard-input.ts';

const maxAncestors = 8;

const ancestorsOf = (source: ProcessSource): readonly (readonly [number, number | null])[] => {
  const found: (readonly [number, number | null])[] = [];
  for (let pid = process.ppid; pid > 1 && found.length < maxAncestors;) {
    const row = source.read(asPid(pid));
    if (row === null) break;
    found.push([pid, row.startTicks]);
    pid = row.ppid;
  }
  return found;
};

const declared = (): number | null => {
  const text = process.env['CLAUDE_PID'] ?? '';
  return /^[1-9]\d{0,6}$/u.test(text) ? Number(text) : null;
};

const startPass = (): void => {
  const environment = { ...placesEnvironment(process.env), HOME: homedir(), PATH: process.env['PATH'] ?? '' };
  startDetached([process.execPath, process.argv[1] ?? '', 'hook', 'pass'], environment);
};

const note = (agent: AgentId, event: HookEventKind, payload: string): string | null => {
  const home = homedir();
  const places = placesHere(home);
  refuseForeignHome(home, places);
  const folders = hookFolders(places);
  const { source } = openMachine({
    uid: process.getuid?.() ?? 0,
    environmentNames: [],
    proves: false,
    kept: keptChecks(places),
  });
  const own = source.read(asPid(process.pid));
  const text = eventText(payload, { agent, event, ancestors: ancestorsOf(source), declaredPid: declared() });
  const settings = (): never => {
    throw new Error('asked for who supervises, not for the settings');
  };
  const supervised = supervisorInWords({ places, source, settings }) !== null;
  // Events within a session are only for a running supervisor; later they mean nothing.
  if (text !== null && (supervised || event === 'session-start' || event === 'session-end'))
    dropEvent(folders, { pid: process.pid, startTicks: own?.startTicks ?? 0 }, text);
  if (!supervised && (event === 'session-start' || event === 'session-end')) startPass();
  const project = process.env['CLAUDE_PROJECT_DIR'] ?? process.cwd();
  return event === 'session-start' ? takeSessionAnswer(folders, agent, project) : null;
};

/**
 * `curfew hook EVENT`: does what the hook script does, for machines without a POSIX shell. Never
 * fails an agent: errors go to standard error and the status is 0.
 */
export const hook = async (event: HookEventKind, agent: AgentId, output: Output): Promise<ExitStatus> => {
  const otherwise = neutralAnswer(agent, event);
  let answer: string | null = otherwise;
  try {
    answer = note(agent, event, await standardInput()) ?? otherwise;
  } catch (error) {
    output.warn(`curfew: this event was not noted: ${messageOf(error)}`);
  }
  if (answer !== null) await output.write(`${terminalSafeJson(answer)}\n`);
  return exitStatus.done;
};
