import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { tool } from '../scripts/tool.ts';
import { agentsFolder, lockOf, type PinnedAgent, programOf } from './table.ts';

/** Runs npm in a folder; returns null on success, else what it said, in a few lines. */
const npm = async (folder: string, args: readonly string[]): Promise<string | null> => {
  const [program, ...before] = tool('npm');
  const words = [...before, ...args, '--ignore-scripts', '--no-audit', '--no-fund', '--include=optional'];
  const child = spawn(program, words, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
  const status = await new Promise<number | null>((resolve) => {
    child.on('error', ({ message }) => {
      said += message;
      resolve(null);
    });
    child.on('close', resolve);
  });
  const errors = said.split('\n').filter((line) => /error/iu.test(line) && !line.includes('complete log'));
  return status === 0 ? null : errors.slice(0, 4).join('\n') || said.slice(-400);
};

/** A package of which the default export is a function that returns nothing to use. */
const writeEmptied = (folder: string, name: string, version: string): void => {
  mkdirSync(join(folder, name), { recursive: true });
  const manifest = { name, version, type: 'module', exports: './index.js' };
  writeFileSync(join(folder, name, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, name, 'index.js'), 'export default () => ({});\n');
};

/** Returns the name and the version of NAME@VERSION. */
const parted = (one: string): readonly [name: string, version: string] => {
  const at = one.lastIndexOf('@');
  return [one.slice(0, at), one.slice(at + 1)];
};

/** Writes the manifest of the folder into which npm installs an agent. */
const writeManifest = (folder: string, { package: name, version, emptied = [], besides = [] }: PinnedAgent): void => {
  const dependencies: Record<string, string> = { [name]: version, ...Object.fromEntries(besides.map(parted)) };
  const overrides: Record<string, string> = {};
  for (const one of emptied) {
    const [empty, itsVersion] = parted(one);
    writeEmptied(join(folder, 'emptied'), empty, itsVersion);
    dependencies[empty] = `file:./emptied/${empty}`;
    overrides[empty] = `$${empty}`;
  }
  const manifest = { private: true, dependencies, ...(emptied.length === 0 ? {} : { overrides }) };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
};

/** What an agent has become. */
export type Fetched = 'fetched' | 'was there' | { readonly problem: string };

/** Leaves nothing of what could not be had, and says which it is. */
const notFetched = ({ name, package: of, version, folder }: PinnedAgent, why: string): Fetched => {
  rmSync(join(agentsFolder(), folder), { recursive: true, force: true });
  return { problem: `${name} (${of}@${version}) can't be had:\n${why}` };
};

/** Takes the program out of what npm installed into a folder; returns null, or why it can't. */
type TakeOut = (folder: string) => string | null;

/** Installs into an empty folder, and leaves a stamp in it when the program is there. */
const install = async (
  agent: PinnedAgent,
  stamp: string,
  lock: string | null,
  takeOut: TakeOut = () => null,
): Promise<Fetched> => {
  const folder = join(agentsFolder(), agent.folder);
  const stampFile = join(folder, 'fetched.txt');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp && existsSync(programOf(agent)))
    return 'was there';
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeManifest(folder, agent);
  if (lock !== null) writeFileSync(join(folder, 'package-lock.json'), lock);
  // `npm ci` refuses a lock file without the packages of foreign platforms that a registry lacks.
  const problem = (await npm(folder, ['install'])) ?? takeOut(folder);
  if (problem !== null) return notFetched(agent, problem);
  // npm leaves out the package of a platform that it can't get, and says nothing.
  if (!existsSync(programOf(agent))) return notFetched(agent, `npm installed it without ${programOf(agent)}`);
  writeFileSync(stampFile, stamp);
  return 'fetched';
};

/** Fetches an agent at its pinned version; npm holds each package to the lock file's integrity. */
export const fetchPinned = async (
  agent: PinnedAgent,
  lock = readFileSync(lockOf(agent), 'utf8'),
  takeOut?: TakeOut,
): Promise<Fetched> => install(agent, createHash('sha256').update(lock).digest('hex'), lock, takeOut);

/** Fetches an agent at an exact version, without a lock file. */
export const fetchUnpinned = async (agent: PinnedAgent): Promise<Fetched> => install(agent, agent.version, null);

const distTags = z.looseObject({ 'dist-tags': z.looseObject({ latest: z.string() }) });

/**
 * Returns the newest version of a package that npm knows.
 * @throws when npm doesn't say one
 */
export const latestOf = async (name: string): Promise<string> => {
  const [program, ...before] = tool('npm');
  const child = spawn(program, [...before, 'view', name, 'dist-tags', '--json'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let said = '';
  for await (const text of child.stdout.setEncoding('utf8')) said += String(text);
  const value: unknown = JSON.parse(said === '' ? '{}' : said);
  const { 'dist-tags': tags } = distTags.parse({ 'dist-tags': value });
  return tags.latest;
};
