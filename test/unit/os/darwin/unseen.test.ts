import { expect, test } from 'vitest';
import { defaultSettings } from '../../../../app/settings/defaults.ts';
import { SeenNotices } from '../../../../main/supervisor/notice-ledger.ts';
import { MacStage } from '../../../darwin/mac-stage.ts';
import type { Simulated } from '../../../darwin/simulated-kernel.ts';

const noticeSeconds = 30;

interface Scene {
  readonly mac: MacStage;
  readonly left: Simulated;
  readonly lives: () => boolean;
}

/** A leftover of an agent that is gone, past its grace: its end is only to be announced. */
const scene = (): Scene => {
  const mac = new MacStage();
  mac.settings = { ...defaultSettings, mode: 'enforce', orphanGraceSeconds: 10, noticeSeconds };
  const terminal = mac.kernel.launch({ argv: ['/Applications/iTerm.app/Contents/MacOS/iTerm2'] });
  const agent = mac.kernel.start(terminal, { argv: ['/opt/homebrew/bin/opencode'] });
  const left = mac.kernel.start(agent, { argv: ['/bin/zsh', '-lc', 'sleep 999'], setsid: true });
  mac.look();
  mac.kernel.end(agent);
  return { mac, left, lives: () => mac.kernel.processes.get(left.pid) === left };
};

test('no end follows an announcement that was not seen, however long it waits, at the hard cap neither', () => {
  const { mac, lives } = scene();
  mac.restartWithSeen();
  mac.watch(defaultSettings.backgroundMaxElapsedSecondsHardCap + 600, 60);
  expect(lives()).toBe(true);
  expect(mac.kernel.signals).toEqual([]);
  expect(mac.noticed).toHaveLength(1);
});

test('its time begins when it is seen, and is a whole notice', () => {
  const { mac, left, lives } = scene();
  const seen = mac.restartWithSeen();
  mac.watch(300);
  const [entry] = mac.disk.entries;
  expect(entry?.announcedAtTicks).toBeNull();
  expect(seen.awaits(`local:${entry?.id}`)).toBe(true);
  seen.see([`local:${entry?.id}`]);
  mac.watch(noticeSeconds - 5);
  expect(lives()).toBe(true);
  mac.watch(60);
  expect(lives()).toBe(false);
  expect(mac.kernel.signals).toEqual([{ uniqueId: left.uniqueId, signal: 15 }]);
});

test('what was seen of another job, or of another machine, counts for none', () => {
  const { mac, lives } = scene();
  const seen = mac.restartWithSeen();
  mac.watch(60);
  const id = mac.disk.entries[0]?.id ?? '';
  seen.see(['local:ffffffff', `far:${id}`, id]);
  seen.of('far').keepOnly([]);
  mac.watch(300);
  expect(lives()).toBe(true);
});

test('a Curfew that was started anew announces again, and waits again', () => {
  const { mac, lives } = scene();
  mac.restartWithSeen().seeAll();
  mac.watch(60);
  mac.seen?.seeAll();
  mac.restartWithSeen();
  mac.watch(300);
  expect(lives()).toBe(true);
  expect(mac.noticed).toHaveLength(2);
  mac.seen?.seeAll();
  mac.watch(90);
  expect(lives()).toBe(false);
});

test('one that is called off is forgotten, and announced anew', () => {
  const seen = new SeenNotices();
  const here = seen.of('local');
  here.give('a');
  here.give('b');
  seen.of('far').give('a');
  seen.seeAll();
  here.keepOnly(['b']);
  expect([here.take('a'), here.take('b'), here.take('b'), seen.of('far').take('a')]).toEqual([
    false,
    true,
    false,
    true,
  ]);
});

test('where an announcement counts as soon as it is given, nothing waits', () => {
  const { mac, lives } = scene();
  mac.watch(120);
  expect(lives()).toBe(false);
});
