import { describe, expect, test } from 'vitest';
import type { KeptByAgent } from '../../../../app/model/session.ts';
import type { Veto } from '../../../../app/judge/verdict.ts';
import { roleOf, vetoesOf, vetoesOfProcess } from '../../../../app/judge/vetoes/vetoes-of.ts';
import { asGroupId, asKernelSessionId, asPid } from '../../../../app/process/identity.ts';
import { factsOf, jobOf, rowOf, tableOf } from '../job-builder.ts';
import { contextOf, vetoesOn, type Question } from './ask.ts';

/** Every veto of a process 100 in full. */
const inFull = (argv: readonly string[], { row, facts, role, context }: Question = {}): readonly Veto[] => {
  const asked = rowOf(100, argv, row);
  const part = { isRoot: false, descendsFromRoot: true, toolShell: null, ...role };
  return vetoesOfProcess(asked, factsOf(facts), part, contextOf({ rows: tableOf(asked), ...context }));
};

describe('a veto says what it was made from', () => {
  const pod = '/kubepods/burstable/pod0a1b2c3d-0a1b-0a1b-0a1b-0a1b2c3d4e5f';
  const id = '0123456789abcdef'.repeat(4);
  test.each<[string, () => readonly Veto[], Veto['code'], Veto['figures']]>([
    ['an agent', () => inFull(['/opt/agent-1.2', 'x'], { row: { comm: 'agent' } }), 'agent', { name: 'agent-1.2' }],
    ['an agent without a name', () => inFull([], { row: { comm: 'agent' } }), 'agent', { name: 'agent' }],
    ['Curfew', () => inFull(['x'], { context: { ownPid: asPid(100) } }), 'curfew', { as: 'itself' }],
    [
      'what started it',
      () => inFull(['x'], { context: { ownAncestors: new Set([asPid(100)]) } }),
      'curfew',
      { as: 'ancestor' },
    ],
    ['its group', () => inFull(['x'], { context: { ownGroup: 100 } }), 'curfew', { as: 'group', pgid: 100 }],
    ['a run of it', () => inFull(['node', '/x/curfew.js', 'run']), 'curfew', { as: 'run' }],
    ['another user', () => inFull(['x'], { row: { uid: 1001 } }), 'other-user', { uid: 1001 }],
    ['unknown user', () => inFull(['x'], { row: { uid: null } }), 'other-user', {}],
    [
      'a thread of the kernel',
      () => inFull([], { row: { kernelThread: true, comm: 'kworker' } }),
      'kernel-thread',
      { name: 'kworker' },
    ],
    [
      'kept by its agent',
      () =>
        inFull(['x'], {
          context: {
            keptByAgent: [{ agent: 'copilot', pid: asPid(100), pgid: 100, startTicks: 1100, evidence: 'a lease' }],
          },
        }),
      'kept-by-agent',
      { agent: 'copilot', evidence: 'a lease' },
    ],
    [
      'a service',
      () => inFull(['x'], { facts: { cgroups: { '': '/system.slice/shop.service/inner' } } }),
      'service-manager',
      { service: 'shop.service', path: '/system.slice/shop.service' },
    ],
    [
      'the innermost of a pod',
      () => inFull(['x'], { facts: { cgroups: { '': `${pod}/${id}/init` } } }),
      'container',
      { runtime: 'Kubernetes', path: `${pod}/${id}` },
    ],
    [
      'in a terminal',
      () => inFull(['vim'], { row: { ppid: asPid(90), comm: 'x' }, context: { rows: tableOf(rowOf(90, ['kitty'])) } }),
      'editor',
      { name: 'vim' },
    ],
    [
      'of whom the user is above',
      () => inFull(['sleep', '9'], { row: { ppid: asPid(90) }, context: { rows: tableOf(rowOf(90, ['kitty'])) } }),
      'terminal',
      { name: 'kitty', inside: 90 },
    ],
  ])('%s', (_, vetoes, code, figures) => {
    expect(vetoes()).toEqual([{ code, pid: 100, figures }]);
  });
});

describe('what an agent keeps', () => {
  const kept: KeptByAgent = { agent: 'copilot', pid: asPid(90), pgid: 90, startTicks: 1090, evidence: 'a lease' };
  const member = { pgid: asGroupId(90) };
  const said = (lease: Partial<KeptByAgent>, ...others: readonly ReturnType<typeof rowOf>[]) => {
    const asked = rowOf(100, ['x'], member);
    const part = { isRoot: false, descendsFromRoot: true, toolShell: null };
    const keptByAgent: readonly KeptByAgent[] = [{ ...kept, ...lease }];
    return vetoesOfProcess(asked, factsOf(), part, contextOf({ keptByAgent, rows: tableOf(asked, ...others) })).map(
      ({ code }) => code,
    );
  };
  test.each([
    ['its leader lives', () => said({}, rowOf(90, ['sh'])), true],
    ['its leader has ended', () => said({}), true],
    ['the number is another’s now', () => said({}, rowOf(90, ['sh'], { startTicks: 9999 })), false],
    ['its start was not noted', () => said({ startTicks: null }, rowOf(90, ['sh'], { startTicks: 9999 })), true],
    ['only the group was noted', () => said({ pid: null }, rowOf(90, ['sh'], { startTicks: 9999 })), true],
    ['the noted process leads no group', () => said({ pid: asPid(91) }, rowOf(91, ['sh'], { startTicks: 9999 })), true],
    ['another group', () => said({ pgid: 89 }), false],
    ['no group was noted', () => said({ pgid: null }), false],
  ])('%s', (_, codes, expected) => {
    expect(codes()).toEqual(expected ? ['kept-by-agent'] : []);
  });
});

describe('the part of a process in its job', () => {
  const root = rowOf(50, ['/bin/bash', '-c', 'a']);
  const [child, grandchild] = [rowOf(51, ['a'], { ppid: asPid(50) }), rowOf(52, ['b'], { ppid: asPid(51) })];
  const stranger = rowOf(60, ['c']);
  const [left, right] = [rowOf(70, ['d'], { ppid: asPid(71) }), rowOf(71, ['e'], { ppid: asPid(70) })];
  const rows = tableOf(root, child, grandchild, stranger, left, right);
  const proven = jobOf(9, { root });
  const ruled = jobOf(9, { root, provenance: [{ code: 'rule', rule: 'mine' }] });
  const marked = jobOf(9, {
    root,
    provenance: [
      { code: 'marker', rule: 'x' },
      { code: 'wrapper', rule: 'x' },
    ] as never,
  });
  const unwrapped = jobOf(9, { root, provenance: [{ code: 'marker', rule: 'x' }] });
  test.each([
    ['the root', root, proven, { isRoot: true, descendsFromRoot: false, toolShell: 50 }],
    ['a child', child, ruled, { isRoot: false, descendsFromRoot: true, toolShell: 50 }],
    ['a grandchild', grandchild, marked, { isRoot: false, descendsFromRoot: true, toolShell: 50 }],
    ['a stranger', stranger, unwrapped, { isRoot: false, descendsFromRoot: false, toolShell: null }],
    ['one of a circle', left, proven, { isRoot: false, descendsFromRoot: false, toolShell: 50 }],
  ])('%s', (_, row, job, role) => {
    expect(roleOf(row, job, rows)).toEqual(role);
  });

  test('each member is asked about once, the root first', () => {
    const job = jobOf(9, {
      root: { ...root, uid: 1 },
      members: [child, root].map((row) => ({ row: { ...row, uid: 1 }, by: ['group'] as const })),
    });
    expect(vetoesOf(job, contextOf({ rows })).map(({ code, pid }) => [code, pid])).toEqual([
      ['other-user', 50],
      ['other-user', 51],
    ]);
  });
});

const tty = { row: { tty: 34_816 } };
describe('who opens a shell, and who runs a command', () => {
  test.each([
    [['su', '-c', 'make'], false],
    [['su', '-lc', 'make'], false],
    [['su', '--command=make'], false],
    [['su', 'a-c'], true],
    [['su', '-'], true],
    [['sudo', '-i'], true],
    [['sudo', '-Hs', '-u', 'me'], true],
    [['sudo', '--login'], true],
    [['sudo', '--shell'], true],
    [['sudo', 'x-i'], false],
    [['sudo', '-ix'], false],
    [['sudo', '--login-class'], false],
    [['sudo', '--shells'], false],
    [['doas', '-s'], false],
    [['bash', '-lc', 'x'], false],
    [['bash', '+c'], true],
    [['bash', 'a-script'], false],
    [['nu', '--command', 'x'], false],
    [['pwsh', '-NoExit', 'x.ps1'], true],
    [['pwsh', 'x-noexit'], false],
    [['pwsh', '-noexits', 'x'], false],
  ])('%j: the user sits there: %s', (argv, person) => {
    const leads = { row: { ...tty.row, sid: asKernelSessionId(100) } };
    expect(vetoesOn(argv, leads)).toEqual(person ? ['login-shell'] : []);
  });
});

describe('a browser that a program drives', () => {
  const parent = (argv: readonly string[]): Question => ({
    row: { ppid: asPid(90) },
    context: { rows: tableOf(rowOf(90, argv)) },
  });
  test.each<[readonly string[], Question, boolean]>([
    [['firefox', '-profile', '/tmp/rust_mozprofile1'], {}, true],
    [['firefox', '--profile', '/tmp/rust_mozprofile1'], {}, true],
    [['firefox', '--profiles', '/tmp/rust_mozprofile1'], {}, false],
    [['firefox', 'x-profile', '/tmp/rust_mozprofile1'], {}, false],
    [['firefox', '/tmp/rust_mozprofile1', '-profile'], {}, false],
    [['firefox', 'x--profile=/tmp/rust_mozprofile1'], {}, false],
    [['chrome --headless --type=renderer'], {}, true],
    [['chrome', '--type=renderer'], parent(['chrome', '--headless']), true],
    [['chrome', '--type=renderer'], parent(['chrome', '--enable']), false],
    [['chrome', '--type=renderer'], parent(['node', '--headless']), false],
  ])('%j', (argv, question, driven) => {
    expect(vetoesOn(argv, question).includes('shared-daemon')).toBe(!driven);
  });
});

describe('names as packages write them', () => {
  test.each([
    ['nvim-linux-x86_64.appimage', true],
    ['nvim-linux64', true],
    ['nvim-arm64', true],
    ['.nvim-wrapped', true],
    ['x.nvim-wrapped', false],
    ['.nvim-wrapped2', false],
    ['nvim-linux.d', false],
    ['nvim.exe.d', false],
    ['emacs-29.4.1', true],
    ['emacs-29', true],
    ['emacs-29.4-x', false],
  ])('%s is an editor: %s', (name, editor) => {
    expect(vetoesOn([`/opt/${name}`], { row: { comm: 'x' } }).includes('editor')).toBe(editor);
  });

  test('a file that was replaced while it runs has its name all the same', () => {
    const named = (executable: string) => vetoesOn(['x'], { row: { comm: 'x' }, facts: { executable } });
    expect(named('/usr/bin/vim (deleted)')).toEqual(['editor']);
    expect(named('/usr/bin/vim (deleted) x')).toEqual([]);
    expect(named('')).toEqual([]);
  });
});
