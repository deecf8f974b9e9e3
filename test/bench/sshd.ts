import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where Debian has it. */
export const sshd = '/usr/sbin/sshd';

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });

/** Machines that fail in each way, and slow ones, by the beginning of their names. */
const failing = (folder: string, port: number, silentPort: number): string => `Host slow*
 ProxyCommand sh -c "sleep 3; exec busybox nc 127.0.0.1 ${port}"
Host silent*
 Port ${silentPort}
Host closed*
 Port 2
Host changed*
 StrictHostKeyChecking yes
 UserKnownHostsFile ${folder}/changed
Host asks*
 IdentityFile ${folder}/none
 PreferredAuthentications password
`;

/** A real sshd for a bench. */
export interface BenchSshd {
  /** Holds keys; `path` in it has an ssh that knows all machines. */
  readonly folder: string;
  readonly port: number;
  readonly close: () => void;
}

/**
 * Opens a real sshd with temporary keys, and an ssh for the front of the path that resolves every
 * name to this sshd, but for those of `failing`.
 * @param alone so many processes are beside it in a pid namespace of its own, so that it is another
 * machine; null: it runs here
 */
export const openSshd = async (alone: number | null): Promise<BenchSshd> => {
  const folder = mkdtempSync(join(tmpdir(), 'curfew-bench-ssh-'));
  const port = await freePort();
  const silentPort = await freePort();
  const silent = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write('SSH-2.0-Silent\r\n');
  }).listen(silentPort, '127.0.0.1');
  mkdirSync('/run/sshd', { recursive: true });
  for (const key of ['host', 'id'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, key)]);
  writeFileSync(join(folder, 'changed'), `[127.0.0.1]:${port} ${readFileSync(join(folder, 'id.pub'), 'utf8')}`);
  writeFileSync(join(folder, 'authorized'), readFileSync(join(folder, 'id.pub')));
  writeFileSync(
    join(folder, 'sshd_config'),
    `ListenAddress 127.0.0.1:${port}\nHostKey ${folder}/host\nAuthorizedKeysFile ${folder}/authorized\nStrictModes no\nUsePAM no\nPermitRootLogin yes\nPidFile none\nMaxStartups 500\nSetEnv HOME=${folder}\n`,
  );
  writeFileSync(
    join(folder, 'config'),
    `${failing(folder, port, silentPort)}Host *\n HostName 127.0.0.1\n Port ${port}\n IdentityFile ${folder}/id\n IdentitiesOnly yes\n StrictHostKeyChecking no\n UserKnownHostsFile /dev/null\n`,
  );
  mkdirSync(join(folder, 'path'));
  writeFileSync(join(folder, 'path/ssh'), `#!/bin/sh\nexec /usr/bin/ssh -F ${folder}/config "$@"\n`);
  chmodSync(join(folder, 'path/ssh'), 0o755);
  const command = [sshd, '-D', '-e', '-f', join(folder, 'sshd_config')] as const;
  const crowd = 'for _ in $(seq "$1"); do sleep 99999 & done; shift; exec "$@"';
  const server =
    alone === null
      ? spawn(command[0], command.slice(1), { stdio: ['ignore', 'ignore', 'pipe'] })
      : spawn(
          'unshare',
          ['--pid', '--fork', '--mount-proc', '--kill-child', 'sh', '-c', crowd, 'sh', String(alone), ...command],
          { stdio: ['ignore', 'ignore', 'pipe'] },
        );
  await new Promise((resolve) => server.stderr.once('data', resolve));
  return {
    folder,
    port,
    close: () => {
      server.kill('SIGKILL');
      silent.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
