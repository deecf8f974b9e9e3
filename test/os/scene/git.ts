import type { Scene } from './scene.ts';

/** Starts a shell in the scene, as the user; returns its pid. */
export const inScene = async (stage: Scene, cwd: string, script: string): Promise<number> => {
  stage.folder(cwd);
  const env = {
    ...stage.userEnvironment(),
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@example.org',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@example.org',
  };
  const out = stage.write('/tmp/scene/git.out', '', 0o666);
  return stage.top.start({
    file: '/bin/sh',
    argv: ['sh', '-c', script],
    cwd,
    env,
    setsid: true,
    fds: { 1: out, 2: out },
  });
};

/** Runs a script with git in a folder of the scene, which is made; throws where it fails. */
export const gitIn = async (stage: Scene, cwd: string, script: string): Promise<string> => {
  const { code } = await stage.top.ended(await inScene(stage, cwd, script));
  const said = stage.read('/tmp/scene/git.out');
  if (code !== 0) throw new Error(`${script}: ${code}\n${said}`);
  return said;
};
