import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { watchedFor } from '../agents-unreachable/agents.ts';
import { oneDocument, runCurfew, scan } from '../scene/curfew.ts';
import { expectGone, expectUntouched } from '../scene/innocents.ts';
import { descendants, type Identity } from '../scene/processes.ts';
import { scene, type Scene } from '../scene/scene.ts';
import { reapDocument } from '../scene/schemas.ts';
import { kindOf, places } from './idling.ts';
import { missingOf, startModel, withAgents } from './session.ts';

const session = z.looseObject({
  pid: z.number().nullable(),
  idle: z.looseObject({ state: z.string(), text: z.string(), since: z.string().nullable() }).nullable(),
  id: z.string().nullable(),
  end: z.string().nullable(),
  ownEnd: z.string().nullable(),
  resume: z.string().nullable(),
});

/** As if it had been used two days ago: what it wrote, its terminal, and what looks remember. */
const setBack = `import glob, json, os, sys, time
pid, home = sys.argv[1:]; at = time.time() - 172800
def moved():
    with open(f'/proc/{pid}/io') as file: return sum(int(line.split()[1]) for line in file if 'char' in line)
before = moved(); time.sleep(3)
while moved() - before > 512: before = moved(); time.sleep(3)
if os.isatty(os.open(f'/proc/{pid}/fd/0', os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)) if os.readlink(f'/proc/{pid}/fd/0').startswith('/dev/pts') else False:
    os.utime(f'/proc/{pid}/fd/0', (at, at))
path = f'{home}/.claude/sessions/{pid}.json'
if os.path.exists(path):
    entry = json.load(open(path)); entry['statusUpdatedAt'] = int(at * 1000); json.dump(entry, open(path, 'w'))
for path in glob.glob(f'{home}/.claude/projects/*/*.jsonl') + glob.glob(f'{home}/.codex/sessions/**/*.jsonl', recursive=True): os.utime(path, (at, at))`;

const run = async (stage: Scene, script: string, ...args: readonly string[]): Promise<void> => {
  const pid = await stage.top.start({
    file: '/usr/bin/python3',
    argv: ['python3', '-c', script, ...args],
    env: stage.userEnvironment(),
    cwd: stage.home,
    fds: { 1: '/tmp/set-back', 2: '/tmp/set-back' },
  });
  expect(await stage.top.ended(pid)).toMatchObject({ code: 0 });
};

/** Its processes have done nothing for some time. */
const rests = async (stage: Scene, { pid }: Identity): Promise<void> => {
  let [latest, same] = ['', 0];
  await stage.until('it rests', () => {
    const shape = [pid, ...descendants(stage.table(), pid).map((row) => row.pid)]
      .map((one) => `${one} ${stage.row(one)?.state ?? ''}`)
      .join();
    same = shape === latest ? same + 1 : 0;
    latest = shape;
    return same > 60;
  });
};

/** What is in use has no End. */
const refused = async (stage: Scene, agents: readonly Identity[]): Promise<void> => {
  for (const { pid } of agents) {
    const { code, stderr } = await runCurfew(stage, ['reap', '--agent-pid', String(pid)]);
    expect({ pid, code, says: stderr.includes('in use') }).toEqual({ pid, code: 1, says: true });
  }
};

/** Each waits up to two minutes until a real agent rests, that of Codex 17: see skips.ts. */
const isAsked = process.env['CURFEW_TEST_IDLE'] === '1';

describe.skipIf(!isAsked)('a real agent that no user wants any more', () => {
  test.for(places)(
    '%s: is listed with the time and the way back, and is ended whole by its user, and nothing else',
    { timeout: 30 * 60_000 },
    async ([, name, start]) => {
      expect(missingOf(kindOf(name))).toBeNull();
      await scene(
        async (stage) => {
          await startModel(stage);
          const { agent, innocents, besides = [], inUse = [], oldAfter = 0, resume } = await start(stage);
          await stage.until(
            'its model has answered',
            () => stage.has('/tmp/model/asked') && stage.read('/tmp/model/asked').includes('idles'),
          );
          // At the first look, and once much is remembered.
          await refused(stage, inUse);
          await rests(stage, agent);
          await sleep(oldAfter * 1000);
          await run(stage, setBack, String(agent.pid), stage.home);
          const sessions = z.object({ sessions: z.array(session) });
          const look = async () => {
            await scan(stage);
            await watchedFor(stage, 90_000, 'quiet');
            await run(stage, setBack, String(agent.pid), stage.home);
            const { sessions: all } = sessions.parse(oneDocument(await runCurfew(stage, ['sessions', '--json'])));
            return all.filter(({ pid }) => pid === agent.pid);
          };
          let listed = await look();
          // What it writes once after its start is no sign that it is used.
          for (let again = 0; again < 8 && listed[0]?.idle?.state !== 'idle'; again++) listed = await look();
          expect(listed[0]?.idle).toMatchObject({ state: 'idle' });
          expect(listed[0]?.end ?? listed[0]?.ownEnd).toMatch(/^[0-9a-f]{8}$/u);
          await refused(stage, inUse);
          const whole = [
            agent,
            ...besides,
            ...descendants(stage.table(), agent.pid).map(({ pid }) => stage.identity(pid)),
          ];
          const end = async () => runCurfew(stage, ['reap', '--json', '--agent-pid', String(agent.pid)]);
          let done = await end();
          // It may write something in the very moment: it is in use then, and is left alone.
          for (let again = 0; again < 8 && done.code !== 0; again++) {
            await look();
            done = await end();
          }
          expect(reapDocument.parse(oneDocument(done)).incidents).toMatchObject([
            { decidedBy: 'command', outcome: 'reaped' },
          ]);
          await stage.until('all of it has ended', () => whole.every((part) => !stage.lives(part)));
          expectGone(stage, whole);
          expectUntouched(stage, innocents);
          await resume?.(listed[0]?.id ?? '');
          expectUntouched(stage, innocents);
        },
        { ...withAgents, upForSeconds: 90_060 },
      )();
    },
  );
});
