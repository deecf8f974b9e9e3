import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Identity } from '../scene/processes.ts';
import type { Scene } from '../scene/scene.ts';

const fixture = join(import.meta.dirname, '../fixtures/agents.py');

/** The addition to `curfew scan --json` that is about agents. */
const agent = z.looseObject({
  agent: z.string().min(1),
  pid: z.int().positive(),
  state: z.string().min(1),
  text: z.string().min(1),
  canEnd: z.boolean(),
  refusal: z.string().nullable(),
  project: z.string().nullable(),
  rssBytes: z.int().positive(),
  tree: z.array(z.looseObject({ pid: z.int().positive(), own: z.boolean() })).min(1),
});

/** Sets agents of these kinds, and gives their processes by kind. */
export const setAgents = async <Kind extends string>(
  stage: Scene,
  kinds: readonly Kind[],
): Promise<Readonly<Record<Kind, Identity>>> => {
  const script = stage.write('/tmp/work/agents.py', readFileSync(fixture, 'utf8'));
  const { pid } = await stage.top.begin({
    file: '/usr/bin/python3',
    argv: ['python3', script, ...kinds],
    env: stage.userEnvironment(),
    cwd: stage.home,
    setsid: true,
    fds: { 0: '/dev/null', 1: '/dev/null', 2: '/dev/null' },
  });
  await stage.until('the agents are set', () => stage.has(`/tmp/work/ready.${pid}`));
  const found = await Promise.all(
    kinds.map(async (kind) => {
      const row = await stage.find(
        kind,
        ({ argv }) => /^(?:claude|codex|copilot|gemini)$/u.test(argv[0] ?? '') && argv.at(-1) === kind,
      );
      return [kind, stage.identity(row.pid)] as const;
    }),
  );
  return Object.fromEntries(found) as Record<Kind, Identity>;
};

/** What a scan says of one agent. */
export const seen = (look: Readonly<Record<string, unknown>>, { pid }: Identity): z.infer<typeof agent> => {
  const agents = z.array(agent).parse(look['agents']);
  const found = agents.find((one) => one.pid === pid);
  if (found === undefined) throw new Error(`process ${pid} is not among ${JSON.stringify(agents, null, 1)}`);
  return found;
};

/** Sets the beginning of what is remembered back. In plain JavaScript: it runs in the scene. */
const setBack = `
const { DatabaseSync } = require('node:sqlite');
const database = new DatabaseSync('/tmp/curfew-home/ledger.db');
const rows = database.prepare("SELECT id, body FROM witness WHERE id LIKE 'reach:%'").all();
if (rows.length === 0) throw new Error('no agent is remembered');
for (const { id, body } of rows) {
  const known = JSON.parse(body);
  known.sinceTicks = Math.max(0, known.sinceTicks - Number(process.argv[2]) * 100);
  if (process.argv[3] === 'quiet') known.workTicks = known.busyTicks = null;
  database.prepare('UPDATE witness SET body = ? WHERE id = ?').run(JSON.stringify(known), id);
}
database.close();
`;

/**
 * Lets Curfew's memory of agents be so many seconds older: as if it had watched for so long, and
 * seen no work where `quiet`. No Curfew may run in the scene meanwhile.
 */
export const watchedFor = async (stage: Scene, seconds: number, ...how: readonly 'quiet'[]): Promise<void> => {
  const script = stage.write('/tmp/work/set-back.cjs', setBack);
  const { pid } = await stage.top.begin({
    file: process.execPath,
    argv: ['node', script, String(seconds), ...how],
    env: stage.userEnvironment(),
    cwd: stage.home,
  });
  const { code } = await stage.top.ended(pid);
  if (code !== 0) throw new Error(`the memory could not be set back: ${code}`);
};
