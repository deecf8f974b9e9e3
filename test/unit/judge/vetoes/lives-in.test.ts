import { describe, expect, test } from 'vitest';
import { asPid, type Pid } from '../../../../app/process/identity.ts';
import type { ProcessRow } from '../../../../app/process/row.ts';
import { vetoesOf, vetoesOfMember } from '../../../../app/judge/vetoes/vetoes-of.ts';
import { factsOf, jobOf, rowOf, tableOf } from '../job-builder.ts';
import { contextOf, vetoesOn } from './ask.ts';

const child = (pid: number, ppid: number, ...argv: readonly string[]): ProcessRow =>
  rowOf(pid, argv, { ppid: asPid(ppid) });
const below = (ppid: number, ...rows: readonly ProcessRow[]): readonly string[] =>
  vetoesOn(['npm', 'run', 'dev'], { row: { ppid: asPid(ppid) }, context: { rows: tableOf(...rows) } });

describe('what lives in something that was opened from a tool shell', () => {
  test.each([
    ['a pane of tmux', [child(50, 1, 'tmux: server'), child(60, 50, '-zsh')], 'multiplexer'],
    ['a tab of a terminal', [child(50, 1, 'xterm'), child(60, 50, 'bash')], 'terminal'],
    ['the terminal of an editor', [child(50, 1, '/usr/share/code/code'), child(60, 50, 'bash')], 'editor'],
    ['a worker of a build server', [child(50, 1, 'bazel(shop)'), child(60, 50, 'sh')], 'shared-daemon'],
    ['pm2', [child(50, 1, 'PM2 v5.3.0: God Daemon (/home/me/.pm2)'), child(60, 50, 'sh')], 'shared-daemon'],
  ])('%s', (_what, rows, code) => {
    expect(below(60, ...rows)).toEqual([code]);
  });
});

describe('what only has such a thing above it', () => {
  test('with the agent in between', () => {
    const rows = [
      child(50, 1, 'tmux: server'),
      child(55, 50, '-zsh'),
      child(58, 55, 'agent'),
      child(60, 58, '/bin/bash', '-c', 'x'),
    ];
    expect(below(60, ...rows)).toEqual([]);
  });

  test('with a tool shell in between, of an agent that isn’t recognised', () => {
    const rows = [child(50, 1, 'tmux: server'), child(58, 50, 'renamed'), child(60, 58, '/bin/bash', '-c', 'x')];
    const table = tableOf(...rows);
    const asked = (toolShell: number | null): readonly string[] =>
      vetoesOn(['npm'], {
        row: { ppid: asPid(60) },
        role: { toolShell: toolShell === null ? null : asPid(toolShell) },
        context: { rows: table },
      });
    expect(asked(60)).toEqual([]);
    expect(asked(100)).toEqual([]);
    expect(asked(null)).toEqual(['multiplexer']);
  });

  test.each([
    ['the user’s manager', '/lib/systemd/systemd', '--user'],
    ['the init of a container', 'tini', '--'],
    ['the shim of a container', '/usr/bin/containerd-shim-runc-v2', ''],
  ])('adopted by %s', (_what, ...argv) => {
    expect(below(50, child(50, 1, ...argv))).toEqual([]);
  });

  test('an adopter below a daemon hides it', () => {
    expect(below(50, child(40, 1, 'cron'), child(50, 40, 'dumb-init'))).toEqual([]);
  });

  test('a table that goes in circles ends', () => {
    expect(below(50, child(50, 60, 'sh'), child(60, 50, 'sh'))).toEqual([]);
  });
});

test('a browser’s own children are what it is', () => {
  const renderer = (parent: ProcessRow): readonly string[] =>
    vetoesOn(['/opt/google/chrome/chrome', '--type=renderer'], {
      row: { ppid: asPid(50) },
      context: { rows: tableOf(parent) },
    });
  expect(renderer(child(50, 1, '/opt/google/chrome/chrome', '--headless=new'))).toEqual([]);
  expect(renderer(child(50, 1, '/opt/google/chrome/chrome'))).toEqual(['shared-daemon']);
});

describe('the vetoes of a job', () => {
  const root = child(39, 1, '/bin/bash', '-c', 'x');
  const editor = child(40, 39, 'vim');
  const job = jobOf(0, {
    root,
    members: [
      { row: root, by: ['group'] },
      { row: editor, by: ['tree'] },
    ],
    facts: new Map([[40, factsOf({ environment: { CURFEW_KEEP: '1' } })]]),
  });
  const context = contextOf({ rows: tableOf(root, editor) });

  test('come from every member, each with its process', () => {
    expect(vetoesOf(job, context)).toEqual([
      { code: 'editor', pid: 40, figures: { name: 'vim' } },
      { code: 'keep-marker', pid: 40, figures: {} },
    ]);
  });

  test('a job without provenance has one', () => {
    expect(vetoesOf({ ...job, members: [], provenance: [] }, context)).toEqual([
      { code: 'no-provenance', pid: 39, figures: {} },
    ]);
  });

  test('a root that is missing among the members is asked too', () => {
    const agent = { ...root, comm: 'agent' };
    expect(vetoesOf({ ...job, root: agent, members: [] }, context).map(({ code }) => code)).toEqual(['agent']);
  });

  test('asked again for one member with a row read afresh', () => {
    const sleep = child(41, 40, 'sleep', '1');
    expect(vetoesOfMember(job, sleep, factsOf(), contextOf({ rows: tableOf(root, sleep) }))).toEqual([]);
    expect(vetoesOfMember(job, { ...sleep, uid: 0 }, null, context).map(({ code }) => code)).toContain('other-user');
  });

  test('a sandbox of its own below the root is a part of the job, beside it it is a stranger', () => {
    const facts = factsOf({ pidNamespace: '4026532001' });
    const inside = child(42, 39, 'node');
    const beside = child(43, 1, 'node');
    const rows = tableOf(root, inside, beside);
    expect(vetoesOfMember(job, inside, facts, contextOf({ rows }))).toEqual([]);
    expect(vetoesOfMember(job, beside, facts, contextOf({ rows })).map(({ code }) => code)).toEqual([
      'other-namespace',
    ]);
    expect(vetoesOfMember(job, root, facts, contextOf({ rows })).map(({ code }) => code)).toEqual(['other-namespace']);
  });
});

test('a job of processes one below the other asks for the parents of each once', () => {
  const asked = (count: number): number => {
    let times = 0;
    const members = Array.from({ length: count }, (_, at) => child(100 + at, at === 0 ? 1 : 99 + at, 'sh', String(at)));
    const table = new Map(tableOf(...members));
    const rows = {
      get: (pid: Pid) => {
        times += 1;
        return table.get(pid);
      },
      values: () => table.values(),
    } as typeof table;
    const [root] = members;
    if (root === undefined) throw new Error('no process');
    const job = jobOf(60, { root, members: members.map((row) => ({ row, by: ['tree'] })), provenance: [] });
    vetoesOf(job, contextOf({ rows }));
    return times;
  };
  // It grows with the square of their number: four times. With its cube a script that calls itself
  // 800 deep stopped all looks.
  expect(asked(100) / asked(50)).toBeLessThan(5);
});
