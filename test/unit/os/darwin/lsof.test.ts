import { expect, test } from 'vitest';
import { lsofFactsIn } from '../../../../main/os/darwin/ps/lsof.ts';

/** Fields are ended by NUL; here by "|" to be readable. */
const output = (lines: readonly string[]): string => lines.map((line) => `${line.replaceAll('|', '\0')}\n`).join('');

const facts = lsofFactsIn(
  output([
    'p61296|',
    'fcwd|l |tDIR|n/Users/me/shop|',
    'ftxt|l |tREG|n/bin/zsh|',
    'ftxt|l |tREG|n/usr/lib/dyld|',
    'f0|l |tCHR|n/dev/null|',
    'f1|lW|tREG|n/private/tmp/claude-501/-Users-me-shop/s/tasks/b1.output|',
    'f2|l |tREG|n/private/tmp/claude-501/-Users-me-shop/s/tasks/b1.output|',
    'f3|l |tunix|n->0x1234abcd|',
    'f4|l |tIPv4|PTCP|n127.0.0.1:3000|TST=LISTEN|TQR=0|',
    'f5|l |tIPv6|PTCP|n*:3000|TST=LISTEN|',
    'f6|l |tIPv6|PTCP|n[::1]:3000->[::1]:51234|TST=ESTABLISHED|',
    'f7|l |tIPv4|PUDP|n*:5353|',
    'f8|l |tPIPE|n->0x99|',
    'p61301|',
    'fcwd|l |tDIR|n/|',
  ]),
);

test('open files and ports of a process', () => {
  const shell = facts.get(61296);
  expect(shell?.openFiles.map(({ fd }) => fd)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect(shell?.ports).toEqual([3000, 5353]);
});

test('each process has its own', () => {
  expect(facts.get(61301)).toEqual({ openFiles: [], ports: [] });
  expect(lsofFactsIn('').size).toBe(0);
});
