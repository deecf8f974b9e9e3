import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
/** Kept between runs: 115 MB. */
const folder = join(root, 'build/out/prometheus');

/** Debian's packages, and the programs that the tests use of them. */
const packages = { prometheus: ['prometheus', 'promtool'], 'prometheus-node-exporter': ['prometheus-node-exporter'] };

const programPath = (name: string): string => join(folder, 'usr/bin', name);

/** Debian's Prometheus: the paths of its programs. */
export const prometheusPrograms = {
  prometheus: programPath('prometheus'),
  promtool: programPath('promtool'),
  nodeExporter: programPath('prometheus-node-exporter'),
} as const;

const run = (command: string, ...args: readonly string[]): string | null => {
  const { error, status } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (error !== undefined) return `${command} could not be started: ${error.message}`;
  return status === 0 ? null : `${[command, ...args].join(' ')} ended with ${String(status)}`;
};

/** Fetches a package into a folder; returns null on success, else why not. */
const fetchPackage = (name: string): string | null => {
  const temporary = mkdtempSync(join(tmpdir(), 'curfew-prometheus-'));
  try {
    execFileSync('apt-get', ['download', '--quiet', '--quiet', name], {
      cwd: temporary,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [file] = readdirSync(temporary);
    return file === undefined
      ? `apt-get downloaded no ${name}`
      : run('dpkg-deb', '--extract', join(temporary, file), folder);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
};

/**
 * Fetches Debian's Prometheus, promtool and node_exporter, where they are not here yet. Unpacked
 * below build/out and not installed: the packages would leave services that listen on every address
 * of the machine. Needs no root, only lists of packages that `apt-get update` fetched once. Returns
 * null on success, else why not.
 */
export const fetchPrometheus = (): string | null => {
  const missing = Object.entries(packages).filter(([, programs]) =>
    programs.some((one) => !existsSync(programPath(one))),
  );
  if (missing.length > 0) mkdirSync(folder, { recursive: true });
  for (const [name] of missing) {
    console.log(`== fetching Debian's ${name} into build/out/prometheus`);
    const problem = fetchPackage(name);
    if (problem !== null) return problem;
  }
  return null;
};
