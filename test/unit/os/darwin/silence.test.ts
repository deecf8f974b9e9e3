import { expect, test } from 'vitest';
import { defaultSettings } from '../../../../app/settings/defaults.ts';
import { MacStage } from '../../../darwin/mac-stage.ts';
import type { Simulated, SimulatedKernel } from '../../../darwin/simulated-kernel.ts';

const maxSeconds = 600;
const capSeconds = 3_600;

interface Scene {
  readonly mac: MacStage;
  readonly job: Simulated;
  /** Watches, while something happens before each look. */
  readonly watch: (seconds: number, happens?: () => void) => void;
  readonly lives: () => boolean;
}

/** A command of an agent that lives on. */
const scene = (): Scene => {
  const mac = new MacStage();
  mac.settings = {
    ...defaultSettings,
    mode: 'enforce',
    backgroundMaxElapsedSeconds: maxSeconds,
    backgroundMaxElapsedSecondsHardCap: capSeconds,
  };
  const terminal = mac.kernel.launch({ argv: ['/Applications/iTerm.app/Contents/MacOS/iTerm2'] });
  const agent = mac.kernel.start(terminal, { argv: ['/opt/homebrew/bin/opencode'] });
  const job = mac.kernel.start(agent, { argv: ['/bin/zsh', '-lc', 'sleep 9999'], setsid: true });
  return {
    mac,
    job,
    watch: (seconds, happens = () => undefined) => {
      for (let passed = 0; passed < seconds; passed += 5) {
        happens();
        mac.watch(5);
      }
    },
    lives: () => mac.kernel.processes.get(job.pid) === job,
  };
};

const counter = (at: number, from: (before: number) => number) => (kernel: SimulatedKernel, of: Simulated) => {
  kernel.alter = (name, { bytes, errno }, pid) => {
    if (name !== 'info 4' || pid !== of.pid) return { bytes, errno };
    const changed = Buffer.from(bytes);
    changed.writeInt32LE(from(changed.readInt32LE(at)), at);
    return { bytes: changed, errno };
  };
};

test('a command that makes no system call is silent, and ended after its max elapsed', () => {
  const { watch, lives } = scene();
  watch(maxSeconds - 10);
  expect(lives()).toBe(true);
  watch(600);
  expect(lives()).toBe(false);
});

test('one that makes a single call between two looks works, up to the hard cap', () => {
  const { job, watch, lives } = scene();
  watch(capSeconds - 60, () => (job.calls += 1));
  expect(lives()).toBe(true);
  watch(240, () => (job.calls += 1));
  expect(lives()).toBe(false);
});

test.each([
  ['page faults', 52],
  ['calls of mach', 72],
  ['switches', 80],
])('%s are work, too', (_what, at) => {
  const { mac, job, watch, lives } = scene();
  let moved = 0;
  counter(at, () => moved)(mac.kernel, job);
  watch(capSeconds - 60, () => (moved += 1));
  expect(lives()).toBe(true);
});

test.each([
  ['counts no further', () => 0x7fffffff],
  ['counts downward', () => -1],
])('a kernel that %s tells nothing', (_what, from) => {
  const { mac, job, watch, lives } = scene();
  counter(76, from)(mac.kernel, job);
  watch(capSeconds - 60);
  expect(lives()).toBe(true);
});

test('a kernel that was not seen to count the calls of this very process tells nothing', () => {
  const { mac, watch, lives } = scene();
  mac.kernel.asker = null;
  watch(capSeconds - 60);
  expect(lives()).toBe(true);
});

test('a kernel that refuses the counters tells nothing', () => {
  const { mac, watch, lives } = scene();
  mac.kernel.alter = (name, answer) => (name === 'info 4' ? { bytes: Buffer.alloc(0), errno: 1 } : answer);
  watch(capSeconds - 60);
  expect(lives()).toBe(true);
});
