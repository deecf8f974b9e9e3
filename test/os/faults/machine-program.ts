import type { Ending } from '../scene/actor.ts';
import type { Scene } from '../scene/scene.ts';

/** Runs a program of the machine in the scene, as root; throws if it fails. */
export const machineProgram = async (stage: Scene, file: string, ...args: readonly string[]): Promise<void> => {
  const argv = [file, ...args];
  const said = stage.write('/tmp/scene/said', '');
  const pid = await stage.first.start({
    file: file.startsWith('/') ? file : `/usr/bin/${file}`,
    argv,
    env: stage.userEnvironment(),
    fds: { 2: said },
  });
  const { code }: Ending = await stage.first.ended(pid);
  if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}: ${stage.read(said)}`);
};
