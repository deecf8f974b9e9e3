import { describe, expect, test } from 'vitest';
import type { SocketsOfJob } from '../../../app/jobs/measure/clients.ts';
import { clientsOf } from '../../../app/jobs/measure/clients.ts';
import { asJobId } from '../../../app/jobs/model/job.ts';

/** A leftover that holds these sockets and was connected to by those. */
const leftover = (id: string, sockets: readonly string[], peers: readonly (string | null)[] = []): SocketsOfJob => ({
  id: asJobId(id),
  ended: true,
  sockets: new Set(sockets),
  possibleClients: peers.map((peer) => ({
    by: 'connection',
    at: 'port 3000',
    from: null,
    peers: peer === null ? null : peer.split(' '),
  })),
});
const used = (...jobs: readonly SocketsOfJob[]): readonly string[] => [...clientsOf(jobs).keys()];

describe('a job is in use', () => {
  test('by a process that is no part of a leftover, and from another machine', () => {
    expect(used(leftover('a', ['1'], ['9']))).toEqual(['a']);
    expect(used(leftover('a', ['1'], [null]))).toEqual(['a']);
    expect(clientsOf([leftover('a', ['1'], ['9'])]).get(asJobId('a'))).toEqual({
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
    expect(clientsOf([{ ...leftover('a', []), possibleClients: [{ ...use, peers: null }] }]).get(asJobId('a'))).toEqual(
      use,
    );
  });

  test('by a job of a session that lives', () => {
    expect(used(leftover('a', ['1'], ['2']), { ...leftover('b', ['2']), ended: false })).toEqual(['a']);
  });

  test('by a leftover that is itself in use, however many are between', () => {
    expect(
      used(leftover('a', ['1'], ['2']), leftover('b', ['2', '3'], ['4']), leftover('c', ['4', '5'], ['9'])),
    ).toEqual(expect.arrayContaining(['a', 'b', 'c']));
  });
});

describe('a job is not in use', () => {
  test('by no process, and by itself', () => {
    expect(used(leftover('a', ['1']), leftover('b', ['2', '3'], ['3']))).toEqual([]);
    expect(used({ ...leftover('b', ['2', '3'], ['3']), ended: false })).toEqual([]);
  });

  test('by other leftovers, which use each other', () => {
    expect(used(leftover('a', ['1', '2'], ['3']), leftover('b', ['3', '4'], ['2']))).toEqual([]);
  });
});
