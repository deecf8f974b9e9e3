import { spoken } from '../text/spoken.ts';
import { describe, expect, test } from 'vitest';
import { asAgentSessionId } from '../../../app/agents/common/agent-id.ts';
import { pileUpsOf } from '../../../app/diagnose/whole-machine.ts';
import { asJobId, type Job } from '../../../app/model/job.ts';
import type { AgentSession } from '../../../app/model/session.ts';
import { sayPileUp } from '../../../app/text/pile-ups.ts';
import { jobOf } from '../judge/job-builder.ts';

const live = { state: 'live' } as AgentSession;
const jobsOf = (count: number, session: string): readonly Job[] =>
  Array.from({ length: count }, () => jobOf(10, { session: asAgentSessionId(session) }));
const writing = (id: string, bytes: number): Job =>
  jobOf(10, { id: asJobId(id), output: `/tmp/${id}.output`, holds: { ...jobOf(10).holds, outputBytes: bytes } });

describe('what piles up on a machine', () => {
  test('many commands of one session, not of several', () => {
    expect(pileUpsOf([...jobsOf(9, 'a'), ...jobsOf(9, 'b')], [], [])).toEqual([]);
    const [found] = pileUpsOf([...jobsOf(12, 'a'), ...jobsOf(3, 'b')], [], []);
    expect(found).toEqual({
      code: 'many-shells',
      agent: 'claude-code',
      session: 'a',
      jobs: 12,
      project: '/home/me/shop',
    });
    expect(spoken(found && sayPileUp(found))).toEqual({
      text: '12 commands of one session of Claude Code in /home/me/shop are running at the same time (session a).',
      advice: '`curfew scan` lists them; `curfew reap --session a` ends them all.',
    });
  });

  test('sockets that are more than the living sessions can have', () => {
    const sockets = [{ folder: '/tmp', sockets: 15 }];
    expect(pileUpsOf([], [live, live, live], sockets)).toEqual([]);
    const [found] = pileUpsOf([], [live], sockets);
    expect(spoken(found && sayPileUp(found).text)).toBe('15 sockets of agents lie in /tmp, and 1 session is running.');
    expect(spoken(sayPileUp({ code: 'piled-sockets', folder: '/tmp', sockets: 12, sessions: 0 }).text)).toContain(
      'no session is running',
    );
  });

  test('outputs past a size, each file once, the largest first', () => {
    const jobs = [writing('aa', 3e8), writing('bb', 9e9), writing('bb', 9e9), writing('cc', 1e8)];
    expect(spoken(pileUpsOf(jobs, [], []).map((one) => sayPileUp(one).text))).toEqual([
      'The output of job bb has grown to 9.0 GB (/tmp/bb.output).',
      'The output of job aa has grown to 300 MB (/tmp/aa.output).',
    ]);
  });
});
