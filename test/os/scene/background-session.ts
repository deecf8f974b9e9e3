import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import type { Actor } from './actor.ts';
import { type FakeClaude, slug } from './claude.ts';
import type { Scene } from './scene.ts';

/** A session that continues in the background with the shells of its predecessor. */
export interface BackgroundSession {
  readonly session: string;
  /** The process that owns the shells now. */
  readonly worker: Actor;
  readonly daemon: Actor;
  /** `claude stop`: the worker ends, the adopted shells stay. */
  readonly stop: () => Promise<void>;
}

/**
 * "Move to background and exit" of Claude Code 2.1.329: a daemon, a pty host and a worker start,
 * the worker opens the task folders of the old and the new session, the roster records the mapping,
 * and the old process exits without ending its shells, which the subreaper adopts.
 */
export const moveToBackground = async (stage: Scene, claude: FakeClaude): Promise<BackgroundSession> => {
  const session = randomUUID();
  const folder = `${stage.home}/.claude`;
  const env = claude.environment('harness');
  // `claude daemon run …`, `claude bg-spare …`: perl takes the second word for its script, in its
  // working folder.
  const play = (words: string, parent: Actor): Promise<Actor> =>
    stage.actor({
      argv: ['claude', words],
      file: claude.executable,
      cwd: '/tmp/scene/daemon',
      parent,
      setsid: true,
      env,
    });
  const daemon = await play('daemon', stage.top);
  const host = await play('bg-pty-host', daemon);
  const worker = await play('bg-spare', host);
  await worker.moveTo(claude.project);
  const tasks = stage.folder(`/tmp/claude-0/${slug(claude.project)}/${session}/tasks`);
  await worker.holdOpen(tasks);
  await worker.holdOpen(claude.tasks);
  const start = stage.identity(worker.pid).start;
  const registration = stage.write(
    `${folder}/sessions/${worker.pid}.json`,
    JSON.stringify({
      pid: worker.pid,
      sessionId: session,
      cwd: claude.project,
      startedAt: Date.now(),
      procStart: start,
      version: claude.version,
      kind: 'bg',
      jobId: '0a1b2c3d',
      status: 'busy',
    }),
  );
  const transcript = `${folder}/projects/${slug(claude.project)}/${claude.session}.jsonl`;
  stage.write(
    `${folder}/daemon/roster.json`,
    JSON.stringify({
      workers: {
        '0a1b2c3d': {
          pid: host.pid,
          procStart: stage.identity(host.pid).start,
          sessionId: session,
          replPid: worker.pid,
          replProcStart: start,
          cwd: claude.project,
          dispatch: { launch: { sessionId: transcript } },
        },
      },
    }),
  );
  await claude.leave();
  const stop = async (): Promise<void> => {
    rmSync(stage.outside(registration));
    stage.write(`${folder}/daemon/roster.json`, JSON.stringify({ workers: {} }));
    await worker.exit();
    await host.exit();
    await stage.until('the worker is gone', () => stage.row(worker.pid) === null);
  };
  return { session, worker, daemon, stop };
};
