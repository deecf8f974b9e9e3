import { describe, expect, test } from 'vitest';
import { signatureOf } from '../../../../app/agents/signatures.ts';
import type { Glimpse } from '../../../../app/jobs/lineage/evidence.ts';
import { descentByGlimpses } from '../../../../app/jobs/lineage/glimpses.ts';
import { tableViewOf } from '../../../../app/jobs/lineage/table-view.ts';
import type { AgentWitness } from '../../../../app/jobs/lineage/witness.ts';
import { asPid } from '../../../../app/process/identity.ts';
import { machineOf } from '../machine.ts';
import type { Plant } from '../plant.ts';
import { toldEvidence } from '../told-evidence.ts';

const agent = { pid: 34, startTicks: 10_000 };
const call: Glimpse = { pid: 80, startTicks: 20_000, agent, leadsCall: true };
const claude: AgentWitness = {
  kind: 'agent',
  ...agent,
  agent: 'claude-code',
  terminal: [],
  unit: null,
  endedTicks: 30_000,
};
/** Began 100 ms after its shell, which has ended. */
const left: Plant = { pid: 90, sid: 80, pgid: 80, argv: 'sleep 9', start: 200.1 };
const apart: Plant = { pid: 91, sid: 91, pgid: 91, argv: 'sleep 9', start: 260 };
const proved = { kind: 'look', agent: 'claude-code', process: agent };

const serverMark = { rule: 'server', role: 'shared', ownerPid: null, session: null, project: null } as const;

const descent = (
  plant: Plant,
  glimpses: readonly Glimpse[] = [call],
  {
    agents = [claude],
    more = [],
    whole = false,
    marked = false,
  }: {
    readonly whole?: boolean;
    readonly marked?: boolean;
    readonly agents?: readonly AgentWitness[];
    readonly more?: readonly Plant[];
  } = {},
) => {
  const table = machineOf([plant, ...more]).table();
  const evidence = {
    ...toldEvidence({ 80: { isUserProgram: true }, 85: { isUserProgram: true } }),
    glimpses: () => glimpses,
    serverMarks: () => (marked ? [{ agent: 'claude-code' as const, mark: serverMark }] : []),
    signature: signatureOf,
  };
  const row = table.rows.get(asPid(plant.pid));
  if (row === undefined) throw new Error('It was planted.');
  const found = descentByGlimpses(tableViewOf(table, evidence), agents)(row);
  return whole ? found : (found?.proof ?? null);
};

describe('what was seen below an agent between two looks', () => {
  test('is proved, with what began in the kernel session of its tool shell', () => {
    expect(descent({ ...left, pid: 92, start: 200 }, [{ ...call, pid: 92, leadsCall: false }])).toMatchObject(proved);
    expect(descent(left)).toMatchObject(proved);
    expect(descent(apart, [call, { pid: 91, startTicks: 26_000, agent, leadsCall: false }])).toMatchObject(proved);
  });

  test('is not told by a glance where its agent’s own program has a mark of servers', () => {
    const helper: Plant = { pid: 82, sid: 82, pgid: 82, argv: 'hub', start: 200 };
    const seen = { ...call, pid: 82 };
    const program = { ofProgram: true } as const;
    expect(descent(helper, [seen], { marked: true })).toMatchObject(proved);
    expect(descent(helper, [{ ...seen, ...program }])).toMatchObject(proved);
    expect(descent(helper, [{ ...seen, ...program }], { marked: true })).toBeNull();
    // What that started in its kernel session.
    expect(descent(left, [{ ...call, ...program }], { marked: true })).toBeNull();
  });

  test('is another process where the number was given out again', () => {
    expect(descent({ ...apart, start: 261 }, [{ pid: 91, startTicks: 26_000, agent, leadsCall: false }])).toBeNull();
    expect(descent({ ...left, start: 260 })).toBeNull();
  });

  test('proves nothing of what is in the session of something else, has a terminal, or is older', () => {
    expect(descent(left, [{ ...call, leadsCall: false }])).toBeNull();
    expect(descent({ ...left, tty: 34_816 })).toBeNull();
    expect(descent({ ...left, start: 199 })).toBeNull();
  });

  test('is of a plain call of an agent that marks nothing, told by what it puts before a command', () => {
    const kimi: AgentWitness = { ...claude, agent: 'kimi' };
    const shell = (script: string, leads = true) => ({
      ...call,
      shell: { ...agent, pid: 80, argv: ['/bin/bash', '-c', script], leads },
    });
    const whole = (glimpse: Glimpse, one: AgentWitness) => descent(left, [glimpse], { agents: [one], whole: true });
    expect(whole(shell("cd '/home/it'\\''s' && sleep 9 &"), kimi)).toMatchObject({ ofPlainCall: true, below: agent });
    expect(whole(shell('npx server'), kimi)).not.toHaveProperty('ofPlainCall');
    expect(whole(shell("cd '/x' && sleep 9 &"), claude)).not.toHaveProperty('ofPlainCall');
  });

  test('proves what hangs below a call in the session of its agent only by the flags of its shell', () => {
    const cn: AgentWitness = { ...claude, agent: 'continue' };
    const below = (...flags: readonly string[]): Glimpse => ({
      pid: 91,
      startTicks: 26_000,
      agent,
      leadsCall: false,
      shell: { pid: 80, startTicks: 20_000, argv: ['/bin/bash', ...flags, 'sleep 9 &'], leads: false },
    });
    expect(descent(apart, [below('-l', '-c')], { agents: [cn] })).toMatchObject({ ...proved, agent: 'continue' });
    expect(descent(apart, [below('-c')], { agents: [cn] })).toBeNull();
    expect(descent(apart, [below('-l', '-c')])).toBeNull();
  });

  test('proves nothing below an agent that no look saw', () => {
    expect(descent(left, [call], { agents: [] })).toBeNull();
    expect(descent(left, [call], { agents: [{ ...claude, startTicks: 10_001 }] })).toBeNull();
  });

  test('proves nothing in the session of a program of the user that lives', () => {
    const code: Plant = { pid: 80, sid: 80, pgid: 80, argv: 'code', start: 200 };
    expect(descent(left, [call], { more: [code] })).toBeNull();
  });

  test('proves nothing of a browser that the agent opened through a launcher, nor of what that starts', () => {
    const browser: Plant = { pid: 85, ppid: 80, sid: 80, pgid: 80, argv: 'firefox', start: 200.05 };
    const page: Plant = { ...left, ppid: 85 };
    const seen = (plant: Plant) => ({ pid: plant.pid, startTicks: (plant.start ?? 0) * 100, agent, leadsCall: false });
    for (const launcher of [[], [{ pid: 80, ppid: 34, sid: 80, pgid: 80, argv: 'xdg-open', start: 200 }]]) {
      const glimpses = [call, seen(browser), seen(page)];
      expect(descent(browser, glimpses, { more: launcher })).toBeNull();
      expect(descent(page, glimpses, { more: [...launcher, browser] })).toBeNull();
      expect(descent(left, glimpses, { more: [...launcher, browser] })).toBeNull();
    }
  });
});
