import { describe, expect, test } from 'vitest';
import type { Diagnosis } from '../../../app/model/job.ts';
import type { StopReason } from '../../../app/judge/stop-reason.ts';
import type { Reason, ReasonCode, VerdictState, Veto, VetoCode } from '../../../app/judge/verdict.ts';
import { outcomes } from '../../../app/history/incident.ts';
import { redactProcess } from '../../../app/format/secrets/redact.ts';
import { sayDiagnosis } from '../../../app/text/diagnoses.ts';
import { sayReason } from '../../../app/text/reasons.ts';
import { inEnglish, sayVeto } from '../../../app/text/say.ts';
import { adviseVeto } from '../../../app/text/vetoes.ts';
import { outcomeWord, sayFreed } from '../../../app/text/outcomes.ts';
import { englishStates } from '../../../app/text/states.ts';

const say = (code: ReasonCode, figures: Reason['figures'] = {}): string => sayReason({ code, figures });
const stop = (code: StopReason): string => sayVeto({ code, figures: {} });
const veto = (code: VetoCode, figures: Veto['figures'] = {}): string => sayVeto({ code, figures });
const diagnosis = (code: Diagnosis['code'], figures: Diagnosis['figures'] = {}): string =>
  sayDiagnosis({ code, figures });

describe('reasons', () => {
  test.each([
    ['past-hard-cap', { ageSeconds: 14_520, limitSeconds: 14_400 }, 'it is 4 h 2 min old, past the hard cap of 4 h'],
    ['past-max-elapsed', { ageSeconds: 2100, limitSeconds: 1800 }, 'it is 35 min old, past its limit of 30 min'],
    ['within-limits', { ageSeconds: 300, limitSeconds: 1800 }, 'it is 5 min old, within its limit of 30 min'],
    [
      'within-orphan-grace',
      { ageSeconds: 300, limitSeconds: 600, leftSeconds: 300 },
      'it is within the grace of 10 min after its session ended',
    ],
    ['owner-gone', { sinceSeconds: 720, evidence: 'x' }, 'its session ended 12 min ago'],
    ['owner-gone', { evidence: 'process 4711 has ended' }, 'its session has ended (process 4711 has ended)'],
    ['owner-unknown', { evidence: 'no session id' }, 'it is unknown whether its session is open (no session id)'],
    ['owner-live', { evidence: 'x' }, 'its session is open'],
    ['silent', { silentSeconds: 1200 }, 'idle for 20 min (no CPU, no I/O)'],
    ['working', { silentSeconds: 12 }, 'it was last active 12 s ago'],
    ['working', { silentSeconds: 0 }, 'it is active'],
    ['working', { silentSeconds: 0, cpuPercent: 3.2 }, 'it is active'],
    ['working', { silentSeconds: 0, cpuPercent: 0 }, 'it was not seen idle so far'],
    ['service', { ports: '3000' }, 'it listens on port 3000'],
    ['service', { ports: '3000, 9229' }, 'it listens on ports 3000, 9229'],
    ['service', { ports: '' }, 'it serves requests'],
    ['kept', { leftSeconds: 1500 }, 'you keep it for another 25 min'],
    [
      'exempt',
      { project: '/home/me/shop', port: 3000, note: 'mine' },
      'you exempted it: project /home/me/shop, port 3000 (mine)',
    ],
    ['exempt', { command: 'npm run dev*' }, 'you exempted it: command “npm run dev*”'],
    ['in-use', { by: 'display', at: '/tmp/.X11-unix/X0' }, 'it shows windows that may be in use (/tmp/.X11-unix/X0)'],
    ['in-use', { by: 'outgoing', at: '10.0.0.7:443' }, 'it is connected to a program outside of it (10.0.0.7:443)'],
    ['in-use', { by: 'pipe', at: '/tmp/a' }, 'a program outside of it has its pipe open (/tmp/a)'],
    ['in-use', { by: 'new', at: '' }, 'it is unknown whether a client is connected to it'],
    ['in-use', { by: 'connection', at: '/tmp/db.sock' }, 'a client is connected to it (/tmp/db.sock)'],
    [
      'in-use',
      { by: 'connection', at: 'port 3000', from: '10.0.0.7:5000' },
      'a client is connected to it (port 3000, from 10.0.0.7:5000)',
    ],
    ['vetoed', { veto: 'editor', name: 'vim', pid: 40 }, 'it is an editor (vim) (process 40)'],
    ['observe-mode', { chosen: 'yes' }, 'not ended: Curfew is in observe mode'],
    [
      'observe-mode',
      { chosen: 'no' },
      'not ended: Curfew observes until you choose a mode (curfew settings set mode enforce)',
    ],
    ['notice-given', { agoSeconds: 61 }, 'you were warned 1 min ago'],
    ['diagnosis', { diagnosis: 'stopped', pid: 40 }, 'it is stopped and waits to be continued (process 40)'],
  ] as const)('%s %o', (code, figures, text) => {
    expect(say(code, figures)).toBe(text);
  });

  test('figures from a process or a file are made visible and short', () => {
    const text = say('exempt', { command: `a\u202Eb\n${'c'.repeat(500)}` });
    expect(text).toContain('a⟨U+202E⟩b⏎ccc');
    expect(text.length).toBeLessThan(250);
  });
});

describe('records of another Curfew', () => {
  test('missing figures are said to be unknown', () => {
    expect(say('past-hard-cap')).toBe('it is an unknown time old, past the hard cap of an unknown time');
    expect(say('vetoed')).toBe('it is protected');
    expect(say('diagnosis')).toBe('something is visibly wrong with it');
  });

  test('codes that have no words yet', () => {
    expect(say('sandboxed\n' as ReasonCode)).toBe('sandboxed⏎');
    expect(veto('toString' as VetoCode)).toBe('it is protected (toString)');
    expect(diagnosis('dreaming' as Diagnosis['code'])).toBe('something is visibly wrong with it (dreaming)');
  });
});

describe('vetoes', () => {
  test.each([
    ['editor', { name: 'vim' }, 'it is an editor (vim)'],
    ['keep-marker', { by: 'seen' }, 'it carried CURFEW_KEEP=1 in its environment when it was seen earlier'],
    ['keep-marker', { by: 'command' }, 'its command sets CURFEW_KEEP=1'],
    ['keep-unknown', { hidden: 'refused' }, 'the system does not show its environment, so it may carry CURFEW_KEEP=1'],
    ['traced', { tracer: 7, name: 'gdb' }, 'a debugger or tracer holds it (gdb, process 7)'],
    ['shared-daemon', { name: 'gpg-agent' }, 'it is a program that other programs rely on (gpg-agent)'],
    ['traced', { tracer: 7 }, 'a debugger or tracer holds it (process 7)'],
    ['terminal', { name: 'npm', as: 'taken-over' }, 'it was moved into a terminal that may be in use'],
    ['terminal', { name: 'xterm', inside: 50 }, 'it runs inside a terminal (xterm, process 50)'],
    ['other-user', { uid: 0 }, 'it belongs to another user (0)'],
    ['other-user', {}, 'it is unknown which user owns it'],
    ['service-manager', { service: 'bot.service' }, 'systemd manages it (bot.service), not the agent'],
    [
      'service-manager',
      { by: 'orchestrator', service: 'kirocrew-agents.slice' },
      'it is in a slice that its orchestrator clears itself (kirocrew-agents.slice)',
    ],
    [
      'service-manager',
      { launchd: 'app', service: 'Word' },
      'it is an application (Word), which may hold unsaved work',
    ],
    ['service-manager', { launchd: 'job', service: 'redis' }, 'launchd started it (redis), not the agent'],
    ['service-manager', { launchd: 'untold' }, 'macOS did not tell whether launchd started it'],
    ['curfew', { as: 'ancestor' }, 'Curfew was started by it'],
    ['curfew', {}, 'it is part of Curfew'],
    ['keep-marker', {}, 'it carries CURFEW_KEEP=1 in its environment'],
  ] as const)('%s %o', (code, figures, text) => {
    expect(veto(code, figures)).toBe(text);
  });
});

describe('a process that is protected by its name alone', () => {
  const advised = (code: VetoCode, figures: Veto['figures']): string | null => {
    const advice = adviseVeto({ code, pid: 40, figures });
    return advice === null ? null : inEnglish(advice);
  };

  test.each([
    ['agent', 'goose'],
    ['editor', 'view'],
    ['multiplexer', 'screen'],
    ['terminal', 'st'],
    ['shared-daemon', 'X'],
  ] as const)('%s: the user learns which name, that no setting changes it, and what to do', (code, name) => {
    const text = advised(code, { name });
    expect(text).toContain(`no program called ${name},`);
    expect(text).toContain('curfew reap --job');
    expect(text).toContain('kill 40');
  });

  test.each([
    ['editor', { name: 'vim', inside: 50 }],
    ['terminal', { name: 'bash', holds: 50 }],
    ['shared-daemon', { name: 'sshfs', provides: 'a mounted folder' }],
    ['keep-marker', {}],
    ['traced', { tracer: 7, name: 'gdb' }],
  ] as const)('nothing of the kind is said of what more than a name tells: %s %o', (code, figures) => {
    expect(advised(code, figures)).toBeNull();
  });
});

test.each([
  ['waiting-on-stdin', { seconds: 720, pid: 40 }, 'it waits for input that will not come for 12 min (process 40)'],
  [
    'waiting-on-stdin',
    { pid: 40, kind: 'a pipe' },
    'it waits for input that will not come (its standard input is a pipe) (process 40)',
  ],
  [
    'waiting-on-pipe',
    { pid: 40, seconds: 720, writer: 'itself' },
    'it waits on a pipe whose only writer is the reader itself for 12 min (process 40)',
  ],
  [
    'waiting-on-pipe',
    { pid: 40, writer: 'job', writers: '41, 42', doubt: 1 },
    'it probably waits on a pipe that only processes waiting for it could write to (41, 42) (process 40)',
  ],
  [
    'waiting-for-lock',
    { pid: 40, seconds: 720, file: '/srv/x.lock', holder: 7, command: 'cargo build' },
    'it waits for a lock for 12 min (/srv/x.lock); process 7 holds it: cargo build',
  ],
  [
    'waiting-for-lock',
    { seconds: 720, file: '/srv/x.lock', holder: 7, holderGone: 1, polls: 1 },
    'it polls for a lock file for 12 min (/srv/x.lock); process 7, which it names, has ended',
  ],
  ['waiting-for-lock', {}, 'it waits for a lock; its holder can’t be seen'],
  [
    'polling',
    { seconds: 720, condition: 'until [ -f done ]' },
    'it is polling for 12 min without success: until [ -f done ]',
  ],
  [
    'long-connection',
    { seconds: 7200, address: '10.0.0.7:443', keptAlive: 0, pid: 40 },
    'it holds a connection open to 10.0.0.7:443 for at least 2 h, and nothing came or went; if the other side has gone, it will never notice (process 40)',
  ],
  [
    'memory-pressure',
    { pressurePercent: 22, rssBytes: 3e9, swapBytes: 1e9 },
    'memory is scarce (processes waited for it during 22 % of the last minute), and it has 3.0 GB, and 1.0 GB in swap',
  ],
  ['fast-growth', { pid: 7, bytes: 6e9, seconds: 40 }, 'it took 6.0 GB of memory in 40 s (process 7)'],
  [
    'flooding-output',
    { bytes: 2e9, bytesPerSecond: 1e7, freeBytes: 1e10, fullInSeconds: 1000 },
    'its output is growing fast, 2.0 GB so far, 10 MB more each second, 10 GB are free there, enough for 16 min',
  ],
  [
    'zombie-children',
    { count: 3, pid: 7, parent: 'sh' },
    '3 children have ended and were never collected by the parent (only sh, process 7, can collect them)',
  ],
  ['flooding-output', { bytes: 2.5e12 }, 'its output is growing fast, 2.5 TB so far'],
  ['leaking-descriptors', { fds: 1000 }, 'it keeps opening files without closing them, 1000 descriptors so far'],
  ['zombie-children', { count: 1, pid: 7 }, '1 child has ended and was never collected by the parent (process 7)'],
  ['spinning', { cpuPercent: 99.7, seconds: 60 }, 'it has used 100 % of a core for 1 min and produced nothing'],
  ['deleted-folder', { folder: '/tmp/x' }, 'its working folder is gone (/tmp/x)'],
] as const)('%s %o', (code, figures, text) => {
  expect(diagnosis(code, figures)).toBe(text);
});

describe('every code has a sentence of its own: no full stop, nothing left out', () => {
  const vetoCodes = {
    init: 1,
    'kernel-thread': 1,
    curfew: 1,
    agent: 1,
    editor: 1,
    terminal: 1,
    multiplexer: 1,
    'login-shell': 1,
    'shared-daemon': 1,
    'other-user': 1,
    'service-manager': 1,
    desktop: 1,
    unread: 1,
    container: 1,
    'other-namespace': 1,
    'keep-marker': 1,
    'keep-unknown': 1,
    traced: 1,
    'takes-others': 1,
    'kept-by-agent': 1,
    'proxy-in-use': 1,
    window: 1,
    'server-in-use': 1,
    'no-provenance': 1,
  } as const satisfies Record<VetoCode, 1>;
  const stopReasons = {
    'identity-changed': 1,
    'owner-returned': 1,
    'put-off': 1,
    'spoken-to': 1,
    'used-since': 1,
  } as const satisfies Record<StopReason, 1>;
  const diagnosisCodes = {
    'waiting-on-stdin': 1,
    'waiting-on-pipe': 1,
    'waiting-for-lock': 1,
    spinning: 1,
    polling: 1,
    'leaking-descriptors': 1,
    'flooding-output': 1,
    stopped: 1,
    'zombie-children': 1,
    'disk-wait': 1,
    'deleted-folder': 1,
    'long-connection': 1,
    'memory-pressure': 1,
    'fast-growth': 1,
    'stale-sandbox-proxy': 1,
  } as const satisfies Record<Diagnosis['code'], 1>;
  const states = {
    within: 1,
    overdue: 1,
    orphaned: 1,
    probable: 1,
    'past-cap': 1,
    kept: 1,
    protected: 1,
  } as const satisfies Record<VerdictState, 1>;

  test.each([
    ['vetoes', Object.keys(vetoCodes).map((code) => veto(code as VetoCode))],
    ['stop reasons', Object.keys(stopReasons).map((code) => stop(code as StopReason))],
    ['diagnoses', Object.keys(diagnosisCodes).map((code) => diagnosis(code as Diagnosis['code']))],
    ['states', Object.keys(states).map((state) => englishStates[state as VerdictState])],
    ['outcomes', outcomes.map(outcomeWord)],
  ])('%s', (_what, texts) => {
    expect(new Set(texts).size).toBe(texts.length);
    for (const text of texts) expect(text).toMatch(/^[a-zC][^\n]+[^.\s]$/u);
    expect(texts.join()).not.toMatch(/undefined|NaN|\(\)|null/u);
  });
});

test.each([
  [{ processes: 3, rssBytes: 1.1e9, cameAndWent: 0, ports: [3000], locks: [] }, '3 processes, 1.1 GB and port 3000'],
  [{ processes: 1, rssBytes: 0, cameAndWent: 0, ports: [], locks: ['/a', '/b'] }, '1 process and 2 locks'],
  [{ processes: 0, rssBytes: 0, cameAndWent: 0, ports: [], locks: [] }, 'nothing'],
  [{ processes: 2, rssBytes: 0, cameAndWent: 0, ports: [], locks: [] }, '2 processes'],
  [{ processes: 2, rssBytes: 0, cameAndWent: 8, ports: [], locks: [] }, '2 processes (8 more came and went)'],
])('freed: %o', (freed, text) => {
  expect(sayFreed(freed)).toBe(text);
});

test('arguments are redacted; without any the kernel’s name is used', () => {
  expect(redactProcess({ argv: ['x', '--token', 'abc'], comm: 'x' })).toBe('x --token ***');
  expect(redactProcess({ argv: [], comm: 'kworker' })).toBe('kworker');
});
