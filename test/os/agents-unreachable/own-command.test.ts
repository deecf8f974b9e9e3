import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { launchService, quick, writeSettings } from '../interface/running-service.ts';
import { history, runCurfew, scan } from '../scene/curfew.ts';
import { bystander, expectGone, expectUntouched } from '../scene/innocents.ts';
import type { Identity } from '../scene/processes.ts';
import { scene, type Scene } from '../scene/scene.ts';
import { seen } from './agents.ts';

/**
 * A service whose own command really ends it, by the pid that it noted in its folder: `refuses` and
 * `hangs` don't. In perl, which under another name is a native program.
 */
const service = (folder: string, word: string): string => `
my $folder = $ENV{${folder}} // "$ENV{HOME}/.none";
if (grep { $_ eq '${word}' } @ARGV) {
  open(my $note, '>', "$folder/service.pid") or die; print $note $$; close $note;
  sleep 1 while 1;
}
if (-e "$folder/refuses") { print STDERR "two sessions are busy\\n"; exit 3; }
if (-e "$folder/hangs") { $SIG{TERM} = 'IGNORE'; sleep 1 while 1; }
open(my $said, '>>', "$folder/stopped-with"); print $said join(' ', @ARGV), "\\n"; close $said;
open(my $note, '<', "$folder/service.pid") or die; kill 'USR1', <$note>;
`;

const nowhere = { 0: '/dev/null', 1: '/dev/null', 2: '/dev/null' } as const;

/** A program of the same name that comes first on the path, and must not be run. */
const decoy = (stage: Scene, name: string): void => {
  stage.write(`/tmp/scene/path/${name}`, '#!/bin/sh\ntouch /tmp/decoy-ran\n', 0o755);
};

/** The daemon of Claude Code, a native program, with its files in a folder of its own. */
const claudeDaemon = async (stage: Scene, folder: string, env: Readonly<Record<string, string>> = {}) => {
  stage.folder(folder);
  stage.write(`${stage.home}/daemon`, service('CLAUDE_CONFIG_DIR', 'run'));
  decoy(stage, 'claude');
  const daemon = await stage.top.begin({
    file: stage.program('/tmp/scene/opt/claude'),
    argv: ['claude', 'daemon', 'run'],
    env: { ...stage.userEnvironment(), CLAUDE_CONFIG_DIR: folder, ...env },
    cwd: stage.home,
    setsid: true,
    fds: nowhere,
  });
  await stage.until('the daemon runs', () => stage.has(`${folder}/service.pid`));
  return daemon;
};

/** The daemon of Codex, run by an interpreter. */
const codexDaemon = async (stage: Scene, mode = 0o755): Promise<Identity> => {
  stage.folder('/tmp/work/codex');
  const script = stage.write('/tmp/work/codex.pl', service('CODEX_HOME', '--managed-daemon'), mode);
  decoy(stage, 'codex');
  const daemon = await stage.top.begin({
    file: '/usr/bin/perl',
    argv: ['codex', script, 'app-server', '--listen', 'unix://', '--managed-daemon'],
    env: { ...stage.userEnvironment(), CODEX_HOME: '/tmp/work/codex' },
    cwd: stage.home,
    setsid: true,
    fds: nowhere,
  });
  await stage.until('the daemon runs', () => stage.has('/tmp/work/codex/service.pid'));
  return daemon;
};

const end = (stage: Scene, { pid }: Identity, ...more: readonly string[]) =>
  runCurfew(stage, ['reap', '--agent-pid', String(pid), ...more]);

describe.concurrent('a service of an agent is ended by its agent’s own command', () => {
  test(
    'a daemon of Claude Code: by the program that it runs, and no other daemon with it',
    scene(async (stage) => {
      const daemon = await claudeDaemon(stage, '/tmp/work/claude');
      const other = await claudeDaemon(stage, `${stage.home}/.claude`);
      const innocents = [bystander(stage, 'the daemon of the usual folder', other.pid)];
      const found = seen(await scan(stage), daemon);
      expect(found).toMatchObject({ state: 'service', canEnd: false, endWith: 'claude daemon stop --any' });
      const dry = await end(stage, daemon, '--dry-run');
      expect(dry.stdout).toContain('claude daemon stop --any');
      expect(stage.lives(daemon)).toBe(true);
      expect((await end(stage, daemon)).code).toBe(0);
      expectGone(stage, [daemon]);
      expect(stage.read('/tmp/work/claude/stopped-with')).toBe('stop --any\n');
      expect(stage.has('/tmp/decoy-ran')).toBe(false);
      expectUntouched(stage, innocents);
      expect(await history(stage)).toMatchObject([
        { decidedBy: 'command', outcome: 'reaped', rule: 'agent-service', signals: [], freed: { processes: 1 } },
      ]);
      expect((await end(stage, daemon)).code).toBe(2);
    }),
  );

  test(
    'a background session of Claude Code, by the id of its session',
    scene(async (stage) => {
      stage.folder(`${stage.home}/.claude`);
      stage.write(`${stage.home}/worker`, service('CLAUDE_CONFIG_DIR', 'works'));
      stage.write(`${stage.home}/stop`, service('CLAUDE_CONFIG_DIR', 'works'));
      const worker = await stage.top.begin({
        file: stage.program('/tmp/scene/opt/claude'),
        argv: ['claude bg-spare', 'worker', 'works'],
        env: { ...stage.userEnvironment(), CLAUDE_CONFIG_DIR: `${stage.home}/.claude` },
        cwd: stage.home,
        setsid: true,
        fds: nowhere,
      });
      const session = randomUUID();
      const says = (status: string): void => {
        const entry = { pid: worker.pid, sessionId: session, cwd: stage.home, procStart: worker.start, kind: 'bg' };
        const at = Date.now() - 2 * 86_400_000;
        stage.write(
          `${stage.home}/.claude/sessions/${worker.pid}.json`,
          JSON.stringify({ ...entry, version: '2.1.330', startedAt: at, status, statusUpdatedAt: at }),
        );
      };
      await stage.until('the worker runs', () => stage.has(`${stage.home}/.claude/service.pid`));
      // A background job at work, and an approval that is asked for.
      for (const status of ['shell', 'waiting']) {
        says(status);
        expect(seen(await scan(stage), worker)).toMatchObject({ state: 'service', endWith: null, ownEnd: null });
        expect(await end(stage, worker)).toMatchObject({ code: 1 });
      }
      expect(stage.lives(worker)).toBe(true);
      says('idle');
      const command = `claude stop ${session.slice(0, 8)}`;
      expect(seen(await scan(stage), worker)).toMatchObject({ state: 'service', endWith: command });
      const { stdout } = await runCurfew(stage, ['sessions']);
      expect(stdout).toContain(`curfew reap --agent-pid ${worker.pid}`);
      expect(stdout).toContain(`claude --resume ${session}`);
      expect((await end(stage, worker)).code).toBe(0);
      expectGone(stage, [worker]);
      expect(stage.read(`${stage.home}/.claude/stopped-with`)).toBe(`${session.slice(0, 8)}\n`);
    }),
  );

  test(
    'the daemon of Codex, which an interpreter runs',
    scene(async (stage) => {
      const daemon = await codexDaemon(stage);
      expect((await end(stage, daemon)).code).toBe(0);
      expectGone(stage, [daemon]);
      expect(stage.read('/tmp/work/codex/stopped-with')).toBe('app-server daemon stop\n');
      expect(stage.has('/tmp/decoy-ran')).toBe(false);
    }),
  );

  test(
    'one that refuses stays, and its words are in the record',
    scene(async (stage) => {
      const daemon = await claudeDaemon(stage, '/tmp/work/claude');
      stage.write('/tmp/work/claude/refuses', '');
      const { code, stderr } = await end(stage, daemon);
      expect({ code, says: stderr.includes('two sessions are busy') }).toEqual({ code: 1, says: true });
      expectUntouched(stage, [bystander(stage, 'the daemon', daemon.pid)]);
      const [incident] = await history(stage);
      expect(incident).toMatchObject({ outcome: 'survived', signals: [], survivors: [{ pid: daemon.pid }] });
    }),
  );

  test(
    'a command that hangs is ended after the time limit, and the service stays',
    scene(async (stage) => {
      const daemon = await claudeDaemon(stage, '/tmp/work/claude');
      stage.write('/tmp/work/claude/hangs', '');
      expect((await end(stage, daemon, '--grace', '1s')).code).toBe(1);
      expectUntouched(stage, [bystander(stage, 'the daemon', daemon.pid)]);
      const commands = stage.table().filter(({ argv }) => argv.includes('stop'));
      expect(commands).toEqual([]);
      expect(await history(stage)).toMatchObject([{ outcome: 'survived', signals: [] }]);
    }),
  );

  test(
    'what is marked as kept, and a script that others can change, is refused before anything is run',
    scene(async (stage) => {
      const kept = await claudeDaemon(stage, '/tmp/work/claude', { CURFEW_KEEP: '1' });
      const writable = await codexDaemon(stage, 0o777);
      for (const [daemon, why] of [
        [kept, 'protected'],
        [writable, 'the script that it runs is not known'],
      ] as const) {
        const { code, stderr } = await end(stage, daemon);
        expect({ code, says: stderr.includes(why) }).toEqual({ code: 1, says: true });
      }
      expectUntouched(stage, [
        bystander(stage, 'the kept daemon', kept.pid),
        bystander(stage, 'the daemon of the script', writable.pid),
      ]);
      expect(await history(stage)).toEqual([]);
    }),
  );

  test(
    'the button in the window does the same, and nothing else ends one',
    scene(async (stage) => {
      writeSettings(stage, quick);
      const daemon = await claudeDaemon(stage, '/tmp/work/claude');
      const other = await codexDaemon(stage);
      const running = await launchService(stage);
      const window = await running.open();
      const listed = await stage.until('the daemon is listed', () =>
        window.snapshot.agents.find(({ pid }) => pid === daemon.pid),
      );
      expect(listed).toMatchObject({ job: null, endWith: 'claude daemon stop --any' });
      const id = listed.ownEnd ?? '';
      expect(await window.refusal('job.reap', { job: id })).toMatchObject({ code: 'not-found' });
      const { incident } = await window.get('agent.end', { id });
      expectGone(stage, [daemon]);
      expect(await window.get('history.incident', { id: incident })).toMatchObject({
        decidedBy: 'person',
        outcome: 'reaped',
      });
      expect(await window.refusal('agent.end', { id })).toMatchObject({ code: 'not-found' });
      await running.stop();
      expectUntouched(stage, [bystander(stage, 'the daemon of Codex', other.pid)]);
    }),
  );
});
