import { execFileSync } from 'node:child_process';
import { isRootOfMachine } from '../machine-facts.ts';
import type { Scene } from '../scene/scene.ts';

/** True where no engine can run; `unlessEngine` then says so in the names of tests. */
export const noEngine = !isRootOfMachine;

/** Empty, or why a test is skipped. */
export const unlessEngine = noEngine ? ' (SKIPPED: containers are made by root of the machine)' : '';

/** Podman with a storage of the scene's own. */
export const podman = [
  'podman --root /tmp/work/storage --runroot /tmp/work/run --storage-driver vfs',
  '--cgroup-manager cgroupfs --events-backend file',
].join(' ');

/** Runs a shell command of the user, which must succeed. */
export const typed = async (stage: Scene, command: string): Promise<void> => {
  const said = stage.write('/tmp/work/said', '');
  const { pid } = await stage.top.begin({
    file: '/bin/bash',
    argv: ['bash', '-ec', command],
    env: stage.userEnvironment(),
    cwd: stage.home,
    setsid: true,
    fds: { 1: said, 2: said },
  });
  const { code } = await stage.top.ended(pid);
  if (code !== 0) throw new Error(`${command}\n${stage.read(said)}`);
};

const libraries = (program: string): readonly string[] =>
  [...execFileSync('ldd', [program], { encoding: 'utf8' }).matchAll(/\/\S+/gu)].map(([path]) => path);

/** An engine of the scene's own, with one image: a shell without a network. */
export const setEngine = async (stage: Scene): Promise<void> => {
  const root = '/tmp/work/image';
  const copied = libraries('/usr/bin/busybox').map((path) => `install -D ${path} ${root}${path}`);
  await typed(
    stage,
    [
      'mount -t tmpfs none /run',
      // crun takes no machine that has both versions of control groups.
      'mount -t cgroup2 none /sys/fs/cgroup',
      `install -D /usr/bin/busybox ${root}/busybox`,
      ...copied,
      `tar -C ${root} -c . | ${podman} import - boxy:latest`,
    ].join('\n'),
  );
};

/** A command that starts a container and notes its id. */
export const runs = (name: string, command: string): string =>
  `${podman} run -d --cgroups=disabled --network none --name ${name} boxy:latest /busybox ${command} > /tmp/work/${name}.id`;
