import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AgentId } from '../../../app/agents/common/agent-id.ts';
import type { AgentFiles } from '../../../main/os/files/small-file.ts';
import { SessionReader } from '../../../main/agents/session-directory.ts';
import { furtherFolders } from '../../../main/store/seen-list.ts';
import { fakeMachine, type Plant } from './fake-table.ts';
import { home, states, uid, write } from './registry-home.ts';

const session = '43c8e917-1111-2222-3333-444455556666';
const agent: Plant = { pid: 23, argv: ['/home/me/.local/bin/claude'] };
const entry = { pid: 23, sessionId: session, procStart: '1000', pidDomain: 'linux:m:pid:[4026531836]' };

/** Any process can name a folder by its environment, one in a sandbox too. */
const naming = (pid: number, folder: string): Plant => ({
  pid,
  argv: ['sleep', '9'],
  environment: { CLAUDE_CONFIG_DIR: folder },
});

test('a look reads only so much in a folder that a process names, and the usual one in full', () => {
  let letters = 0;
  const huge = ' '.repeat(262_144);
  const names = Array.from({ length: 4096 }, (_, at) => `${at + 2}.json`);
  const files: AgentFiles = {
    stamp: () => ({ state: 'read', value: { stamp: String(letters), changedMs: 0 } }),
    text: (path) => {
      const text = path.startsWith('/home/me/.claude/') ? JSON.stringify(entry) : huge;
      letters += text.length;
      return { state: 'read', value: text };
    },
    names: (path) => {
      if (path === '/home/me/.claude/sessions') return { state: 'read', value: ['23.json'] };
      return path.endsWith('/sessions') ? { state: 'read', value: names } : { state: 'absent' };
    },
  };
  const plants = Array.from({ length: 60 }, (_, at) => naming(100 + at, `/tmp/evil-${at}`));
  const { table, source } = fakeMachine([agent, ...plants]);
  const elsewhere = { files, machineId: 'm', nowMs: () => Date.now() };
  const reader = new SessionReader({ source, home: '/home/me', uid, elsewhere });
  for (let look = 0; look < 2; look += 1) {
    letters = 0;
    const directory = reader.read(table);
    expect(states(directory)).toEqual(['claude-code 43c8e917 23 live']);
    expect(letters).toBeLessThan(50_000_000);
    // What was not read may say anything.
    expect([...directory.completeFor]).toEqual([]);
  }
});

test('further folders of the user are read in full', () => {
  const folders = ['work', 'home', 'other'].map((name) => `.claude-${name}`);
  for (const folder of folders)
    for (let pid = 1000; pid < 1200; pid += 1)
      write(`${folder}/sessions/${pid}.json`, { pid, sessionId: `s-${pid}`, procStart: '1' });
  const { table, source } = fakeMachine(folders.map((folder, at) => naming(100 + at, join(home, folder))));
  const { sessions, unclear } = new SessionReader({ source, home, uid, platform: 'linux' }).read(table);
  expect([sessions.length, unclear]).toEqual([600, []]);
});

test('folders that are not there take no place from one that is, and few are remembered', () => {
  const seen: { readonly agent: AgentId; readonly seen: string }[] = [];
  const list = {
    read: () => seen,
    add: (all: readonly { readonly agent: AgentId; readonly seen: string }[]) =>
      void seen.push(...all.filter((one) => !seen.some((known) => known.seen === one.seen))),
  };
  for (let at = 0; at < 100; at += 1) seen.push({ agent: 'claude-code', seen: join(home, `before-${at}`) });
  const plants = Array.from({ length: 200 }, (_, at) => naming(100 + at, join(home, `named-${at}`)));
  mkdirSync(join(home, '.claude-work'));
  write('.claude-work/sessions/23.json', { pid: 23, sessionId: session, procStart: '1000' });
  const { table, source } = fakeMachine([agent, ...plants, naming(400, join(home, '.claude-work'))]);
  const reader = new SessionReader({ source, home, uid, platform: 'linux', seen: list });
  expect(states(reader.read(table))).toEqual(['claude-code 43c8e917 23 live']);
  expect(seen).toHaveLength(100 + 1 + 64 + 1);
  expect(seen.map((one) => one.seen)).toContain(furtherFolders);
});

test('of folders that are there no more are remembered than are looked into', () => {
  const added = new Set<string>();
  const list = {
    read: () => [],
    add: (all: readonly { readonly seen: string }[]) => {
      for (const one of all) added.add(one.seen);
    },
  };
  const plants = Array.from({ length: 200 }, (_, at) => {
    mkdirSync(join(home, `made-${at}`));
    return naming(100 + at, join(home, `made-${at}`));
  });
  const { table, source } = fakeMachine(plants);
  new SessionReader({ source, home, uid, platform: 'linux', seen: list }).read(table);
  expect(added.size).toBe(64);
  // The sweep takes what is not remembered for unknown.
  expect(added).toContain(furtherFolders);
});
