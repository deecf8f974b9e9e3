import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { FakeClaude } from '../scene/claude.ts';
import { jobWith, oneDocument } from '../scene/curfew.ts';
import { bystander, expectGone, expectUntouched, innocent } from '../scene/innocents.ts';
import { historyIncident, reapDocument, scanDocument } from '../scene/schemas.ts';
import { pinned } from '../scene/outcome.ts';
import { perl, renaming } from '../scene/renaming.ts';
import { z } from 'zod';
import { far, type FarMachine, missing, skipped } from './far-machine.ts';

const strace = '/usr/bin/strace';
const web1 = { host: z.literal('web1') };
const scanned = scanDocument.extend(web1);
const reaped = reapDocument.extend(web1);

const environmentOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
};

/**
 * Processes on the near machine with this home: Curfew, its ssh, and the one that shares its
 * connection.
 */
const startedWith = (home: string): readonly string[] =>
  readdirSync('/proc').filter((pid) => /^\d+$/u.test(pid) && environmentOf(pid).split('\0').includes(`HOME=${home}`));

const scan = async (machine: FarMachine): Promise<z.infer<typeof scanned>> =>
  scanned.parse(oneDocument(await machine.run(['scan', '--json', '--explain', '--all', '--host', 'web1'])));

const reapArguments = ['reap', '--json', '--host', 'web1', '--max-age', '0s', '--grace', '1s'] as const;

const reap = async (machine: FarMachine, ...args: readonly string[]): Promise<z.infer<typeof reaped>> =>
  reaped.parse(oneDocument(await machine.run([...reapArguments, ...args])));

describe.skipIf(missing !== null)(`another machine over a real sshd ${skipped}`, () => {
  for (const shell of ['dash', 'busybox'] as const) {
    test(
      `T29, ${shell}: open sessions are reported; leftovers of a closed one are found, ended completely and recorded, those of an open one are spared`,
      far(
        async (machine) => {
          const { stage } = machine;
          const living = await FakeClaude.start(stage, { project: '/tmp/home/living' });
          const kept = await living.bash('sleep 9999 | cat');
          const server = await innocent(stage, { argv: ['node', 'server.js'], setsid: true });
          const dead = await FakeClaude.start(stage, { project: '/tmp/home/shop' });
          const call = await dead.bash("sleep 7777 | cat; echo 'a  b'\necho $HOME");
          const processes = [call.shell, ...(await pinned(stage, 'sleep 7777'))];
          const before = await scan(machine);
          expect(before.host).toBe('web1');
          expect(jobWith(before, call.shell.pid).owner).toBe('live');
          const liveIn = ({ sessions }: Pick<typeof before, 'sessions'>): ReadonlySet<unknown> =>
            new Set(sessions.flatMap(({ id, pid, state }) => (state === 'live' ? [`${id} ${pid}`] : [])));
          const registered = [living, dead].map(({ session, actor }) => `${session} ${actor.pid}`);
          expect(liveIn(before)).toEqual(new Set(registered));
          await dead.crash();

          const look = await scan(machine);
          expect(liveIn(look)).toEqual(new Set(registered.slice(0, 1)));
          const job = jobWith(look, call.shell.pid);
          expect(job).toMatchObject({
            agent: 'claude-code',
            command: "sleep 7777 | cat; echo 'a  b'\necho $HOME",
            session: dead.session,
            project: '/tmp/home/shop',
            output: call.output,
            owner: 'gone',
            vetoes: [],
          });
          expect(jobWith(look, kept.shell.pid).owner).toBe('live');

          const state = async (): Promise<string> => jobWith(await scan(machine), call.shell.pid).verdict.state;
          expect((await machine.run(['keep', job.id, '--host', 'web1'])).stdout).toContain('Kept for');
          expect(await state()).toBe('kept');
          expect((await machine.run(['unkeep', job.id, '--host', 'web1'])).code).toBe(0);
          expect(await state()).toBe('orphaned');

          const { incidents } = await reap(machine);
          expect(incidents).toMatchObject([{ job: job.id, survivors: [], agent: 'claude-code' }]);
          expect(incidents[0]?.freed.processes).toBe(job.members.length);
          expectGone(stage, processes);
          expect(stage.lives(kept.shell)).toBe(true);
          expect(stage.lives(living.identity)).toBe(true);
          expectUntouched(stage, [server]);

          const record = z
            .object({ incidents: z.array(historyIncident) })
            .parse(oneDocument(await machine.run(['history', '--json', '--host', 'web1'])));
          expect(record.incidents.map(({ id, host }) => ({ id, host }))).toEqual([
            { id: incidents[0]?.id, host: 'web1' },
          ]);
          expect((await machine.run(['history', '--host', 'local'])).stdout).toBe('No incident matches.\n');
        },
        { shell },
      ),
    );

    test(
      `${shell}: a process that ignores TERM is killed, one forked meanwhile is found`,
      far(
        async (machine) => {
          const { stage } = machine;
          const claude = await FakeClaude.start(stage);
          const call = await claude.bash("trap '(exec sleep 6666) & exec sleep 5555' TERM; sleep 7777 & wait");
          await pinned(stage, 'sleep 7777');
          await claude.crash();
          const run = await machine.run([...reapArguments]);
          expect(run.stderr).toMatch(
            /^Ending 1 leftover, .*\nTERM sent to \d+ processes, KILL in 1 s to what is left: /u,
          );
          const { incidents } = reaped.parse(oneDocument(run));
          expect(incidents).toMatchObject([{ outcome: 'killed', survivors: [] }]);
          expectGone(stage, [call.shell]);
          expect(stage.table().filter(({ argv, state }) => argv[0] === 'sleep' && state !== 'Z')).toEqual([]);
          const signals = incidents.flatMap((incident) => incident.signals);
          expect(signals.map(({ signal }) => signal)).toContain('TERM');
          expect(signals.map(({ signal }) => signal)).toContain('KILL');
        },
        { shell },
      ),
    );
  }

  for (const shell of ['dash', 'busybox'] as const)
    test(
      `${shell}: what an earlier pass saw below its agent is proved, and ended; what no pass saw is probable, and ended by --probable alone`,
      far(
        async (machine) => {
          const { stage } = machine;
          const claude = await FakeClaude.start(stage);
          await claude.foregroundSeen('nohup sleep 3605 >/dev/null 2>&1 & true', () => scan(machine));
          await claude.foreground('nohup sleep 3606 >/dev/null 2>&1 & true');
          const seen = await pinned(stage, 'sleep 3605');
          const unseen = await pinned(stage, 'sleep 3606');
          await claude.crash();
          const look = await scan(machine);
          const told = [...seen, ...unseen].map(({ pid }) => jobWith(look, pid));
          expect(told.map(({ proof, verdict: { state } }) => [proof, state])).toEqual([
            ['look', 'orphaned'],
            ['claimed', 'probable'],
          ]);
          const left = unseen.map(({ pid }) => bystander(stage, 'what no pass saw', pid));
          expect((await reap(machine)).incidents).toMatchObject([{ job: told[0]?.id, survivors: [] }]);
          expectGone(stage, seen);
          expectUntouched(stage, left);
          expect((await reap(machine, '--probable', '--yes')).incidents).toMatchObject([
            { job: told[1]?.id, survivors: [] },
          ]);
          expectGone(stage, unseen);
        },
        { shell },
      ),
    );

  for (const [shell, proof, state] of [
    ['dash', 'output', 'orphaned'],
    ['busybox', 'claimed', 'probable'],
  ] as const)
    test(
      `${shell}: what holds an output file and was seen by no pass before is proved as ${proof}, and ${state}`,
      far(
        async (machine) => {
          const { stage } = machine;
          const claude = await FakeClaude.start(stage);
          const call = await claude.bash('exec sleep 7777');
          await pinned(stage, 'sleep 7777');
          const [replaced, read, apart] = ['breplaced', 'bread', 'bapart'].map((task) =>
            stage.write(`${claude.tasks}/${task}.output`, ''),
          );
          const lines = [
            `exec sleep 7778 >${replaced} 2>/dev/null`,
            `exec sleep 7779 <${read} >&0 2>/dev/null`,
            // In a /tmp of its own, where the same path is another file.
            `mount -t tmpfs none /tmp && mkdir -p ${claude.tasks} && cd / && exec sleep 7780 >${apart} 2>/dev/null`,
          ];
          const others = await Promise.all(
            lines.map((line) =>
              stage.top.begin({
                file: '/usr/bin/unshare',
                argv: ['unshare', '--mount', 'sh', '-c', line],
                env: claude.environment(),
                setsid: true,
              }),
            ),
          );
          await pinned(stage, 'sleep 7778', 'sleep 7779', 'sleep 7780');
          await machine.once(`rm ${replaced} && : >${replaced}`);
          await claude.crash();
          const look = await scan(machine);
          const job = jobWith(look, call.shell.pid);
          expect([job.proof, job.verdict.state]).toEqual([proof, state]);
          const innocents = others.map(({ pid }) => bystander(stage, 'what holds no output', pid));
          for (const { identity } of innocents) expect(jobWith(look, identity.pid).proof).toBe('claimed');
          await reap(machine);
          expect(stage.lives(call.shell)).toBe(proof === 'claimed');
          expectUntouched(stage, innocents);
        },
        { shell },
      ),
    );

  test(
    'a job with CURFEW_KEEP=1 stays, even if it is named',
    far(async (machine) => {
      const { stage } = machine;
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash('sleep 7777 | cat', { env: { CURFEW_KEEP: '1' } });
      await claude.crash();
      const job = jobWith(await scan(machine), call.shell.pid);
      expect(job.vetoes.map(({ code }) => code)).toContain('keep-marker');
      const run = await machine.run(['reap', '--json', '--host', 'web1', '--job', job.id]);
      expect(run.code).toBe(1);
      expect(reaped.parse(JSON.parse(run.stdout)).incidents).toMatchObject([{ outcome: 'spared', signals: [] }]);
      expect(stage.lives(call.shell)).toBe(true);
    }),
  );

  test(
    'an overwritten environment spares a job if its command is unclear, and not if its shell certainly never kept it',
    far(async (machine) => {
      const { stage } = machine;
      const claude = await FakeClaude.start(stage);
      const [keptServer, plainServer, scripted] = ['kept', 'plain', 'scripted'].map((name) => renaming(stage, name));
      if (keptServer === undefined || plainServer === undefined || scripted === undefined) throw new Error('no server');
      stage.write('/tmp/work/start.sh', `CURFEW_KEEP=1 ${perl} ${scripted.path} &\nwait\n`);
      await claude.bash(`CURFEW_KEEP=1 ${perl} ${keptServer.path}; true`);
      const plain = await claude.bash(`${perl} ${plainServer.path}; true`);
      await claude.bash('bash /tmp/work/start.sh');
      const innocents = [await keptServer.ready(), await scripted.ready()];
      const left = await plainServer.ready();
      await claude.crash();
      const look = await scan(machine);
      const codes = innocents.map(({ identity }) => jobWith(look, identity.pid).vetoes.map(({ code }) => code));
      expect(codes[0]).toContain('keep-marker');
      expect(codes[1]).toContain('keep-unknown');
      expect(jobWith(look, left.identity.pid).vetoes).toEqual([]);
      await reap(machine);
      expectUntouched(stage, innocents);
      expectGone(stage, [plain.shell, left.identity]);
    }),
  );

  test.skipIf(!existsSync(strace))(
    `a job traced by strace stays${existsSync(strace) ? '' : ` (SKIPPED: ${strace} is not on this machine)`}`,
    far(async (machine) => {
      const { stage } = machine;
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash('sleep 7777; true');
      const [traced] = await pinned(stage, 'sleep 7777');
      if (traced === undefined) throw new Error('the command did not start');
      await stage.top.begin({
        file: strace,
        argv: ['strace', '-o', '/dev/null', '-p', String(traced.pid)],
        env: stage.userEnvironment(),
        cwd: stage.home,
        setsid: true,
      });
      await stage.until('it is traced', () => !stage.read(`/proc/${traced.pid}/status`).includes('TracerPid:\t0'));
      await claude.crash();
      expect(jobWith(await scan(machine), call.shell.pid).vetoes).toMatchObject([{ code: 'traced', pid: traced.pid }]);
      await reap(machine);
      expect([call.shell, traced].map((one) => stage.lives(one))).toEqual([true, true]);
    }),
  );

  test(
    'nothing is left over there, and no connection stays open here',
    far(async (machine) => {
      const before = machine.stage.table().length;
      const running = machine.start(['scan', '--host', 'web1']);
      let isOver = false;
      void running.ended.then(() => (isOver = true));
      await machine.stage.until('Curfew runs, or has run', () => startedWith(machine.home).length > 0 || isOver);
      expect((await running.ended).code).toBe(0);
      await machine.stage.until('the connection is gone', () => machine.stage.table().length === before);
      await machine.stage.until('no ssh of this user is left', () => startedWith(machine.home).length === 0);
    }),
  );
});
