import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ProcessTableUnreadable } from '../../../main/os/processes/source.ts';
import type { SystemAnswer } from '../../../main/os/windows/kernel/kernel.ts';
import type { NativeSource } from '../../../main/os/windows/native/source.ts';
import { sourceOn, vetoesOn } from '../../windows/asked.ts';
import { SimulatedWindows, type Simulated, type Start } from '../../windows/simulated-windows.ts';

const orphan: Start = { parent: 9_000, console: false };

/** Processes that a rule protects, each by one thing. */
const guarded: Readonly<Record<string, (kernel: SimulatedWindows) => Simulated>> = {
  explorer: (kernel) => kernel.start(kernel.explorer),
  'below a shell of the user': (kernel) =>
    kernel.start(kernel.start(null, { parent: 9_000, image: 'pwsh.exe', commandLine: 'pwsh.exe' })),
  'two below a terminal': (kernel) =>
    kernel.start(
      kernel.start(kernel.start(null, { parent: 9_000, image: 'alacritty.exe' }), { commandLine: 'cmd /c x' }),
    ),
  'a shell': (kernel) => kernel.start(null, { parent: 9_000, image: 'cmd.exe', commandLine: 'cmd.exe /k' }),
  'a service': (kernel) => kernel.start(kernel.processes.get(8) ?? null),
  'other user': (kernel) => kernel.start(null, { ...orphan, user: 1002 }),
  'other session': (kernel) => kernel.start(null, { ...orphan, session: 7 }),
  elevated: (kernel) => kernel.start(null, { ...orphan, elevated: true }),
  integrity: (kernel) => kernel.start(null, { ...orphan, integrity: 0x3000 }),
  critical: (kernel) => kernel.start(null, { ...orphan, critical: true }),
  debugged: (kernel) => kernel.start(null, { ...orphan, debugged: true }),
  closed: (kernel) => kernel.start(null, { ...orphan, closed: true }),
  kept: (kernel) => kernel.start(null, { ...orphan, environment: ['CURFEW_KEEP=1', 'A=b'] }),
  wsl: (kernel) => kernel.start(null, { ...orphan, image: 'wsl.exe' }),
  window: (kernel) => {
    const one = kernel.start(null, orphan);
    kernel.shown = [...kernel.shown, { window: 9, pid: one.pid, visible: true, kind: 'Viewer' }];
    return one;
  },
};

/** Makes the n-th call of a kind fail, or give less than it should. */
const fail = (kernel: SimulatedWindows, name: (typeof calls)[number], at: number, cut: number | null): void => {
  const call = (kernel[name] as (...args: unknown[]) => unknown).bind(kernel);
  let count = 0;
  Object.defineProperty(kernel, name, {
    value: (...args: unknown[]) => {
      const isIt = count++ === at;
      if (isIt && name === 'open') return { status: 0xc0000022, handle: 0 };
      const answer = call(...args);
      if (!isIt || answer === null) return answer;
      if (name === 'memory' || name === 'windows') return null;
      if (name === 'token') return cut === null ? null : (answer as Buffer).subarray(0, cut);
      const whole = answer as SystemAnswer;
      if (cut === null) return { ...whole, status: 0xc0000005, bytes: Buffer.alloc(0) };
      return { ...whole, bytes: whole.bytes.subarray(0, Math.max(0, whole.bytes.length - 1 - cut)) };
    },
  });
};

const calls = ['system', 'open', 'process', 'memory', 'token', 'windows'] as const;

/** Whether a rule protects it. */
const isGuarded = (source: NativeSource, process: Simulated): boolean => {
  try {
    return vetoesOn(source, process)?.length !== 0;
  } catch (error) {
    if (error instanceof ProcessTableUnreadable) return true;
    throw error;
  }
};

test('what a rule protects stays so whatever call fails or gives too little', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.keys(guarded)),
      fc.constantFrom(...calls),
      fc.nat({ max: 60 }),
      fc.option(fc.nat({ max: 900 })),
      fc.boolean(),
      (kind, name, at, cut, seenBefore) => {
        const kernel = new SimulatedWindows();
        const curfew = kernel.start(kernel.explorer);
        const one = guarded[kind]?.(kernel);
        if (one === undefined) throw new Error(kind);
        const source = sourceOn(kernel, curfew);
        if (seenBefore) source.scan(new Set());
        fail(kernel, name, at, cut);
        expect(isGuarded(source, one)).toBe(true);
        expect(kernel.handles.size).toBe(0);
      },
    ),
    { numRuns: 1_500 },
  );
});
