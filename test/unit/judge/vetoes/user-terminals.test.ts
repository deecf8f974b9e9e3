import { describe, expect, test } from 'vitest';
import { asGroupId, asKernelSessionId, asPid } from '../../../../app/process/identity.ts';
import type { ProcessRow } from '../../../../app/process/row.ts';
import { sayVeto } from '../../../../app/text/say.ts';
import { vetoesOfProcess } from '../../../../app/judge/vetoes/vetoes-of.ts';
import { factsOf, rowOf, tableOf } from '../job-builder.ts';
import { contextOf, vetoesOn } from './ask.ts';

const role = { isRoot: true, descendsFromRoot: false, toolShell: null };

describe('what holds the terminal of the user’s shell, whatever its name', () => {
  const host = rowOf(50, ['python3', 'share-terminal.py']);
  const below = (...argv: readonly string[]): ProcessRow =>
    rowOf(60, argv, { ppid: asPid(50), sid: asKernelSessionId(60), tty: 34_816 });
  const asked = (child: ProcessRow): readonly string[] =>
    vetoesOfProcess(host, factsOf(), role, contextOf({ rows: tableOf(host, child) })).map(sayVeto);

  test('is spared', () => {
    const words = ['it holds a terminal that may be in use (bash, process 60)'];
    expect(asked({ ...below('bash', '--norc'), comm: 'bash' })).toEqual(words);
  });

  test.each([
    ['a command, not a shell', below('/bin/bash', '-c', 'npm test')],
    ['a program in a terminal', below('npm', 'run', 'dev')],
    ['a shell without a terminal', { ...below('bash', '--norc'), tty: 0 }],
    ['a shell in a session that is not its own', { ...below('bash', '--norc'), sid: asKernelSessionId(50) }],
    ['the child of another process', { ...below('bash', '--norc'), ppid: asPid(1) }],
  ])('is not, with %s in it', (_what, child) => {
    expect(asked(child)).toEqual([]);
  });
});

describe('an orphan that leads the session of a terminal, which another process must hold', () => {
  const manager = rowOf(50, ['/usr/lib/systemd/systemd', '--user'], { comm: 'systemd' });
  const tail = rowOf(60, ['npm', 'test'], { ppid: asPid(50), sid: asKernelSessionId(60), tty: 34_816, comm: 'npm' });
  const asked = (row: ProcessRow, parent = manager): readonly string[] =>
    vetoesOfProcess(row, factsOf(), role, contextOf({ rows: tableOf(parent, row) })).map(sayVeto);

  test('was taken over by the user (reptyr)', () => {
    const words = ['it was moved into a terminal that may be in use'];
    expect(asked(tail)).toEqual(words);
    expect(asked({ ...tail, ppid: asPid(1) }, rowOf(1, ['/sbin/init']))).toEqual(words);
  });

  test('is not: without a terminal, on another’s, or below a program that holds it', () => {
    expect(asked({ ...tail, tty: 0 })).toEqual([]);
    expect(asked({ ...tail, sid: asKernelSessionId(59) })).toEqual([]);
    expect(asked(tail, rowOf(50, ['script', '-c', 'npm test']))).toEqual([]);
  });
});

describe('what provides the machine with something', () => {
  test.each([
    ['/dev/fuse', 'it provides a mounted folder (sshfs), which would end with it'],
    ['/dev/net/tun', 'it provides a network connection (sshfs), which would end with it'],
  ])('%s is open', (target, words) => {
    const row = rowOf(100, ['/usr/bin/sshfs', 'host:/srv', '/mnt/srv'], { comm: 'sshfs' });
    const facts = factsOf({ openFiles: [{ fd: 3, target, deleted: false }] });
    expect(vetoesOfProcess(row, facts, role, contextOf()).map(sayVeto)).toEqual([words]);
  });

  test('other devices say nothing', () => {
    expect(vetoesOn(['app'], { facts: { openFiles: [{ fd: 3, target: '/dev/null', deleted: false }] } })).toEqual([]);
  });
});

describe('a child in the process group of a running agent', () => {
  const parent = rowOf(50, ['amp'], { comm: 'agent' });
  const child = (more: Partial<ProcessRow>): ProcessRow =>
    rowOf(60, ['node', 'mcp-server.js'], { ppid: asPid(50), pgid: asGroupId(50), ...more });
  const asked = (row: ProcessRow, toolShell: number | null = null): readonly string[] =>
    vetoesOfProcess(
      row,
      factsOf(),
      { ...role, toolShell: toolShell === null ? null : asPid(toolShell) },
      contextOf({ rows: tableOf(parent, row) }),
    ).map(sayVeto);

  test('may be a server that it started for itself', () => {
    expect(asked({ ...child({}) })).toEqual(['it may be part of a running agent (amp, process 50)']);
  });

  test('is none in a group of its own, after the agent’s end, or where its own command line proves it to be a command', () => {
    expect(asked(child({ pgid: asGroupId(60) }))).toEqual([]);
    expect(asked(child({ ppid: asPid(1) }))).toEqual([]);
    expect(asked(child({}), 60)).toEqual([]);
  });
});
