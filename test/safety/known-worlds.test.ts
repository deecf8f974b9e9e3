import { describe, expect, test } from 'vitest';
import { unlessPlayable } from './playable.ts';
import { playRound, type Rounds } from './rounds.ts';
import type { AgentKind, SessionPlan, WorldPlan } from './world.ts';

// Worlds in which Curfew once did what it must not, in the fewest words that show it.

const nothing = {
  sessions: [],
  innocents: [],
  agents: [],
  settings: { sessionServers: 'end', unreachableAgents: 'show' },
  looked: 'no',
  clock: 'steady',
  disturbances: [],
  steps: [],
  runs: [],
} as const;
const run = { isStrict: false, begunBy: 'user', shelters: [] } as const;

/** A session that crashed before any look. */
const leftBy = (agent: AgentKind): SessionPlan => ({
  agent,
  fate: 'crashes',
  jobs: ['leftover'],
  place: 'alone',
  servers: [],
});

const worlds: Readonly<Record<string, WorldPlan>> = {
  'a killed run: the pid of a leader is given to another program between two looks': {
    ...nothing,
    runs: [{ ...run, ends: 'killed', jobs: ['deaf-escaped'] }],
    steps: [{ at: 'sent TERM', time: 1, what: 'recycled', which: 2 }],
    by: 'run',
  },
  'a run that an agent began: what left its session ends, though a spared program has the same marks': {
    ...nothing,
    runs: [
      {
        ...run,
        ends: 'told',
        begunBy: 'agent',
        jobs: ['deaf-escaped', 'forked-twice'],
        shelters: [{ program: 'claude', isLeft: false }],
      },
    ],
    by: 'run',
  },
  'a run: a kept process came to a group before another process was looked at again': {
    ...nothing,
    runs: [{ ...run, ends: 'told', jobs: ['changes', 'setsid'], shelters: [{ program: 'gpg-agent', isLeft: false }] }],
    steps: [
      { at: 'open', time: 1, what: 'recycled', which: 2 },
      { at: 'opened', time: 1, what: 'keep', which: 5 },
    ],
    by: 'run',
  },
  'a run: a kept process came to a group while another process of it was held, before the group is killed': {
    ...nothing,
    innocents: ['terminal-closed'],
    runs: [{ ...run, ends: 'told', jobs: ['deaf'], shelters: [{ program: 'tmux', isLeft: false }] }],
    steps: [{ at: 'open', time: 2, what: 'keep', which: 0 }],
    looked: 'once',
    by: 'run',
  },
  'a run: what another hand ended is not said to have been freed': {
    ...nothing,
    runs: [{ ...run, ends: 'result', jobs: ['setsid'] }],
    steps: [{ at: 'open', time: 1, what: 'recycled', which: 0 }],
    by: 'run',
  },
  'past max elapsed: what gets events, writes a mapped file or waits for a container, beside what is silent': {
    ...nothing,
    innocents: ['gets-events'],
    by: 'watch',
  },
  'Cursor: what its mark alone tells is probably left over': { ...nothing, sessions: [leftBy('cursor')], by: 'reap' },
  'over SSH: what the marks of Codex alone tell': { ...nothing, sessions: [leftBy('codex')], by: 'remote' },
  'over SSH: what the marks of Claude Code 2.0 alone tell': {
    ...nothing,
    sessions: [leftBy('claude-2.0.28')],
    by: 'remote',
  },
  'over SSH: what the marks of Cursor alone tell': { ...nothing, sessions: [leftBy('cursor')], by: 'remote' },
  'over SSH: a client of a local socket that was not accepted yet, on a machine without ss': {
    ...nothing,
    innocents: ['client-waiting'],
    by: 'remote',
  },
  'over SSH: what a process starts with its last breath is not said to have ended': {
    ...nothing,
    sessions: [{ agent: 'copilot', fate: 'crashes', jobs: ['heir'], place: 'alone', servers: [] }],
    looked: 'once',
    by: 'remote',
  },
  'over SSH: two jobs of one session fork while they are ended, where no ss tells of connections': {
    ...nothing,
    sessions: [{ agent: 'opencode', fate: 'crashes', jobs: ['deaf-behind', 'serves'], place: 'alone', servers: [] }],
    innocents: ['entry-empty', 'client-waiting'],
    looked: 'once',
    steps: [
      { at: 'after TERM', time: 1, what: 'fork', which: 1 },
      { at: 'after TERM', time: 3, what: 'fork', which: 2 },
    ],
    by: 'remote',
  },
  'over SSH: a port that a kept child still has is not said to be free': {
    ...nothing,
    sessions: [{ agent: 'copilot', fate: 'crashes', jobs: ['serves', 'serves'], place: 'alone', servers: [] }],
    looked: 'once',
    steps: [{ at: 'after TERM', time: 1, what: 'keep', which: 1 }],
    by: 'remote',
  },
  'a watch with another boot clock than the look before ends when it is told to': {
    ...nothing,
    sessions: [{ agent: 'copilot', fate: 'crashes', jobs: ['setsid'], place: 'alone', servers: [] }],
    looked: 'once',
    clock: 'boot-behind',
    by: 'watch',
  },
};

describe.concurrent('worlds that once showed a fault', () => {
  for (const [name, plan] of Object.entries(worlds)) {
    const unless = unlessPlayable(plan);
    test.skipIf(unless !== '')(`${name}${unless}`, async () => {
      const rounds: Rounds = { played: [], setAtSecondTry: [], notSet: [], late: [] };
      await playRound(rounds, plan);
      expect(rounds.notSet).toEqual([]);
    });
  }
});
