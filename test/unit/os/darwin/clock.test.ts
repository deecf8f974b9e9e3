import { describe, expect, test } from 'vitest';
import { MacStage } from '../../../darwin/mac-stage.ts';
import type { SimulatedKernel } from '../../../darwin/simulated-kernel.ts';
import { clockScenes, type Desktop } from '../../../played/clock-scenes.ts';

// macOS tells starts by the wall clock, and those of the user's own processes by the time awake.

/** A desktop in which a session of Codex lives, with a command that is at work. */
const desktop = (how: { readonly tellsStarts: boolean }): Desktop => {
  const machine = new MacStage();
  const { kernel } = machine;
  if (!how.tellsStarts) kernel.alter = (name, answer) => (name === 'usage' ? refused : answer);
  const terminal = kernel.launch({ argv: ['/Applications/iTerm.app/Contents/MacOS/iTerm2'] });
  const shell = kernel.start(terminal, { argv: ['-zsh'], path: '/bin/zsh', setsid: true, tty: 0x1000_0003 });
  const agent = kernel.start(shell, { argv: ['/opt/homebrew/bin/codex'], group: true });
  const call = kernel.start(agent, { argv: ['/bin/zsh', '-lc', 'node build.js'], setsid: true, opened: noInput });
  const work = kernel.start(call, { argv: ['/opt/homebrew/bin/node', 'build.js'] });
  const lives = (one: typeof work): boolean => kernel.processes.get(one.pid) === one;
  return {
    machine,
    setClock: (seconds) => kernel.setClock(seconds),
    compute: (seconds) => {
      work.calls += seconds;
      work.cpuTicks += seconds * 12_000_000;
    },
    isAlive: () => lives(work),
    startsLate: () => {
      const late = kernel.start(call, { argv: ['/opt/homebrew/bin/node', 'late.js'] });
      return () => lives(late);
    },
    endAgent: () => kernel.end(agent),
    signals: () => kernel.signals,
    exact: how.tellsStarts,
  };
};

const refused: ReturnType<SimulatedKernel['call']> = { bytes: Buffer.alloc(0), errno: 1 };
const noInput = [{ fd: 0, kind: 'file', path: '/dev/null', device: true }] as const;

describe('where the kernel tells starts by the time awake', () => {
  clockScenes(() => desktop({ tellsStarts: true }));
});

describe('where it refuses them', () => {
  clockScenes(() => desktop({ tellsStarts: false }));
});

test('a job is as old as it was awake, although its clock was set both ways and it slept before the first look', () => {
  const { machine, setClock } = desktop({ tellsStarts: true });
  machine.kernel.nowMs += 3_600_000;
  for (const seconds of [-18_000, 18_000, 28_800]) setClock(seconds);
  const [judged] = machine.look().jobs.values();
  expect(judged?.job.ageSeconds).toBe(3_600);
});
