import { describe, expect, test } from 'vitest';
import { unlessPlayable } from './playable.ts';
import { reachKinds, type ReachPlan } from './reach/kinds.ts';
import { playRound, type Rounds } from './rounds.ts';
import { serverKinds } from './servers/kinds.ts';
import type { SessionPlan, WorldPlan } from './world.ts';

// A few random worlds need not hold every kind of server and of agent: here each is played, all of
// them beside each other.

const quiet = { innocents: [], agents: [], disturbances: [], steps: [], runs: [], clock: 'steady' } as const;
const settings = { sessionServers: 'end', unreachableAgents: 'show' } as const;
const withAll = (agent: SessionPlan['agent'], fate: SessionPlan['fate']): SessionPlan => ({
  agent,
  fate,
  jobs: [],
  place: fate === 'ends' ? 'shell' : 'alone',
  // One that spins takes a processor from all the others, and each world has one.
  servers: serverKinds.filter((kind) => kind !== 'spins' || agent === 'claude-2.1.329'),
});
const agents: readonly ReachPlan[] = reachKinds.map((kind, index) => ({
  kind,
  agent: (['codex', 'copilot', 'gemini', 'claude'] as const)[index % 4] ?? 'codex',
}));

const left: SessionPlan = {
  agent: 'copilot',
  fate: 'crashes',
  jobs: ['leftover', 'unseen', 'noted', 'pipeline'],
  place: 'alone',
  servers: [],
};
const marksAndClients = {
  sessions: [left],
  innocents: [
    ...(['read-env', 'queued', 'worker', 'unknown-agent'] as const),
    ...(['holds-socket', 'shares-fifo', 'shares-terminal', 'shares-memory'] as const),
    ...(['number-noted', 'opened-noted', 'nested-agent', 'odd-log', 'restarted-service'] as const),
  ],
  settings,
  looked: 'once',
} as const;

const heldAndKept = {
  sessions: [left],
  innocents: [
    ...(['uses-without-first-thread', 'traces-mine', 'entered-namespace', 'has-kernels', 'has-meeting-place'] as const),
    'holds-device',
    ...(['driven-window', 'viewed-display', 'user-keeps', 'user-owns', 'locked-run'] as const),
  ],
  settings,
  looked: 'once',
} as const;

const inGroups = {
  sessions: [],
  innocents: ['calls-group', 'shared-group', 'whole-group', 'lived-in-group', 'group-again'],
  settings,
  looked: 'no',
} as const;

const worlds: Readonly<Record<string, WorldPlan>> = {
  'servers of a killed session, beside those of one that lives': {
    ...quiet,
    sessions: [withAll('claude-2.1.329', 'crashes'), withAll('opencode', 'lives')],
    settings,
    looked: 'once',
    by: 'reap',
  },
  'servers of a killed session, ended over SSH': {
    ...quiet,
    sessions: [withAll('opencode', 'crashes'), withAll('copilot', 'lives')],
    settings,
    looked: 'once',
    by: 'remote',
  },
  'servers that only an earlier look tells of, ended by a watch': {
    ...quiet,
    sessions: [withAll('codex', 'crashes'), withAll('claude-2.0.28', 'lives')],
    settings,
    looked: 'once',
    by: 'watch',
  },
  'servers of killed sessions that no look saw': {
    ...quiet,
    sessions: [withAll('claude-2.1.329', 'crashes'), withAll('gemini', 'crashes')],
    settings,
    looked: 'no',
    by: 'watch',
  },
  'what has the marks of a dead agent, or a client of any way, beside what a look saw, in one pass': {
    ...quiet,
    ...marksAndClients,
    by: 'reap',
  },
  'the same under a watch': { ...quiet, ...marksAndClients, by: 'watch' },
  'what the user would lose with a leftover, or keeps, by another boot clock': {
    ...quiet,
    ...heldAndKept,
    clock: 'boot-ahead',
    by: 'reap',
  },
  'the same while the wall clock is set forward and back, under a watch': {
    ...quiet,
    ...heldAndKept,
    clock: 'wall-set-twice',
    by: 'watch',
  },
  'the same over SSH': { ...quiet, ...heldAndKept, by: 'remote' },
  'the same after a loss of memory': { ...quiet, ...heldAndKept, looked: 'lost', by: 'watch' },
  'what began before a loss of memory, under a watch': {
    ...quiet,
    sessions: [left],
    innocents: ['read-env', 'shares-fifo'],
    settings,
    looked: 'lost',
    by: 'watch',
  },
  'what agents left in groups that Curfew made for them, with no look before, under a watch': {
    ...quiet,
    ...inGroups,
    by: 'watch',
  },
  'the same in one pass, beside another session': { ...quiet, ...inGroups, sessions: [left], by: 'reap' },
  'the same over SSH, where no group proves it': { ...quiet, ...inGroups, by: 'remote' },
  'servers of a session that ended by itself': {
    ...quiet,
    sessions: [withAll('claude-2.1.197', 'ends')],
    settings,
    looked: 'once',
    by: 'reap',
  },
  'agents out of reach, where the user lets Curfew end them': {
    ...quiet,
    sessions: [],
    agents,
    settings: { ...settings, unreachableAgents: 'end' },
    looked: 'long',
    by: 'watch',
  },
  'agents out of reach, where Curfew saw them for the first time': {
    ...quiet,
    sessions: [],
    agents,
    settings: { ...settings, unreachableAgents: 'end' },
    looked: 'no',
    by: 'watch',
  },
};

describe.concurrent('every kind of server and of agent', () => {
  for (const [name, plan] of Object.entries(worlds)) {
    const unless = unlessPlayable(plan);
    test.skipIf(unless !== '')(`${name}, untouched and ended as foretold${unless}`, async () => {
      const rounds: Rounds = { played: [], setAtSecondTry: [], notSet: [], late: [] };
      await playRound(rounds, plan);
      expect(rounds.notSet).toEqual([]);
    });
  }
});
