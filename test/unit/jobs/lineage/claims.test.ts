import { describe, expect, test } from 'vitest';
import type { AgentId } from '../../../../app/agents/common/agent-id.ts';
import { asAgentSessionId } from '../../../../app/agents/common/agent-id.ts';
import type { Claim } from '../../../../app/agents/common/claim.ts';
import { compatible, sameClaim } from '../../../../app/jobs/lineage/claims.ts';
import { asPid } from '../../../../app/process/identity.ts';

/**
 * What a process says of its tool call: the agent, and the session and agent's pid where it names
 * them.
 */
const says = (agent: AgentId, session: string | null, pid: number | null): Claim => ({
  agent,
  shell: null,
  marker: {
    kind: 'tool',
    rule: `${agent}-marker`,
    session: session === null ? null : asAgentSessionId(session),
    ownerPid: pid === null ? null : asPid(pid),
    project: null,
  },
});

const whole = says('claude-code', 'a', 34);

describe('two processes', () => {
  test.each<[string, Claim, { readonly compatible: boolean; readonly same: boolean }]>([
    ['that say the same', says('claude-code', 'a', 34), { compatible: true, same: true }],
    ['one of which names no session', says('claude-code', null, 34), { compatible: true, same: false }],
    ['one of which names no process', says('claude-code', 'a', null), { compatible: true, same: false }],
    ['of which one names nothing', says('claude-code', null, null), { compatible: true, same: false }],
    ['of two sessions', says('claude-code', 'b', 34), { compatible: false, same: false }],
    ['of two processes of the agent', says('claude-code', 'a', 35), { compatible: false, same: false }],
    ['of two agents', says('codex', 'a', 34), { compatible: false, same: false }],
    ['of two agents, one of which names nothing', says('codex', null, null), { compatible: false, same: false }],
  ])('%s', (_what, other, expected) => {
    for (const [one, two] of [
      [whole, other],
      [other, whole],
    ] as const) {
      expect({ compatible: compatible(one, two), same: sameClaim(one, two) }).toEqual(expected);
    }
  });

  test('that both name nothing but their agent say the same', () => {
    expect(sameClaim(says('gemini', null, null), says('gemini', null, null))).toBe(true);
  });
});
