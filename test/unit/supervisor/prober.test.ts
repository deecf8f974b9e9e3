import { drain } from '../../../app/process/steps.ts';
import { expect, test } from 'vitest';
import type { Holders, ProcessProbe } from '../../../app/diagnose/probe.ts';
import type { Draft } from '../../../app/jobs/find/draft.ts';
import { asJobId } from '../../../app/model/job.ts';
import type { ProcessTable } from '../../../app/process/table.ts';
import { defaultSettings } from '../../../app/settings/defaults.ts';
import { Prober } from '../../../main/observing/prober.ts';
import { rowOf } from '../judge/job-builder.ts';
import { subjectAt } from '../diagnose/subject-builder.ts';

const waits: Pick<ProcessProbe, 'wait' | 'pipes' | 'switches'> = {
  wait: { kind: 'read', fd: 3 },
  pipes: [{ fd: 3, target: 'pipe:[7]', access: 'read' }],
  switches: 10,
};

/** A machine that counts what it is asked, with one job for each pid, all old. */
const machine = (pids: readonly number[]) => {
  const asked = { processes: 0, searches: 0 };
  const none: Holders = { holders: [], complete: true };
  const prober = new Prober({
    settings: () => defaultSettings,
    fileBytes: () => null,
    freeBytes: () => null,
    numberIn: () => null,
    source: {
      probing: {
        processes: (rows) => {
          asked.processes += rows.length;
          const [probe] = subjectAt(1, [{ pid: 1, probe: waits }]).probe?.processes.values() ?? [];
          return new Map(probe === undefined ? [] : rows.map(({ pid }) => [pid, probe] as const));
        },
        holders: (_pids, targets) => {
          asked.searches += 1;
          return new Map([...targets].map((target) => [target, none]));
        },
        memory: () => null,
        traffic: () => new Map(),
        possibleClients: () => [],
        sharers: () => [],
        takenAlong: () => null,
        oomKills: () => null,
        exchanges: () => [],
        oomKilled: () => null,
      },
    },
  });
  const rows = pids.map((pid) => rowOf(pid, ['cat']));
  // Only what the prober looks at.
  const drafts = rows.map((row) => ({
    id: asJobId(String(row.pid)),
    startTicks: row.startTicks,
    owner: { state: 'live' },
    run: null,
    root: row,
    members: [{ row, by: [] }],
    output: null,
    command: 'cat',
    entry: { watch: { waits: { [`${row.pid}:${row.startTicks}:10:read:3`]: 0 }, poll: null } },
  })) as unknown as readonly Draft[];
  const look = (seconds: number): number => {
    const before = asked.processes;
    const table: ProcessTable = { ...subjectAt(seconds, []).table, rows: new Map(rows.map((row) => [row.pid, row])) };
    drain(prober.probing(table, drafts, new Map()));
    return asked.processes - before;
  };
  return { asked, look };
};

test('a job is looked into every quarter of a minute, one that is young not at all', () => {
  const { look } = machine([10]);
  expect([100, 2000, 2005, 2010, 2015, 2020].map(look)).toEqual([0, 1, 0, 0, 1, 0]);
});

test('who holds a pipe is searched once for a while, however jobs take turns', () => {
  const pids = Array.from({ length: 300 }, (_, number) => 10 + number);
  const { look, asked } = machine(pids);
  expect([2000, 2005, 2010, 2015].map(look)).toEqual([256, 44, 0, 256]);
  expect(asked.searches).toBe(1);
});
