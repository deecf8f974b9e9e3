import { expect, test } from 'vitest';
import { holdingsOf } from '../../../../app/jobs/measure/assemble.ts';
import { factsOf, rowOf } from '../../judge/job-builder.ts';

const files = (count: number) =>
  Array.from({ length: count }, (_, fd) => ({ fd, target: '/dev/null', deleted: false }));

test('what two processes hold is added up; ports and locks that both hold count once, in order', () => {
  const members = [
    { row: rowOf(39, ['server'], { rssBytes: 4096 }), by: ['group'] as const },
    { row: rowOf(40, ['server'], { rssBytes: 1024 }), by: ['group'] as const },
    // Nothing but its row could be read of this one, and no files of the first.
    { row: rowOf(41, ['hidden'], { rssBytes: 512 }), by: ['group'] as const },
  ];
  const facts = new Map([
    [39, factsOf({ openFiles: null, ports: [8080, 443], locks: ['/b', '/a'], sockets: 2 })],
    [40, factsOf({ openFiles: files(3), ports: [443, 3000, 10], locks: ['/a'], sockets: 5 })],
    [99, factsOf({ openFiles: files(100), ports: [1], sockets: 100 })],
  ]);
  expect(holdingsOf(members, facts, 12.5, 77)).toEqual({
    rssBytes: 5632,
    cpuPercent: 12.5,
    fds: 3,
    ports: [10, 443, 3000, 8080],
    locks: ['/a', '/b'],
    sockets: 7,
    outputBytes: 77,
  });
});
