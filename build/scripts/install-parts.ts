import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { installCommand, type MissingPart, missingHere } from './parts.ts';

/** Runs a system command with its output shown; returns null on success, else the failure. */
const run = (command: string, args: readonly string[]): string | null => {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { error, status } = spawnSync(command, args, { env, stdio: ['ignore', 'inherit', 'inherit'] });
  if (error !== undefined) return `${command} could not be started: ${error.message}`;
  return status === 0 ? null : `${[command, ...args].join(' ')} ended with ${String(status)}`;
};

const succeeds = (command: string, ...args: readonly string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/**
 * Returns the prefix of a command that needs root: none for root, sudo if it needs no password;
 * null otherwise.
 */
const asRoot = (): readonly string[] | null => {
  if (process.getuid?.() === 0) return [];
  // sudo drops our environment.
  return succeeds('sudo', '-n', 'true') ? ['sudo', '-n', 'env', 'DEBIAN_FRONTEND=noninteractive'] : null;
};

/** Returns the prefix of apt-get, or why nothing can be installed here. */
const installer = (): { readonly prefix: readonly string[] } | { readonly reason: string } => {
  if (process.env['CURFEW_TEST_INSTALL'] === 'no') return { reason: 'CURFEW_TEST_INSTALL=no says so' };
  if (!succeeds('apt-get', '--version')) return { reason: 'there is no apt-get' };
  const prefix = asRoot();
  return prefix === null ? { reason: 'this is not root, and there is no sudo that asks for no password' } : { prefix };
};

/** Installs packages; returns null on success, else the failure. */
const install = (prefix: readonly string[], packages: readonly string[]): string | null => {
  const root = (...command: readonly string[]): string | null => {
    const [program = '', ...args] = [...prefix, ...command];
    return run(program, args);
  };
  const failed = root('apt-get', 'update', '--quiet', '--quiet', '-o', 'Acquire::http::Timeout=20');
  if (failed !== null) return failed;
  // Ubuntu lacks packages of some of these names, and one unknown name would fail the whole
  // command.
  const known = packages.filter((name) => succeeds('apt-cache', 'show', '--no-all-versions', name));
  // apt-get update succeeds even if it reached no archive.
  if (known.length === 0) return 'apt-get knows none of these packages: is there a way to its archive?';
  const wait = ['-o', 'DPkg::Lock::Timeout=120', '-o', 'Dpkg::Use-Pty=0'];
  const problem = root(
    'apt-get',
    'install',
    '--yes',
    '--quiet',
    '--quiet',
    ...wait,
    '--no-install-recommends',
    ...known,
  );
  // Tests start their own sshd. The package would also leave a service that listens to the network.
  if (problem === null && known.includes('openssh-server') && existsSync('/run/systemd/system'))
    return root('systemctl', 'disable', '--now', 'ssh.service', 'ssh.socket');
  return problem;
};

/**
 * Installs what tests need and this machine lacks, if that is possible without asking: with
 * apt-get, as root or through a sudo without a password. Prints what it does, and elsewhere the
 * command for it. Returns what is still missing.
 */
export const installParts = (): readonly MissingPart[] => {
  const missing = missingHere();
  if (missing.length === 0) return missing;
  const packages = missing.map(({ debian }) => debian);
  console.log(`\n== parts: the tests use what is missing here: ${missing.map(({ what }) => what).join(', ')}`);
  const how = installer();
  if ('reason' in how) {
    console.log(`   Not installed, since ${how.reason}. On Debian this installs it (as root):
   ${installCommand(packages)}`);
    return missing;
  }
  console.log(`   Installing it, this once: ${[...how.prefix, installCommand(packages)].join(' ')}`);
  const problem = install(how.prefix, packages);
  const left = missingHere();
  if (problem !== null) console.log(`   ${problem}`);
  if (left.length > 0)
    console.log(`   Still missing: ${left.map(({ what, debian }) => `${what} (${debian})`).join(', ')}`);
  return left;
};
