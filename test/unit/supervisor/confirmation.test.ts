import { describe, expect, test } from 'vitest';
import { asPid } from '../../../app/process/identity.ts';
import type { Target } from '../../../app/reap/target.ts';
import { type Confirmation, confirmGroup, confirmTarget } from '../../../main/reaping/delivery.ts';
import { claudeEnvironment, claudeShell } from '../jobs/plant.ts';
import { target } from '../reap/targets.ts';
import { Stage } from './stage.ts';

const env = claudeEnvironment({ pid: 34 });

/** Looks at a job with process 70 in it, changes something, and confirms that process. */
const confirmed = (change: (stage: Stage) => void): Confirmation => {
  const stage = new Stage(
    { pid: 69, start: 99_000, sid: 69, argv: claudeShell('sleep 9'), env },
    { pid: 70, start: 99_001, ppid: 69, argv: 'sleep 9', env },
  );
  const look = stage.observer.look();
  const [judged] = look.jobs.values();
  if (judged === undefined) throw new Error('there is no job');
  change(stage);
  const one: Target = target(70, 69);
  return confirmTarget(stage.machine.source, stage.observer.vetoContext(judged.job, look), judged.job, one, 9_900_100);
};

describe('immediately before a signal', () => {
  test('nothing has changed: confirmed', () => {
    expect(confirmed(() => undefined)).toEqual({ kind: 'confirmed' });
  });

  test('it is gone, a zombie, or its pid is another’s: gone', () => {
    expect(confirmed((stage) => stage.machine.end(70))).toEqual({ kind: 'gone' });
    expect(confirmed((stage) => stage.machine.change(70, { state: 'Z' }))).toEqual({ kind: 'gone' });
    const another = confirmed((stage) => {
      stage.machine.end(70);
      stage.machine.start({ pid: 70, start: 99_002, ppid: 69, argv: 'sleep 9', env });
    });
    expect(another).toEqual({ kind: 'gone' });
  });

  test.each([
    ['another user’s', { uid: 0 }, 'other-user'],
    ['marked to stay', { env: { ...env, CURFEW_KEEP: '1' } }, 'keep-marker'],
    ['an agent', { argv: 'claude' }, 'agent'],
    ['an editor', { argv: 'vim notes', comm: 'vim' }, 'editor'],
    [
      'in a pid namespace of its own, and not below its job any more',
      { pidNamespace: '1', ppid: 1 },
      'other-namespace',
    ],
  ] as const)('it has become %s: vetoed', (_what, change, code) => {
    const confirmation = confirmed((stage) => stage.machine.change(70, change));
    expect(confirmation.kind === 'vetoed' ? confirmation.vetoes.map((veto) => veto.code) : []).toContain(code);
  });
});

describe('immediately before a signal to a group', () => {
  /**
   * The pids of those who came into the group since the look; null where it may not be signalled as
   * a group.
   */
  const came = (change: (stage: Stage) => void): readonly number[] | null => {
    const stage = new Stage(
      { pid: 69, start: 99_000, sid: 69, argv: claudeShell('sleep 9'), env },
      { pid: 70, start: 99_001, ppid: 69, argv: 'sleep 9', env },
    );
    const look = stage.observer.look();
    const [judged] = look.jobs.values();
    if (judged === undefined) throw new Error('there is no job');
    change(stage);
    const context = stage.observer.vetoContext(judged.job, look);
    const members = [target(69, 69), target(70, 69)];
    const newcomers = confirmGroup(stage.machine.source, context, judged.job, 69, members);
    return newcomers === null ? null : newcomers.map(({ pid }) => Number(pid));
  };

  test('none came, or one to another group', () => {
    expect(came(() => undefined)).toEqual([]);
    expect(came(({ machine }) => machine.start({ pid: 71, argv: 'vim', comm: 'vim', env: null }))).toEqual([]);
  });

  test('a child of a member came: it is one of them', () => {
    expect(came(({ machine }) => machine.start({ pid: 71, ppid: 70, argv: 'sleep 9', env }))).toEqual([71]);
  });

  test('one of its own members is listed as started: it was judged, and is no newcomer', () => {
    const listed = came(({ machine }) => {
      const { source } = machine;
      const row = source.read(asPid(70));
      source.startedSinceScan = () => (row === null ? [] : [row]);
    });
    expect(listed).toEqual([]);
  });

  test('what came can’t be told, now or on this machine: not as a group', () => {
    expect(came(({ machine }) => (machine.source.startedSinceScan = () => null))).toBeNull();
  });

  test('one who is to stay came: not as a group', () => {
    const kept = { ...env, CURFEW_KEEP: '1' };
    expect(came(({ machine }) => machine.start({ pid: 71, ppid: 70, argv: 'sleep 9', env: kept }))).toBeNull();
    expect(came(({ machine }) => machine.start({ pid: 71, ppid: 70, argv: 'sleep 9', env, uid: 0 }))).toBeNull();
  });
});
