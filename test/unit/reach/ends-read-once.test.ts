import { expect, test } from 'vitest';
import { AgentWatch } from '../../../main/observing/agent-watch.ts';
import { agent, endsOf, hungUp, tableOf } from './table.ts';

test('the ends of an agent that no user can reach are read once at a look', () => {
  const asked: number[] = [];
  const watch = new AgentWatch({
    source: {
      read: () => agent,
      facts: () => new Map(),
      ends: {
        isCurrent: true,
        read: ({ pid }) => {
          asked.push(pid);
          return endsOf(hungUp, hungUp);
        },
        sameInput: () => false,
        moved: () => null,
        holders: () => ({ pids: [], complete: true }),
      },
    },
    evidence: { program: ({ pid }) => (pid === agent.pid ? 'codex' : null) },
  });
  watch.begin(tableOf([agent]), []);
  expect(watch.witnesses()).toHaveLength(1);
  expect(asked).toEqual([agent.pid]);
});
