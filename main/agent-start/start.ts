import { homedir, hostname } from 'node:os';
import type { AgentId } from '../../app/agents/common/agent-id.ts';
import { dossiers } from '../../app/agents/dossiers.ts';
import { terminalMarksOf, terminalNames } from '../../app/agents/common/terminal-marks.ts';
import { agentStartedBy } from '../../app/agents/names.ts';
import { sizeText } from '../../app/format/bytes.ts';
import { messageOf } from '../../app/format/error-message.ts';
import type { Said } from '../../app/format/said.ts';
import { redactArguments, redactCommand } from '../../app/format/secrets/redact.ts';
import { asPid } from '../../app/process/identity.ts';
import { unitOf } from '../../app/process/systemd-unit.ts';
import { listed, say } from '../../app/text/say.ts';
import { agentParts } from '../agents/dossiers.ts';
import { type AgentGroups, enterAgentGroups, isInAgentGroup } from '../os/containment/agent-groups.ts';
import type { Bounded, Bounds } from '../os/containment/bounds.ts';
import { openMachine } from '../os/open-machine.ts';
import { replaceProcess } from '../os/replace-process.ts';
import { newRunId } from '../run/record/run-folder.ts';
import { keptChecks } from '../store/kept-checks.ts';
import { createPlaces, type Places } from '../store/places.ts';
import { clearEndedAgents, writeAgentRecord } from './record.ts';

/** The order to start an agent. */
export interface AgentOrder {
  readonly command: readonly [string, ...string[]];
  readonly bounds: Bounds;
  /** For lists. */
  readonly name: string | null;
  readonly places: Places;
  readonly tell: (said: Said) => void;
}

const boundSaid = ({ memoryBytes, tasks }: Bounds, controllers: readonly Bounded[]): Said =>
  listed(
    controllers.map((one) =>
      one === 'memory'
        ? say('{size} of memory', { size: sizeText(memoryBytes ?? 0) })
        : say('{tasks} processes and threads', { tasks: tasks ?? 0 }),
    ),
    ', ',
  );

/** What the user is told of the groups; empty where all is as asked for. */
const notesOf = ({ groups, shared, unbounded, reason }: AgentGroups, bounds: Bounds): readonly Said[] => [
  ...(shared.length === 0
    ? []
    : [say('the agent and what it starts share {bounds}', { bounds: boundSaid(bounds, shared) })]),
  ...(unbounded.length === 0
    ? []
    : [
        say('{bounds} can not be held here, and the agent starts all the same: {reason}', {
          bounds: boundSaid(bounds, unbounded),
          reason: reason ?? '',
        }),
      ]),
  ...(groups.length > 0 || unbounded.length > 0
    ? []
    : [
        say('no control group can be made here, and the agent starts all the same: {reason}', { reason: reason ?? '' }),
      ]),
];

/** Keeps which process and groups these are. */
const keepRecord = (order: AgentOrder, id: string, agent: AgentId | null, { groups }: AgentGroups): void => {
  const { command, name, places, bounds } = order;
  createPlaces(places);
  const { source } = openMachine({
    uid: process.getuid?.() ?? 0,
    environmentNames: terminalNames,
    proves: false,
    kept: keptChecks(places),
  });
  clearEndedAgents(places.state, source);
  const self = source.read(asPid(process.pid));
  if (self === null || groups.length === 0) return;
  writeAgentRecord(places.state, {
    schema: 1,
    id,
    name: name === null ? null : redactCommand(name),
    command: redactArguments(command),
    agent,
    startedAt: new Date().toISOString(),
    host: hostname(),
    process: { bootId: source.bootId, pid: self.pid, startTicks: self.startTicks },
    terminal: [...terminalMarksOf(source.environment(self) ?? {})],
    unit: unitOf(source.namespaces?.controlGroups(self) ?? null),
    ...bounds,
    groups: [...groups],
  });
};

/**
 * Becomes an agent, in control groups of its own where this machine has them. Only returns where
 * the command can't be executed, with the name of the error.
 */
export const startAgent = async (order: AgentOrder): Promise<string> => {
  const { command, bounds, tell } = order;
  if (isInAgentGroup()) {
    tell(say('this is inside of another `curfew agent`, so the agent starts in the same group'));
    return replaceProcess(command, {});
  }
  const agent = agentStartedBy(command);
  const limit = agent === null ? 'none' : agentParts[agent].memoryLimit;
  const own = limit === 'none' ? null : limit.said({ home: homedir(), environment: process.env });
  const moves = limit !== 'none' && !(own !== null && limit.isOff(own));
  const calls = agent === null || !moves ? null : (dossiers[agent].signature.callGroup ?? null);
  const id = newRunId();
  const groups = await enterAgentGroups({ id, bounds, calls });
  for (const note of notesOf(groups, bounds)) tell(note);
  try {
    keepRecord(order, id, agent, groups);
  } catch (error) {
    tell(
      say('this start is not on record, so its control groups stay when it has ended: {why}', {
        why: messageOf(error),
      }),
    );
  }
  const { memoryBytes } = bounds;
  if (moves && memoryBytes !== null && own !== null && own !== sizeText(memoryBytes))
    tell(say('{setting} is set to {value}, which holds for its tool calls', { setting: limit.name, value: own }));
  return replaceProcess(
    command,
    limit === 'none' || own !== null || calls === null
      ? {}
      : { [limit.name]: memoryBytes === null ? limit.all() : sizeText(memoryBytes) },
  );
};
