import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { safe } from '../../ui/scene/safe.ts';
import { afterAll } from 'vitest';
import { questionNames, questions } from '../../../app/contract/contract.ts';
import { isHostName } from '../../../app/remote/host-list.ts';
import { isSameRelease } from '../../../app/remote/release.ts';
import { parseDuration } from '../../../app/settings/duration.ts';
import { claudeCodeInstaller } from '../../../main/agents/claude-code/agent.ts';
import { hookFolders } from '../../../main/agents/hooks/form/folders.ts';
import { planHooks } from '../../../main/agents/hooks/installation/hook-plan.ts';
import { lineChanges } from '../../../main/agents/hooks/form/line-changes.ts';
import { noticePath, queueSessionNotice } from '../../../main/agents/hooks/inbox/notices.ts';
import { opencodeInstaller } from '../../../main/agents/opencode/agent.ts';
import { takeSessionAnswer } from '../../../main/agents/hooks/inbox/session-answer.ts';
import { collected, otherHost, seconds, signalName, wholeNumber } from '../../../main/cli/common/arguments.ts';
import { WrongCall } from '../../../main/cli/common/exit-status.ts';
import { externalLink } from '../../../main/shell/security/external-links.ts';
import { isOwnUrl } from '../../../main/shell/security/policy.ts';
import { readEndpoint } from '../../../main/web/endpoint.ts';
import { refusalOf } from '../../../main/web/guard.ts';
import { newTokenKey, LoginTokens } from '../../../main/web/login-token.ts';
import { sampleIntent } from '../../unit/history/sample.ts';
import { neverThrowsOrHangs } from './mutations.ts';

const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** Nothing but the error that the command line shows. */
const orWrongCall = (read: () => unknown): void => {
  try {
    read();
  } catch (error) {
    if (!(error instanceof WrongCall)) throw error;
  }
};
neverThrowsOrHangs(
  'arguments of commands',
  ['4h', 'SIGTERM', '77', 'me@[fe80::1%eth0]', 'host.example', '0.1.0'],
  (bytes) => {
    const text = bytes.toString('utf8');
    for (const read of [seconds('--for'), signalName, wholeNumber('--uid', 0)]) orWrongCall(() => read(text));
    orWrongCall(() => otherHost({ host: text }));
    return [parseDuration(text), isHostName(text), isSameRelease(text, text), collected(text, [])];
  },
);

neverThrowsOrHangs(
  'questions of a page',
  [
    json({ job: '0123456789abcdef', seconds: 600 }),
    json({ filter: { text: 'a', agent: null, since: '2026-11-20T00:00:00.000Z' }, limit: 50 }),
    json({ changes: { mode: 'enforce', rules: [{ name: 'a', argv0: 'b' }] } }),
    json({ commandLine: 'npm run dev' }),
  ],
  (bytes) => {
    let input: unknown;
    try {
      input = JSON.parse(bytes.toString('utf8'));
    } catch {
      // The page's server refuses what is not JSON before it asks for an answer.
      return;
    }
    for (const name of questionNames) questions[name].input.safeParse(input);
  },
);

const passes = new LoginTokens(newTokenKey());
neverThrowsOrHangs(
  'heads of requests, passes and addresses',
  [
    '127.0.0.1:28733',
    '[::1]:28733',
    'http://127.0.0.1:28733',
    'application/json; charset=utf-8',
    'a'.repeat(72),
    'app://curfew/a',
  ],
  (bytes) => {
    const text = bytes.toString('latin1');
    const host = ['Host', text];
    const known = ['Host', 'localhost'];
    return [
      refusalOf({ method: text, url: text, rawHeaders: host }),
      refusalOf({ method: 'POST', url: '/', rawHeaders: [...known, 'Origin', text, 'Sec-Fetch-Site', text] }),
      refusalOf({
        method: 'POST',
        url: '/',
        rawHeaders: [...known, 'Origin', 'http://localhost', 'Content-Type', text],
      }),
      passes.redeem(text, 0),
      externalLink(text),
      isOwnUrl(text),
    ];
  },
);

const root = mkdtempSync(join(tmpdir(), 'curfew-fuzz-asked-'));
afterAll(() => rmSync(root, { recursive: true }));
const folders = hookFolders({ hooks: join(root, 'hooks'), lock: join(root, 'supervisor.lock') });
const places = { home: join(root, 'home'), environment: {} };
const program = { command: ['/usr/bin/node', '/opt/curfew.js'], environment: {} } as const;

const hook = { type: 'command', command: "'/s/hooks/curfew-hook' claude-code stop" };
neverThrowsOrHangs(
  'settings of agents, before hooks are put in',
  [
    '{ // mine\n  "hooks": { "Stop": [ /* a */ ], },\n  "model": "opus",\n}\n',
    json({ hooks: { Stop: [{ matcher: '', hooks: [hook] }], SessionStart: [] } }),
    json({ version: 1, hooks: { sessionStart: [{ type: 'command', bash: 'a', powershell: 'b' }] } }),
  ],
  (bytes) => {
    for (const installer of [claudeCodeInstaller, opencodeInstaller]) {
      const file = installer.file(places);
      mkdirSync(dirname(file), { recursive: true });
      // Each is parsed a dozen times.
      writeFileSync(file, bytes.subarray(0, 262_144));
      const plan = planHooks(installer, { places, folders, program, platform: 'linux', guard: true, now: () => 0 });
      if (plan.ok && bytes.length < 4096) lineChanges(plan.before ?? '', plan.installed);
    }
  },
);

const incident = { ...sampleIntent({ project: safe('/p') }), outcome: 'reaped' } as Parameters<
  typeof queueSessionNotice
>[1];
neverThrowsOrHangs(
  'notices for the next session, and the door of the page',
  [
    `Curfew ended 1 command: \`sleep 9\`\n${JSON.stringify({ count: 1, latest: [{ command: 'sleep 9', ageSeconds: 9 }] })}\n`,
    json({ pid: 77, port: 28_733, passKey: 'a'.repeat(43) }),
  ],
  (bytes) => {
    const path = noticePath(folders, '/p') ?? '';
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    takeSessionAnswer(folders, 'claude-code', '/p');
    writeFileSync(path, bytes);
    queueSessionNotice(folders, incident);
    writeFileSync(join(root, 'web.json'), bytes);
    readEndpoint(root, 77);
  },
);
