import { describe, expect, test } from 'vitest';
import { foldIncident } from '../../../app/history/fold.ts';
import type { Incident } from '../../../app/history/incident.ts';
import { localHost } from '../../../app/remote/host-list.ts';
import { completeInterrupted, isRunningNow } from '../../../main/reaping/recovery.ts';
import type { Plant } from '../jobs/plant.ts';
import { claudeEnvironment, claudeShell } from '../jobs/plant.ts';
import { Stage } from './stage.ts';

const env = claudeEnvironment({ pid: 34 });
const job: readonly Plant[] = [
  { pid: 69, start: 99_000, sid: 69, argv: claudeShell('sleep 9 | cat'), env },
  { pid: 70, start: 99_001, ppid: 69, argv: 'sleep 9', env },
];

/** A Curfew that began to reap, signalled, and was killed. */
const interrupted = (): { readonly stage: Stage; readonly incident: Incident } => {
  const stage = new Stage(...job);
  stage.deaf.add(70);
  stage.reaper.advance(stage.begin(69));
  const [intent] = stage.journal.intents;
  if (intent === undefined) throw new Error('nothing was begun');
  return { stage, incident: foldIncident(intent, stage.journal.events.splice(0)) };
};

const complete = ({ stage, incident }: ReturnType<typeof interrupted>, table = stage.machine.table()): void => {
  const here = { host: localHost, isRunning: isRunningNow(stage.machine.source) };
  completeInterrupted([incident], table, stage.journal, stage.wallMs, here);
};

describe('the record of a reaping whose Curfew was killed', () => {
  test('says what is still running, and signals nothing', () => {
    const one = interrupted();
    const heard = one.stage.signals.length;
    complete(one);
    expect(one.stage.journal.events).toMatchObject([
      { kind: 'note' },
      { kind: 'ended', outcome: 'interrupted', survivors: [{ pid: 70 }], freed: { processes: 0 } },
    ]);
    expect(one.stage.signals).toHaveLength(heard);
  });

  test('counts no process as freed that was not seen to die', () => {
    const one = interrupted();
    one.stage.machine.end(70);
    complete(one);
    expect(one.stage.journal.events).toMatchObject([
      { kind: 'note' },
      { kind: 'ended', outcome: 'interrupted', survivors: [], freed: { processes: 0, rssBytes: 0 } },
    ]);
  });

  test('does not take a process that got a pid of the job for one of it', () => {
    const one = interrupted();
    one.stage.machine.end(70);
    one.stage.machine.start({ pid: 70, argv: 'node mine.js' });
    complete(one);
    expect(one.stage.journal.events.at(-1)).toMatchObject({ survivors: [] });
  });

  test('is left alone while the Curfew that writes it runs', () => {
    const one = interrupted();
    one.stage.machine.start({ pid: 999, start: 0.01, argv: 'curfew' });
    complete(one);
    expect(one.stage.journal.events).toEqual([]);
  });

  test('also one that began after the look', () => {
    const one = interrupted();
    const table = one.stage.machine.table();
    one.stage.machine.start({ pid: 999, start: 0.01, argv: 'curfew' });
    complete(one, table);
    expect(one.stage.journal.events).toEqual([]);
  });

  test('is completed when another process has that Curfew’s pid', () => {
    const one = interrupted();
    one.stage.machine.start({ pid: 999, argv: 'node mine.js' });
    complete(one);
    expect(one.stage.journal.events).toHaveLength(2);
  });

  test('of another boot is left alone for an hour: a container or another machine may write it', () => {
    const { stage, incident } = interrupted();
    const hour = 3_600_000;
    for (const atMs of [stage.wallMs, stage.wallMs - hour + 1, stage.wallMs + hour - 1])
      complete({ stage, incident: { ...incident, bootId: 'another', atMs } });
    expect(stage.journal.events).toEqual([]);
  });

  test('of an earlier boot says so, and asks no process of this one', () => {
    const { stage, incident } = interrupted();
    complete({ stage, incident: { ...incident, bootId: 'another', atMs: stage.wallMs - 3_600_000 } });
    expect(stage.journal.events).toMatchObject([
      { kind: 'note' },
      { kind: 'ended', outcome: 'interrupted', survivors: [] },
    ]);
  });
});
