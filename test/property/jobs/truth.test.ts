import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WorldLook } from '../../unit/jobs/world.ts';
import type { Being, Step } from './history.ts';
import { agentKinds, happenings, History } from './history.ts';

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom(...happenings),
  who: fc.nat({ max: 40 }),
  agent: fc.constantFrom(...agentKinds),
});

const histories = fc.array(step, { minLength: 5, maxLength: 80 });

/**
 * An agent within what another agent left, with a call of its own: whose the whole is was said
 * otherwise at the second look.
 */
const agentInLeftover: Step[] = [
  { what: 'start agent', who: 0, agent: 'claude-code' },
  { what: 'call', who: 0, agent: 'claude-code' },
  { what: 'end agent', who: 0, agent: 'claude-code' },
  { what: 'scrub', who: 0, agent: 'claude-code' },
  { what: 'close terminal', who: 0, agent: 'claude-code' },
  { what: 'start agent', who: 0, agent: 'claude-code' },
  { what: 'start agent', who: 0, agent: 'claude-code' },
  { what: 'start agent', who: 31, agent: 'aider' },
  { what: 'call', who: 2, agent: 'claude-code' },
];

const played = (steps: readonly Step[]): History => {
  const history = new History();
  for (const one of steps) history.happen(one);
  return history;
};

/** Fails for a history after which a living process violates a rule. */
const expectNone = (is: (being: Being, look: WorldLook) => boolean): void => {
  fc.assert(
    fc.property(histories, (steps) => {
      const history = played(steps);
      const look = history.world.look();
      expect(history.living.filter((being) => is(being, look))).toEqual([]);
    }),
    { numRuns: 1000 },
  );
};

/** A member of a job that nothing protects. */
const mayBeEnded = ({ pid }: Being, look: WorldLook): boolean => look.members.has(pid) && look.vetoes(pid).length === 0;

describe('whatever agents and a user start, end and open', () => {
  test('a process that the user started is never in a job that may be ended', () => {
    expectNone((being, look) => being.truth.by === 'person' && mayBeEnded(being, look));
  });

  test('an agent, and what it started for itself, is never in a job that may be ended while it lives', () => {
    expectNone((being, look) => {
      const own = being.kind === 'agent' || (being.truth.by === 'agent' && being.truth.agent.alive);
      return own && mayBeEnded(being, look);
    });
  });

  test('the owner of what a tool call started is never gone while that agent lives', () => {
    expectNone((being, look) => {
      const owned = being.truth.by === 'call' && being.truth.agent.alive;
      return owned && mayBeEnded(being, look) && look.jobWith(being.pid).owner.state === 'gone';
    });
  });

  test('what a tool call started and still carries its marks is found', () => {
    expectNone((being, look) => {
      const marked = being.truth.by === 'call' && being.truth.agent.agent !== 'aider' && being.kind === 'plain';
      return marked && Object.keys(being.env).length > 0 && !look.members.has(being.pid);
    });
  });

  test('no process is in two jobs, and no two jobs have one id', () => {
    fc.assert(
      fc.property(histories, (steps) => {
        const { assembled } = played(steps).world.look();
        const members = assembled.flatMap(({ job }) => job.members.map(({ row }) => row.pid));
        expect(new Set(members).size).toBe(members.length);
        expect(new Set(assembled.map(({ job }) => job.id)).size).toBe(assembled.length);
        for (const { job } of assembled) expect(job.members[0]?.row).toBe(job.root);
      }),
      { numRuns: 1000 },
    );
  });

  test('the recorded group or kernel session of a job holds only its members', () => {
    fc.assert(
      fc.property(histories, (steps) => {
        const look = played(steps).world.look();
        for (const { job, entry } of look.assembled) {
          const own = new Set(job.members.map(({ row }) => row));
          const inside = [...look.table.rows.values()].filter(
            (row) => entry.groups.includes(row.pgid) || entry.kernelSessions.includes(row.sid),
          );
          expect(inside.filter((row) => !own.has(row))).toEqual([]);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('another look at the same machine finds the same jobs under the same ids', () => {
    fc.assert(
      fc.property(histories, (steps) => {
        const { world } = played(steps);
        const [first, second, third] = [world.look(), world.look(), world.look()];
        const idsOf = ({ assembled }: WorldLook): unknown => assembled.map(({ job }) => `${job.root.pid} ${job.id}`);
        expect([second.found, third.found]).toEqual([first.found, first.found]);
        expect([idsOf(second), idsOf(third)]).toEqual([idsOf(first), idsOf(first)]);
      }),
      { numRuns: 1000, examples: [[agentInLeftover]] },
    );
  });

  test('a job that may be ended keeps its id as long as one of its processes lives', () => {
    fc.assert(
      fc.property(histories, fc.nat(), (steps, who) => {
        const history = played(steps);
        const before = history.world.look();
        history.happen({ what: 'end', who, agent: 'codex' });
        const after = history.world.look();
        for (const { job } of before.assembled.filter(({ job: one }) => before.vetoes(one.root.pid).length === 0)) {
          const left = job.members.filter(({ row }) => after.members.has(row.pid));
          const ids = new Set(left.map(({ row }) => after.jobWith(row.pid).id));
          expect([...ids, ...(left.length === 0 ? [job.id] : [])]).toContain(job.id);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
