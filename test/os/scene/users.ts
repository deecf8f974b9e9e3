import { chmodSync, lchownSync, readdirSync } from 'node:fs';
import type { Scene } from './scene.ts';

/** A user of a scene besides root. */
export interface SceneUser {
  readonly uid: number;
  readonly name: string;
  readonly home: string;
}

const run = async (stage: Scene, ...argv: readonly string[]): Promise<void> => {
  const pid = await stage.first.start({
    file: `/usr/bin/${argv[0]}`,
    argv,
    env: stage.userEnvironment(),
    fds: { 0: '/dev/null', 1: '/dev/null', 2: '/dev/null' },
  });
  const { code, signal } = await stage.first.ended(pid);
  if (code !== 0 || signal !== 0) throw new Error(`${argv.join(' ')} ended with ${code} and ${signal}`);
};

/** Lays a folder of the scene's own over /etc: what is written there is in this scene only. */
export const ownEtc = async (stage: Scene): Promise<void> => {
  for (const folder of ['/tmp/scene/etc/changes', '/tmp/scene/etc/work']) stage.folder(folder);
  const options = 'lowerdir=/etc,upperdir=/tmp/scene/etc/changes,workdir=/tmp/scene/etc/work';
  await run(stage, 'mount', '-t', 'overlay', 'overlay', '-o', options, '/etc');
};

/** Gives a path and all below it to a user. Links themselves are given, not what they lead to. */
export const give = (stage: Scene, path: string, uid: number): void => {
  const outside = stage.outside(path);
  for (const below of readdirSync(outside, { recursive: true, encoding: 'utf8' }))
    lchownSync(`${outside}/${below}`, uid, uid);
  lchownSync(outside, uid, uid);
};

/** Adds users to the account database of a scene with its own /etc, each with an empty home. */
export const addUsers = (stage: Scene, ...names: readonly string[]): readonly SceneUser[] =>
  names.map((name) => {
    const before = stage.read('/etc/passwd');
    const uid = 20_001 + [...before.matchAll(/:200\d\d:200\d\d:/gu)].length;
    const user = { uid, name, home: `/tmp/users/${name}` };
    stage.write('/etc/passwd', `${before}${name}:x:${uid}:${uid}::${user.home}:/bin/bash\n`);
    stage.folder(user.home);
    give(stage, user.home, uid);
    chmodSync(stage.outside(user.home), 0o700);
    return user;
  });
