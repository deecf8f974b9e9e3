import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { asPid } from '../../../app/process/identity.ts';
import type { ProcessTable } from '../../../app/process/table.ts';
import { ProcessTableUnreadable } from '../../../main/os/processes/source.ts';
import type { SystemAnswer } from '../../../main/os/windows/kernel/kernel.ts';
import { tcpIn, udpIn } from '../../../main/os/windows/kernel/ports.ts';
import { rowsIn } from '../../../main/os/windows/kernel/process-rows.ts';
import { HandleSignaller } from '../../../main/os/windows/native/signaller.ts';
import type { NativeSource } from '../../../main/os/windows/native/source.ts';
import { sourceOn } from '../../windows/asked.ts';
import { SimulatedWindows, type Simulated } from '../../windows/simulated-windows.ts';

interface World {
  readonly kernel: SimulatedWindows;
  readonly source: NativeSource;
  readonly innocent: Simulated;
}

const world = (): World => {
  const kernel = new SimulatedWindows();
  const curfew = kernel.start(kernel.explorer);
  const shell = kernel.start(kernel.explorer, { image: 'pwsh.exe' });
  const agent = kernel.start(shell, { image: 'claude.exe', environment: ['MARK=1', 'USERPROFILE=x'] });
  kernel.start(agent, { image: 'bash.exe', console: false, standard: ['pipe', 'C:\\t\\o', 'C:\\t\\o'] });
  const innocent = kernel.start(kernel.explorer, { user: 1002 });
  kernel.tcp = [{ listens: true, local: 80, pid: agent.pid }];
  const source = sourceOn(kernel, curfew, ['MARK']);
  return { kernel, source, innocent };
};

const readAll = (source: NativeSource): ProcessTable => {
  const table = source.scan(new Set());
  const rows = [...table.rows.values()].filter(({ uid }) => uid === 0);
  source.facts(rows);
  for (const row of rows) {
    source.outputs(row);
    source.environment(row);
    source.readEnvironment(row.pid);
    source.records.parent(row.pid);
    source.read(row.pid);
  }
  source.sockets.possibleClients(rows.map(({ pid }) => ({ pid, files: [], ports: new Set([80]) })));
  return table;
};

type Mistake =
  | { readonly kind: 'cut'; readonly by: number }
  | { readonly kind: 'flip'; readonly at: number; readonly mask: number }
  | { readonly kind: 'replace'; readonly bytes: Uint8Array }
  | { readonly kind: 'error'; readonly status: number };

const mistakes: fc.Arbitrary<Mistake> = fc.oneof(
  fc.record({ kind: fc.constant('cut' as const), by: fc.nat({ max: 700 }) }),
  fc.record({ kind: fc.constant('flip' as const), at: fc.nat(), mask: fc.integer({ min: 1, max: 255 }) }),
  fc.record({ kind: fc.constant('replace' as const), bytes: fc.uint8Array({ maxLength: 1_200 }) }),
  fc.record({
    kind: fc.constant('error' as const),
    status: fc.constantFrom(0xc0000003, 0xc0000005, 0xc000000b, 0xc0000022, 0x8000000d, 0xc0000008),
  }),
);

const altered = (bytes: Buffer, mistake: Exclude<Mistake, { kind: 'error' }>): Buffer => {
  switch (mistake.kind) {
    case 'cut':
      return bytes.subarray(0, Math.max(0, bytes.length - mistake.by));
    case 'flip': {
      const changed = Buffer.from(bytes);
      const at = mistake.at % Math.max(1, changed.length);
      if (changed.length > 0) changed.writeUInt8(changed.readUInt8(at) ^ mistake.mask, at);
      return changed;
    }
    case 'replace':
      return Buffer.from(mistake.bytes);
  }
};

const errorOf = (work: () => unknown): unknown => {
  try {
    work();
    return null;
  } catch (error) {
    return error;
  }
};

const calls = ['system', 'process', 'memory', 'token', 'ports'] as const;

test('a kernel that answers wrongly gives less, never an error of another kind', () => {
  fc.assert(
    fc.property(fc.constantFrom(...calls), fc.nat({ max: 40 }), mistakes, (name, at, mistake) => {
      const { kernel, source } = world();
      let count = 0;
      const call = (kernel[name] as (...args: unknown[]) => unknown).bind(kernel);
      Object.defineProperty(kernel, name, {
        value: (...args: unknown[]) => {
          const answer = call(...args);
          if (count++ !== at) return answer;
          const isAnswer = answer !== null && !Buffer.isBuffer(answer);
          if (mistake.kind === 'error')
            return isAnswer ? { ...(answer as SystemAnswer), status: mistake.status, bytes: Buffer.alloc(0) } : null;
          if (answer === null) return null;
          if (isAnswer) {
            const whole = answer as SystemAnswer;
            return { ...whole, bytes: altered(whole.bytes, mistake) };
          }
          const changed = altered(answer, mistake);
          // Memory comes whole or not at all.
          return name === 'memory' && changed.length !== answer.length ? null : changed;
        },
      });
      expect(errorOf(() => readAll(source))).toSatisfy(
        (error) => error === null || error instanceof ProcessTableUnreadable,
      );
      expect(kernel.handles.size).toBe(0);
    }),
  );
});

test('a mistake about an innocent never makes it the user’s and never ends it', () => {
  fc.assert(
    fc.property(mistakes, fc.nat({ max: 3 }), (mistake, at) => {
      const { kernel, source, innocent } = world();
      let count = 0;
      const token = kernel.token.bind(kernel);
      Object.defineProperty(kernel, 'token', {
        value: (handle: number, informationClass: number) => {
          const answer = token(handle, informationClass);
          if (kernel.handles.get(handle) !== innocent || answer === null || count++ !== at) return answer;
          return mistake.kind === 'error' || mistake.kind === 'flip' ? null : altered(answer, mistake);
        },
      });
      const row = source.scan(new Set()).rows.get(asPid(innocent.pid));
      expect(row?.uid).toBeNull();
      const signaller = new HandleSignaller(kernel, source, { ask: () => 'not-sent', forget: () => undefined });
      if (row !== undefined)
        signaller.open({ bootId: source.bootId, pid: row.pid, startTicks: row.startTicks })?.send('KILL');
      expect(innocent.ended).toBe(false);
    }),
  );
});

test('any bytes at all are rows, or are counted as unread', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 2_000 }),
      fc.bigInt({ min: 0n, max: 0xffff_ffff_ffffn }),
      (bytes, address) => {
        const { rows, unread } = rowsIn(Buffer.from(bytes), address);
        expect(rows.length + unread).toBeGreaterThanOrEqual(bytes.length < 256 ? 1 : 0);
        tcpIn(Buffer.from(bytes), 'tcp6');
        udpIn(Buffer.from(bytes), 'udp4');
      },
    ),
  );
});
