import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { asPid } from '../../../../app/process/identity.ts';
import { isSameLivingProcess, mayStillLive, type ProcessRow } from '../../../../app/process/row.ts';
import { defaultSettings } from '../../../../app/settings/defaults.ts';
import type { LedgerEntry, ProcessRef } from '../../../../app/jobs/ledger/ledger.ts';
import { MacStage } from '../../../darwin/mac-stage.ts';
import type { Simulated } from '../../../darwin/simulated-kernel.ts';
import { machineOf } from '../../jobs/machine.ts';

// ps tells starts in whole seconds, the kernel in microseconds. Where the reader changes, the
// ledger of the same boot holds what the other one wrote.

const inSeconds = <Ref extends ProcessRef>(ref: Ref): Ref => ({
  ...ref,
  startTicks: Math.floor(ref.startTicks / 1e6) * 1e6,
});

/** An entry as it would have been written by way of ps. */
const writtenByPs = ({ numbers: _none, ...entry }: LedgerEntry): LedgerEntry => ({
  ...entry,
  root: inSeconds(entry.root),
  members: entry.members.map(inSeconds),
  owner: entry.owner === null ? null : inSeconds(entry.owner),
  ...(entry.couldOwn === undefined ? {} : { couldOwn: entry.couldOwn.map(inSeconds) }),
  ...(entry.keep === undefined
    ? {}
    : { keep: { ...entry.keep, kept: entry.keep.kept.map(inSeconds), plain: entry.keep.plain.map(inSeconds) } }),
});

interface Scene {
  readonly mac: MacStage;
  readonly agent: Simulated;
  readonly left: Simulated;
  readonly lives: () => boolean;
}

/** An agent that lives, and what a call of it left in its group; the ledger is that of ps. */
const scene = (envOf: (agent: Simulated) => readonly string[] = () => []): Scene => {
  const mac = new MacStage();
  mac.settings = { ...defaultSettings, mode: 'enforce', orphanGraceSeconds: 10, noticeSeconds: 10 };
  const terminal = mac.kernel.launch({ argv: ['/Applications/iTerm.app/Contents/MacOS/iTerm2'] });
  const agent = mac.kernel.start(terminal, { argv: ['/opt/homebrew/bin/opencode'] });
  const shell = mac.kernel.start(agent, { argv: ['/bin/zsh', '-lc', 'server &'], setsid: true });
  const left = mac.kernel.start(shell, { argv: ['/opt/homebrew/bin/server'], env: envOf(agent) });
  mac.watch(10);
  mac.kernel.end(shell);
  mac.watch(10);
  mac.disk.entries = mac.disk.entries.map(writtenByPs);
  mac.disk.witnesses = mac.disk.witnesses.map(inSeconds);
  mac.restart();
  return { mac, agent, left, lives: () => mac.kernel.processes.get(left.pid) === left };
};

test('an agent that the other reader saw is not gone', () => {
  const { mac, lives } = scene();
  const owners = [...mac.look().jobs.values()].map(({ job }) => job.owner.state);
  expect(owners).not.toContain('gone');
  mac.watch(300);
  expect(lives()).toBe(true);
});

test('an agent of which no process has the pid any more is gone, whichever reader saw it', () => {
  const { mac, agent, lives } = scene();
  mac.kernel.end(agent);
  mac.watch(120);
  expect(lives()).toBe(false);
});

test('what the other reader saw carrying CURFEW_KEEP=1 stays kept when it shows that no more', () => {
  const { mac, agent, left, lives } = scene(() => ['CURFEW_KEEP=1', 'OPENCODE=1']);
  mac.kernel.exec(left, { argv: ['/usr/bin/tail', '-f', 'x'], env: [] });
  mac.kernel.end(agent);
  mac.watch(300);
  expect(lives()).toBe(true);
});

test('what the other reader knew as the user’s stays the user’s', () => {
  const { mac, agent, left, lives } = scene(({ pid }) => ['OPENCODE=1', `OPENCODE_PID=${pid}`]);
  mac.disk.entries = [];
  mac.disk.witnesses = [inSeconds({ kind: 'user', pid: left.pid, startTicks: left.start, sid: 0 })];
  mac.kernel.end(agent);
  mac.watch(300);
  expect(lives()).toBe(true);
});

const row = (startTicks: number, state: ProcessRow['state'] = 'S'): ProcessRow => {
  const [found] = [
    ...machineOf([{ pid: 70, argv: 'x', state: state === 'Z' ? 'Z' : 'S' }])
      .table()
      .rows.values(),
  ].filter(({ pid }) => pid === asPid(70));
  if (found === undefined) throw new Error('there is no row');
  return { ...found, startTicks };
};

test('a process may still live where only the grain of its start differs, and nowhere else', () => {
  const second = fc.integer({ min: 1_700_000_000, max: 1_900_000_000 }).map((seconds) => seconds * 1e6);
  const micro = fc.integer({ min: 1, max: 999_999 });
  fc.assert(
    fc.property(second, micro, micro, (start, one, other) => {
      const known = (startTicks: number): ProcessRef => ({ pid: 70, startTicks });
      expect(mayStillLive(row(start + one), known(start))).toBe(true);
      expect(mayStillLive(row(start), known(start + one))).toBe(true);
      expect(isSameLivingProcess(row(start + one), known(start))).toBe(false);
      expect(mayStillLive(row(start + one), known(start + other))).toBe(one === other);
      expect(mayStillLive(row(start + one), known(start + 1e6))).toBe(false);
      expect(mayStillLive(row(start + one, 'Z'), known(start))).toBe(false);
    }),
  );
  // Ticks since a boot are no microseconds.
  expect(mayStillLive(row(5_000_001), { startTicks: 5_000_000 })).toBe(false);
  expect(mayStillLive(null, { startTicks: 1 })).toBe(false);
});
