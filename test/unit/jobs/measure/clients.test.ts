import { describe, expect, test } from 'vitest';
import type { ConnectedJob } from '../../../../app/jobs/measure/clients.ts';
import { clientsOf } from '../../../../app/jobs/measure/clients.ts';
import { asJobId } from '../../../../app/model/job.ts';

/** A leftover that holds these sockets and was connected to by those. */
const leftover = (id: string, sockets: readonly string[], peers: readonly (string | null)[] = []): ConnectedJob => ({
  id: asJobId(id),
  ends: 'now',
  sockets: new Set(sockets),
  pids: new Set(),
  possibleClients: peers.map((peer) => ({
    by: 'connection',
    at: 'port 3000',
    from: null,
    peers: peer === null ? null : peer.split(' '),
  })),
});
const used = (...jobs: readonly ConnectedJob[]): readonly string[] => [...clientsOf(jobs, 'now').keys()];

describe('a job is in use', () => {
  test('by a process that is no part of a leftover, and from another machine', () => {
    expect(used(leftover('a', ['1'], ['9']))).toEqual(['a']);
    expect(used(leftover('a', ['1'], [null]))).toEqual(['a']);
    expect(clientsOf([leftover('a', ['1'], ['9'])], 'now').get(asJobId('a'))).toEqual({
      by: 'connection',
      at: 'port 3000',
      from: null,
    });
  });

  test('by one of several that may be the other end, as long as not all of them are leftovers’', () => {
    expect(used(leftover('a', ['1'], ['2 9']), leftover('b', ['2']))).toEqual(['a']);
    expect(used(leftover('a', ['1'], ['2 3']), leftover('b', ['2', '3']))).toEqual([]);
  });

  test('where that can not be told', () => {
    const use = { by: 'unknown', at: 'its open files can not be seen', from: null } as const;
    expect(
      clientsOf([{ ...leftover('a', []), possibleClients: [{ ...use, peers: null }] }], 'now').get(asJobId('a')),
    ).toEqual(use);
  });

  test('by a job that is not ended: of a living session, kept, exempt, protected', () => {
    expect(used(leftover('a', ['1'], ['2']), { ...leftover('b', ['2']), ends: 'not' })).toEqual(['a']);
  });

  test('by a leftover that is itself in use, however many are between', () => {
    expect(
      used(leftover('a', ['1'], ['2']), leftover('b', ['2', '3'], ['4']), leftover('c', ['4', '5'], ['9'])),
    ).toEqual(expect.arrayContaining(['a', 'b', 'c']));
  });
});

describe('a job whose client ends later', () => {
  const server = leftover('a', ['1'], ['2']);
  const client: ConnectedJob = { ...leftover('b', ['2']), ends: 'told' };

  test('is in use now, and not once both are announced', () => {
    expect([...clientsOf([server, client], 'now').keys()]).toEqual(['a']);
    expect([...clientsOf([server, client], 'told').keys()]).toEqual([]);
  });
});

describe('a client that is told by its pid', () => {
  const shares = (pids: readonly number[]): ConnectedJob => ({
    ...leftover('a', []),
    pids: new Set([7]),
    possibleClients: [{ by: 'pipe', at: '/tmp/orders', from: null, peers: null, holders: pids }],
  });

  test('counts, unless it is of the job or of one that ends too', () => {
    expect(used(shares([9]))).toEqual(['a']);
    expect(used(shares([7]))).toEqual([]);
    expect(used(shares([7, 9]), { ...leftover('b', []), pids: new Set([9]) })).toEqual([]);
  });

  test('is an agent’s where an agent started it', () => {
    const agents = [{ sockets: new Set<string>(), pids: new Set([9]) }];
    expect(clientsOf([shares([9])], 'now', agents).get(asJobId('a'))).toMatchObject({ byAgent: true });
    expect(clientsOf([shares([8, 9])], 'now', agents).get(asJobId('a'))).not.toHaveProperty('byAgent');
  });
});

describe('a job is not in use', () => {
  test('by no process, and by itself', () => {
    expect(used(leftover('a', ['1']), leftover('b', ['2', '3'], ['3']))).toEqual([]);
    expect(used({ ...leftover('b', ['2', '3'], ['3']), ends: 'not' })).toEqual([]);
  });

  test('by other leftovers, which use each other', () => {
    expect(used(leftover('a', ['1', '2'], ['3']), leftover('b', ['3', '4'], ['2']))).toEqual([]);
  });
});
