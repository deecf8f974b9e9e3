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

/**
 * Gives the scene a /dev of its own, in its own mount namespace, once: scenes share the machine's,
 * in which nothing may be made or removed.
 * @param more what is done in it
 */
export const ownDevices = (stage: Scene, more: string): Promise<void> =>
  inScene(
    stage,
    `set -e; d=/tmp/scene/dev
    if [ ! -d $d ]; then
      mkdir -p $d; mount -t tmpfs -o mode=755 none $d
      for f in null zero full random urandom tty; do cp -a /dev/$f $d/; done
      mkdir $d/pts $d/shm; mount --bind /dev/pts $d/pts; mount --bind /dev/shm $d/shm
      ln -s /proc/self/fd $d/fd; ln -s pts/ptmx $d/ptmx
      mount --rbind $d /dev; [ ! -e /dev/kvm ] || exit 1
    fi
    ${more}`,
  );

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
