import type { AgentView } from '../../../app/contract/views/agent-view.ts';
import { moment } from '../../../app/format/moment.ts';
import { safe } from './safe.ts';

const megabyte = 1_000_000;

/** One agent that may be ended, and one that its own command ends. */
export const sceneAgents = (nowMs: number): AgentView[] => [
  {
    agent: 'codex',
    pid: 4711,
    startedAt: moment(nowMs - 61_200_000),
    state: 'unreachable',
    word: safe('unreachable'),
    text: safe('its terminal is hung up, so no input can reach it; quiet for 16 h as observed'),
    session: null,
    project: safe('/home/mara/work/shop-frontend'),
    canEnd: true,
    job: '0000a9e7',
    refusal: null,
    endWith: null,
    ownEnd: null,
    idleSince: null,
    idle: null,
    resume: null,
    lastWriteAt: moment(nowMs - 59_000_000),
    cpuPercent: 1.2,
    rssBytes: 784 * megabyte,
    tree: [
      { pid: 4711, ppid: 1, args: safe('codex'), rssBytes: 600 * megabyte, own: true },
      { pid: 4720, ppid: 4711, args: safe('node mcp-server.js'), rssBytes: 184 * megabyte, own: false },
    ],
  },
  {
    agent: 'claude-code',
    pid: 5200,
    startedAt: moment(nowMs - 7_200_000),
    state: 'service',
    word: safe('service'),
    text: safe('it is a service of its agent, which runs without a terminal on purpose'),
    session: '01234567-89ab-4cde-8f01-000000005200',
    project: safe('/home/mara/work/landing-page'),
    canEnd: false,
    job: null,
    refusal: safe(
      'Curfew does not signal it: it is a service of its agent, which runs without a terminal on purpose. Its own command ends it: claude stop 01234567',
    ),
    endWith: safe('claude stop 01234567'),
    ownEnd: '0c1a5e52',
    idleSince: null,
    idle: null,
    resume: null,
    lastWriteAt: null,
    cpuPercent: null,
    rssBytes: 210 * megabyte,
    tree: [{ pid: 5200, ppid: 1, args: safe('claude bg-spare'), rssBytes: 210 * megabyte, own: true }],
  },
];
