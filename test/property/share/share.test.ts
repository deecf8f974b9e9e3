import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { asPid } from '../../../app/process/identity.ts';
import { verdictStates } from '../../../app/judge/verdict.ts';
import { agentIds } from '../../../app/agents/common/agent-id.ts';
import { inEnglish } from '../../../app/text/say.ts';
import { pictureOf, sharedRows, type SharedJob } from '../../../app/share/share.ts';
import { sharedCommand } from '../../../app/share/shared-command.ts';

/** A name, a path, a token, a host: what must not be shown, wherever it stands. */
const secret = fc.stringMatching(/^[a-z0-9]{12,20}$/u).map((text) => `q${text}`);
const around = fc.constantFrom('', ' ', '/', '=', '-', ':', '@', '.', '"', "'", '$', '`', '|', ';', '&&', '\n', '<');
const start = fc.constantFrom(
  'npm run ',
  'npm run dev ',
  'npx ',
  'node ',
  '/home/',
  'python3 -m ',
  'TOKEN=',
  'bash -c ',
  'ssh ',
  '',
);
const command = fc
  .record({ begin: start, secret, before: around, after: around, rest: fc.string({ unit: 'binary' }) })
  .map((parts) => ({ ...parts, text: `${parts.begin}${parts.before}${parts.secret}${parts.after}${parts.rest}` }));

const job = (text: string, agent: string, state: SharedJob['verdict']['state']): SharedJob => ({
  job: {
    agent: agent as SharedJob['job']['agent'],
    command: text as SharedJob['job']['command'],
    ageSeconds: 3600,
    holds: { rssBytes: 1e6, ports: [3000] } as unknown as SharedJob['job']['holds'],
    members: [{ row: { pid: asPid(1) } }] as unknown as SharedJob['job']['members'],
    server: undefined as never,
    kind: 'task',
  },
  verdict: { state },
});

test('nothing of a command but names that all know is shared, in text and picture', () => {
  fc.assert(
    fc.property(
      fc.array(command, { minLength: 1, maxLength: 20 }),
      fc.constantFrom(...agentIds),
      secret,
      fc.constantFrom(...verdictStates),
      (commands, agent, foreign, state) => {
        const jobs = commands.flatMap(({ text }) => [job(text, agent, state), job(text, foreign, state)]);
        const lines = sharedRows(jobs).map((row) => row.map(inEnglish).join('  '));
        const shown = `${lines.join('\n')}\n${pictureOf(lines)}`;
        for (const { secret: hidden } of commands) expect(shown).not.toContain(hidden);
        expect(shown).not.toContain(foreign);
      },
    ),
  );
});

test('a command is shared as the words that begin it, as far as they are known', () => {
  const shared: Readonly<Record<string, string | null>> = {
    'npm run dev | tee log': 'npm run dev',
    'npm run deploy-acme': 'npm',
    '/home/me/.nvm/bin/node server.js': 'node',
    'npx -y vite --host acme': 'npx -y vite',
    'python3 -m pytest tests/acme': 'python3 -m pytest',
    './acme-server --key x': null,
    'ACME=1 npm run dev': null,
    '': null,
  };
  expect(Object.fromEntries(Object.keys(shared).map((one) => [one, sharedCommand(one)]))).toEqual(shared);
});

test('a picture holds each line once, and no markup of it', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 10 }), (lines) => {
      const picture = pictureOf(lines);
      expect(picture.match(/<text /gu)?.length ?? 0).toBe(lines.length);
      expect(picture.match(/<(?!\/?(?:svg|rect|g|text)\b)/gu)).toBeNull();
    }),
  );
});
