import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { serverReports, type ServerState } from '../../../app/model/server-state.ts';
import { shapeOf } from '../../../app/jobs/servers/server-tree.ts';
import { judge } from '../../../app/judge/judge.ts';
import type { FarEnd, StandardEnd, StandardKind } from '../../../app/process/channels.ts';
import { job, judgeContext, row, settings } from '../arbitraries.ts';

const runs = { numRuns: 2000 };
const far = fc.constantFrom<FarEnd>('open', 'closed', 'unknown');
const kind = fc.constantFrom<StandardKind>(
  'pair',
  'pipe',
  'null',
  'file',
  'terminal',
  'named',
  'other',
  'missing',
  'unknown',
);
const end: fc.Arbitrary<StandardEnd> = fc.record({ kind, far });
const isChannel = (one: StandardEnd): boolean => one.kind === 'pair' || one.kind === 'pipe';

const server: fc.Arbitrary<ServerState> = fc.oneof(
  fc.constant<ServerState>({ standing: 'living' }),
  fc.constant<ServerState>({ standing: 'abandoned' }),
  fc
    .tuple(fc.constantFrom(...serverReports), fc.array(fc.constantFrom(...serverReports), { maxLength: 2 }))
    .map(([first, others]): ServerState => ({ standing: 'reported', why: [first, ...others] })),
);

describe('a server', () => {
  test('is called closed only where no channel of its input, output and error is open or unknown', () => {
    fc.assert(
      fc.property(row, end, end, end, (someRow, input, output, error) => {
        const shape = shapeOf(someRow, { standard: [input, output, error], held: [], listens: [], complete: true });
        const channels = [input, output, error].filter(isChannel);
        const isServer = isChannel(input) && isChannel(output);
        expect(shape.kind === 'server').toBe(isServer);
        const isClosed = shape.kind === 'server' && shape.far === 'closed';
        expect(isClosed).toBe(isServer && channels.every((one) => one.far === 'closed'));
      }),
      runs,
    );
  });

  test('is ended only where it is abandoned, its agent is gone, and nothing spares it, at any age', () => {
    let ended = 0;
    fc.assert(
      fc.property(job, server, settings, judgeContext, (someJob, state, all, context) => {
        const { action, announces } = judge({ ...someJob, kind: 'server', server: state }, all, context);
        if (action !== 'reap' && announces !== true) return;
        ended += 1;
        expect(state.standing).toBe('abandoned');
        expect(someJob.owner.state).toBe('gone');
        expect(context.vetoes).toEqual([]);
        expect(someJob.client).toBeUndefined();
        expect(all.mode).toBe('enforce');
        expect(all.sessionServers).toBe('end');
      }),
      runs,
    );
    expect(ended).toBeGreaterThan(0);
  });
});
