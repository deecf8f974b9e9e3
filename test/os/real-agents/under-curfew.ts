import { existsSync, readdirSync } from 'node:fs';
import { removeAgentGroups } from '../../../main/os/containment/agent-groups.ts';
import { startRecord, type StartRecord } from '../agent-start-record.ts';
import { readableNode } from '../machine-facts.ts';
import { curfewFile } from '../scene/curfew.ts';
import type { Scene } from '../scene/scene.ts';
import type { RealAgentKind } from './kinds.ts';

const home = '/tmp/curfew-home';

/** Returns the same agent, started by `curfew agent`; its record is in the home of scenes. */
export const underCurfew = (kind: RealAgentKind, options: readonly string[] = []): RealAgentKind => {
  const through =
    (starter: RealAgentKind['start']): RealAgentKind['start'] =>
    (program, prompt) => {
      const one = starter(program, prompt);
      return {
        ...one,
        argv: [readableNode, curfewFile, 'agent', ...options, '--', ...one.argv],
        env: { ...one.env, CURFEW_HOME: home },
      };
    };
  return { ...kind, start: through(kind.start), open: through(kind.open) };
};

/** Returns the records of agents that were started so, whose groups are removed with the scene. */
export const recordsOf = (stage: Scene): readonly StartRecord[] => {
  const folder = stage.outside(`${home}/agents`);
  const records = (existsSync(folder) ? readdirSync(folder) : []).map((name) =>
    startRecord.parse(JSON.parse(stage.read(`${home}/agents/${name}`))),
  );
  for (const record of records) stage.atEnd(() => removeAgentGroups(record));
  return records;
};
