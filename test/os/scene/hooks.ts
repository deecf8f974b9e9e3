import type { FakeClaude } from './claude.ts';
import { curfewEnvironment, runCurfew } from './curfew.ts';
import type { Scene } from './scene.ts';

/** Where `curfew hooks install` puts the script in a scene. */
const script = '/tmp/curfew-home/hooks/curfew-hook';

/** Installs the hooks, as a user does. */
export const installHooks = async (stage: Scene): Promise<void> => {
  stage.write(`${stage.home}/.claude/settings.json`, '{}\n');
  const run = await runCurfew(stage, ['hooks', 'install', 'claude-code']);
  if (run.code !== 0) throw new Error(`hooks install: ${run.stderr}`);
};

let calls = 0;

/**
 * Calls the hook like Claude Code: as its child, in its own session, with the harness' environment.
 * Waits for its end.
 */
export const callHook = async (
  stage: Scene,
  claude: FakeClaude,
  event: 'session-start' | 'tool' | 'stop' | 'session-end',
  told: Readonly<Record<string, unknown>> = {},
): Promise<void> => {
  const payload = { session_id: claude.session, cwd: claude.project, ...told };
  const input = stage.write(`/tmp/scene/hooks/${calls++}.json`, JSON.stringify(payload));
  const pid = await claude.actor.start({
    file: '/bin/sh',
    argv: ['/bin/sh', script, 'claude-code', event],
    env: { ...curfewEnvironment(stage), ...claude.environment('harness'), CLAUDE_PROJECT_DIR: claude.project },
    cwd: claude.project,
    setsid: true,
    fds: { 0: input },
  });
  const { code } = await claude.actor.ended(pid);
  if (code !== 0) throw new Error(`the hook ended with ${code}`);
};
