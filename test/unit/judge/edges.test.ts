import { describe, expect, test } from 'vitest';
import { exemptionOf } from '../../../app/judge/exemptions.ts';
import { judge } from '../../../app/judge/judge.ts';
import { previewVerdicts } from '../../../app/judge/preview.ts';
import { testCommandLine } from '../../../app/judge/rule-test.ts';
import { vetoesOfProcess } from '../../../app/judge/vetoes/vetoes-of.ts';
import { defaultSettings } from '../../../app/settings/defaults.ts';
import { factsOf, jobOf, nowMs, rowOf } from './job-builder.ts';
import { contextOf, vetoesOn, type Question } from './vetoes/ask.ts';

const createdAt = '2026-11-20T00:00:00Z';

test('a grace of nothing, for one pass, is a grace', () => {
  const gone = jobOf(5, { owner: { state: 'gone', sinceMs: null, evidence: 'x' } });
  const settings = { ...defaultSettings, mode: 'enforce' as const };
  const at = (minAgeSeconds: number) =>
    judge(gone, settings, { nowMs, vetoes: [], terms: { kind: 'command', minAgeSeconds } }).action;
  expect([at(0), at(6), at(-1)]).toEqual(['reap', 'none', 'none']);
});

test('an exemption is compared without what people put too much of, and with all that they meant', () => {
  const spared = (exemption: { readonly project?: string; readonly command?: string }): boolean =>
    exemptionOf([{ ...exemption, createdAt }], {
      project: '/home/me/shop',
      command: 'sleep  3600',
      holds: { ports: [] },
    }) !== null;
  expect(spared({ project: '/home/me//' })).toBe(true);
  expect(spared({ command: ' sleep   3600' })).toBe(true);
  expect(spared({ command: 'sleep3600' })).toBe(false);
});

test('what is called otherwise, but done the same, is a change too', () => {
  const job = jobOf(1900, { owner: { state: 'unknown', evidence: 'x' } });
  const before = judge(job, defaultSettings, { nowMs, vetoes: [] });
  const settings = { ...defaultSettings, backgroundMaxElapsedSecondsHardCap: 1900 };
  expect(previewVerdicts([{ job, vetoes: [], verdict: before }], settings, nowMs)).toMatchObject([
    { before: { state: 'overdue', action: 'notify' }, after: { state: 'past-cap', action: 'notify' } },
  ]);
});

test('a pasted command line is what is between the blanks around it', () => {
  const said = (line: string) => testCommandLine(line, [], [{ command: 'make dev', createdAt }]);
  expect(said('  make dev ')).toEqual({ matches: [], exemptions: [{ command: 'make dev', createdAt }], program: null });
  expect(said('')).toEqual({ matches: [], exemptions: [], program: null });
});

describe('what a veto is about', () => {
  const inFull = (argv: readonly string[], { row, facts }: Question = {}) =>
    vetoesOfProcess(
      rowOf(100, argv, row),
      factsOf(facts),
      { isRoot: false, descendsFromRoot: true, toolShell: null },
      contextOf(),
    ).map(({ code, figures }) => [code, figures]);
  const proxy = [
    'socat',
    'UNIX-LISTEN:/tmp/claude-http-0123456789abcdef.sock,fork,reuseaddr',
    'TCP:localhost:3128,keepalive,keepidle=10,keepintvl=5,keepcnt=3',
  ];

  test('the proxy of a sandbox, until no process answers behind it', () => {
    expect(inFull(proxy)).toEqual([['proxy-in-use', { port: 3128 }]]);
    expect(inFull(proxy, { facts: { forwards: 'unanswered' } })).toEqual([]);
  });

  test('servers of editors, by where they lie; IDEs, by their main class; sshd and tmux, by their titles', () => {
    const executable = '/h/.vscode-server/bin/0a/node';
    expect(inFull(['x'], { facts: { executable } })).toEqual([['editor', { name: 'code-server' }]]);
    expect(inFull(['java', 'com.intellij.idea.Main'])).toEqual([['editor', { name: 'idea' }]]);
    expect(inFull(['sshd-session: me [priv]'])).toEqual([['login-shell', { name: 'sshd' }]]);
    expect(inFull(['x'], { row: { comm: 'tmux: server' } })).toEqual([['multiplexer', { name: 'tmux' }]]);
    expect(inFull(['x'], { row: { comm: 'tmux: none' } })).toEqual([]);
  });

  test('a command behind several letters, or behind its long name, is no user', () => {
    const leads: Question = { row: { tty: 34_816, sid: rowOf(100, []).sid } };
    expect(vetoesOn(['bash', '-lic', '-x'], leads)).toEqual([]);
    expect(vetoesOn(['nu', '--command', '-x'], leads)).toEqual([]);
    expect(vetoesOn(['bash', '-li'], leads)).toEqual(['login-shell']);
  });

  test('a service right below the root of the control groups', () => {
    expect(inFull(['x'], { facts: { cgroups: { '': '/shop.service' } } })).toEqual([
      ['service-manager', { service: 'shop.service', path: '/shop.service' }],
    ]);
  });

  test('the innermost container of a pod, named by its runtime', () => {
    const scope = `/kubepods.slice/kubepods-pod1.slice/cri-containerd-${'0123456789abcdef'.repeat(4)}.scope`;
    expect(inFull(['x'], { facts: { cgroups: { '': `${scope}/init.scope` } } })).toEqual([
      ['container', { runtime: 'Kubernetes', path: scope }],
    ]);
  });
});
