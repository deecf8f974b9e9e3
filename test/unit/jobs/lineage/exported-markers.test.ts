import { describe, expect, test } from 'vitest';
import type { Claim } from '../../../../app/agents/common/claim.ts';
import { downgradeExportedMarkers } from '../../../../app/jobs/lineage/exported-markers.ts';
import { asPid } from '../../../../app/process/identity.ts';
import { machineOf } from '../machine.ts';
import type { Plant } from '../plant.ts';
import { toldEvidence, toolMark, toolShell, weakMark, type Told } from '../told-evidence.ts';

const tty = 34_816;
const mark = toolMark('gemini');
const manager: Plant = { pid: 10, argv: '/lib/systemd/systemd --user', comm: 'systemd' };
const xterm: Plant = { pid: 20, ppid: 10, sid: 20, argv: 'xterm' };
const shell: Plant = { pid: 21, ppid: 20, sid: 21, tty, argv: 'bash' };
const leftover: Plant = { pid: 81, ppid: 10, sid: 80, pgid: 80, argv: 'node bot.js' };

/** What counts of a leftover's claims, on a machine of which this is told. */
const leftOf = (plants: readonly Plant[], told: Readonly<Record<number, Told>>, claims: readonly Claim[] = [mark]) => {
  const table = machineOf([manager, ...plants, leftover]).table();
  const before = toldEvidence({ ...told, 81: { claims } });
  const after = downgradeExportedMarkers(table, before);
  const row = table.rows.get(asPid(81));
  if (row === undefined) throw new Error('the leftover was planted');
  return { same: after === before, claims: after.claims(row) };
};
const bare = [{ ...mark, marker: { kind: 'bare', rule: 'gemini-env' } }];
const ofUser: Told = { isUserProgram: true, claims: [mark] };

describe('a mark without an id in the user’s own shell makes the same mark of a leftover a bare name', () => {
  const leftWith = (...claims: readonly Claim[]) => leftOf([xterm, shell], { 21: ofUser }, claims).claims;

  test('of that agent', () => {
    expect(leftWith(mark)).toEqual(bare);
  });

  test.each([
    ['another agent’s', toolMark('codex')],
    ['one that names a session', toolMark('gemini', { session: 's1' })],
    ['one that names the agent’s process', toolMark('gemini', { pid: 34 })],
    ['one whose process is a tool shell by its argv', toolShell('gemini')],
    ['one of the agent’s own parts', weakMark('gemini', 'harness')],
    ['a tool shell without any mark', { ...toolShell('gemini'), marker: null }],
  ])('but leaves %s as it is', (_which, claim) => {
    expect(leftWith(claim, mark)).toEqual([claim, ...bare]);
  });
});

describe('the mark is all around, where it is carried by', () => {
  test.each([
    ['the user’s manager', [], { 10: { claims: [mark] } }],
    ['the user’s shell on a terminal', [xterm, shell], { 21: ofUser }],
    [
      'what the user started in that shell',
      [xterm, shell, { pid: 22, ppid: 21, pgid: 22, argv: 'vim' }],
      { 21: { isUserProgram: true }, 22: { claims: [mark] } },
    ],
  ] as const)('%s', (_where, plants, told) => {
    expect(leftOf(plants, told)).toEqual({ same: false, claims: bare });
  });
});

describe('it proves what it did, and the evidence is the same as before, where it is carried only by', () => {
  const below: Plant = { pid: 22, ppid: 21, pgid: 22, argv: 'something' };
  test.each([
    ['the user’s program without a terminal', [xterm, { ...shell, tty: 0 }], { 21: ofUser }],
    ['the user’s program that leads no session there', [xterm, { ...shell, sid: 20 }], { 21: ofUser }],
    ['a stranger that leads a session on a terminal', [xterm, shell], { 21: { claims: [mark] } }],
    ['an agent that leads a session on a terminal', [xterm, shell], { 21: { ...ofUser, program: 'gemini' } }],
    [
      'what an agent started in the session that it leads',
      [xterm, shell, below],
      { 21: { program: 'gemini' }, 22: { claims: [mark] } },
    ],
    [
      'an agent that the user started in a shell',
      [xterm, shell, below],
      { 21: { isUserProgram: true }, 22: { program: 'gemini', claims: [mark] } },
    ],
    [
      'what was started below a shell in a session of its own',
      [xterm, shell, { ...below, sid: 22 }],
      { 21: { isUserProgram: true }, 22: { claims: [mark] } },
    ],
    [
      'what was started below the user’s program without a terminal',
      [xterm, { ...shell, tty: 0 }, { ...below, tty: 0 }],
      { 21: { isUserProgram: true }, 22: { claims: [mark] } },
    ],
    ['the shell of another user', [xterm, { ...shell, uid: 1001 }], { 21: ofUser }],
    ['a shell that has ended', [xterm, { ...shell, state: 'Z' }], { 21: ofUser }],
  ] as const)('%s', (_where, plants, told) => {
    expect(leftOf(plants, told)).toEqual({ same: true, claims: [mark] });
  });

  test('a shell whose own mark names its session', () => {
    const named = { isUserProgram: true, claims: [toolMark('gemini', { session: 's1' })] };
    expect(leftOf([xterm, shell], { 21: named })).toEqual({ same: true, claims: [mark] });
  });
});
