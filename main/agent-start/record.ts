import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { once } from '../../app/format/once.ts';
import { redactCommand } from '../../app/format/secrets/redact.ts';
import { removeAgentGroups } from '../os/containment/agent-groups.ts';
import { whyNotDead } from '../run/record/proved-dead.ts';
import type { ProcessSource } from '../os/processes/source.ts';
import { readJsonFile } from '../store/files/json-file.ts';
import { writeWholeFile } from '../store/files/whole-file.ts';

const agentRecord = once(() =>
  z.object({
    schema: z.literal(1),
    id: z.string(),
    name: z.string().nullable(),
    command: z.string().transform(redactCommand),
    /** The id of a known agent; null for another program. */
    agent: z.string().nullable(),
    startedAt: z.iso.datetime(),
    host: z.string(),
    /** The agent itself: it keeps pid and start of the `curfew agent` that became it. */
    process: z.object({ bootId: z.string(), pid: z.int().positive(), startTicks: z.number() }),
    /** See `terminalMarksOf`, and `unitOf`; earlier versions did not note them. */
    terminal: z.array(z.string()).exactOptional(),
    unit: z.string().nullable().exactOptional(),
    memoryBytes: z.int().nullable(),
    tasks: z.int().nullable(),
    groups: z.array(
      z.object({
        folder: z.string(),
        inode: z.number(),
        hierarchy: z.string(),
        path: z.string(),
        holds: z.enum(['agent', 'calls']),
      }),
    ),
  }),
);

/** One start of an agent by `curfew agent`. */
export type AgentRecord = z.infer<ReturnType<typeof agentRecord>>;

/** Returns the folder of the records. */
export const agentRecordsFolder = (state: string): string => join(state, 'agents');

const fileOf = (state: string, id: string): string => join(agentRecordsFolder(state), `${id}.json`);

/** Returns the file that is there while a Curfew has frozen a group of this start. */
export const frozenFile = (state: string, id: string): string => join(agentRecordsFolder(state), `${id}.frozen`);

/**
 * Writes a record.
 * @throws the file system's error
 */
export const writeAgentRecord = (state: string, record: AgentRecord): void => {
  mkdirSync(agentRecordsFolder(state), { recursive: true, mode: 0o700 });
  writeWholeFile(fileOf(state, record.id), `${JSON.stringify(record, null, 2)}\n`);
};

/** Returns the records; skips what can't be read. */
export const readAgentRecords = (state: string): readonly AgentRecord[] => {
  let names: readonly string[];
  try {
    names = readdirSync(agentRecordsFolder(state));
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    const file = name.endsWith('.json') ? readJsonFile(join(agentRecordsFolder(state), name)) : null;
    const parsed = file?.kind === 'value' ? agentRecord().safeParse(file.value) : null;
    return parsed?.success === true && `${parsed.data.id}.json` === name ? [parsed.data] : [];
  });
};

/** Records of another boot prove nothing any more, and are kept for a while all the same. */
const keptMs = 30 * 86_400_000;

/**
 * Removes the empty groups of agents that are proved dead, and their records once no group is left.
 * Never throws.
 */
export const clearEndedAgents = (state: string, source: Pick<ProcessSource, 'bootId' | 'read'>): void => {
  for (const record of readAgentRecords(state)) {
    const { id, host, process, startedAt } = record;
    try {
      const why = whyNotDead({ ...process, host }, source);
      const isOld = why === 'another-boot' && Date.parse(startedAt) < Date.now() - keptMs;
      if (isOld || (why === null && removeAgentGroups(record)))
        for (const file of [fileOf(state, id), frozenFile(state, id)]) rmSync(file, { force: true });
    } catch {
      // The next start tries again.
    }
  }
};
