import { saidOf } from '../../../app/text/say.ts';
import type { Terms } from '../../../app/judge/context.ts';
import type { Hosts } from '../../remote/hosts.ts';
import type { RemoteHost } from '../../remote/host.ts';
import type { Engine } from '../../engine/engine.ts';
import { NotDone, WrongCall } from './exit-status.ts';

/**
 * Works with another machine and closes the connection afterwards. `judging` holds for this pass.
 * @throws NotDone when the machine is unreachable
 */
export const withHost = async <Result>(
  engine: Engine,
  host: string,
  judging: { readonly terms?: Terms; readonly allServers?: boolean },
  work: (remote: RemoteHost, hosts: Hosts) => Promise<Result>,
): Promise<Result> => {
  // Most calls are about this machine and need none of this.
  const [{ Hosts }, { HostFailure }, { InstalledRefusal }] = await Promise.all([
    import('../../remote/hosts.ts'),
    import('../../remote/host-failure.ts'),
    import('../../remote/installed-curfew.ts'),
  ]);
  const hosts = new Hosts(engine, judging);
  try {
    return await work(hosts.open(host), hosts);
  } catch (error) {
    if (error instanceof InstalledRefusal) throw new WrongCall(saidOf(error), { cause: error });
    if (error instanceof HostFailure) throw new NotDone(saidOf(error), { cause: error });
    throw error;
  } finally {
    await hosts.close();
  }
};
