import { readableRoot } from '../machine-facts.ts';
import type { Scene } from '../scene/scene.ts';

/** Runs a shell script as root in the scene, to its end. Throws if it fails. */
export const inScene = async (stage: Scene, script: string): Promise<void> => {
  const { first } = stage;
  const pid = await first.start({
    file: '/bin/sh',
    argv: ['sh', '-c', script],
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
    cwd: '/',
  });
  const { code } = await first.ended(pid);
  if (code !== 0) throw new Error(`${script}: ${code}`);
};

/** From now on the scene has no ss, anywhere. */
export const withoutSs = (stage: Scene): Promise<void> =>
  inScene(
    stage,
    'for f in /usr/bin/ss /usr/sbin/ss /bin/ss /sbin/ss; do [ ! -e "$f" ] || mount --bind /dev/null "$f"; done',
  );

/** From now on koffi is missing in the scene, so the kernel can't be asked through C calls. */
export const withoutKoffi = (stage: Scene): Promise<void> =>
  inScene(stage, `mount -t tmpfs none '${readableRoot}/node_modules/koffi'`);

/**
 * A one-line perl program as a background call: its output file witnesses who started it, whenever
 * Curfew looks first.
 */
export const leaves = (program: string): string => `perl -MIO::Socket -e '${program}'`;
