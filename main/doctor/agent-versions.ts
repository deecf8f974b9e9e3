import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { AgentId } from '../../app/agents/common/agent-id.ts';
import { isNewer, seenVersions } from '../../app/agents/seen-versions.ts';
import type { ProcessRow } from '../../app/process/row.ts';
import { joined, say } from '../../app/text/say.ts';
import type { RunningAgent, Look } from '../observing/look.ts';
import { note, type SaidFinding } from './finding.ts';
import { readBoundedText } from '../os/files/bounded-read.ts';

const manifest = z.looseObject({ name: z.string(), version: z.string() });

/** A program lies at most this deep in its package. */
const maxFolders = 6;

const packageVersion = (file: string, packageName: string): string | null => {
  let folder = dirname(file);
  for (let up = 0; up < maxFolders; up++, folder = dirname(folder)) {
    try {
      const parsed = manifest.safeParse(JSON.parse(readBoundedText(join(folder, 'package.json'))));
      if (parsed.success && parsed.data.name.startsWith(packageName)) return parsed.data.version;
    } catch {
      // No package here, or none that can be read.
    }
  }
  return null;
};

/** Installers of agents keep each version in a folder of its name: `versions/2.1.330`. */
const folderVersion = (file: string): string | null =>
  /[/\\]versions[/\\](?<version>\d+\.\d+\.\d+)(?:[/\\]|$)/u.exec(file)?.groups?.['version'] ?? null;

const realFile = (file: string): string | null => {
  try {
    return realpathSync(file);
  } catch {
    return null;
  }
};

/** Returns the version of the agent whose program one of these files is; null where none tells. */
export const versionOf = (agent: AgentId, files: readonly string[]): string | null => {
  const seen = seenVersions[agent];
  if (seen === 'none') return null;
  for (const file of files) {
    const real = realFile(file);
    const version = real === null ? null : (folderVersion(real) ?? packageVersion(real, seen.package));
    if (version !== null) return version;
  }
  return null;
};

const whatMatched = (look: Look, { parts, tree, session }: RunningAgent) => {
  const own = new Set(parts.map(({ pid }) => Number(pid)));
  const below = tree.filter(({ pid }) => !own.has(Number(pid)));
  const jobs = [...look.jobs.values()].flatMap(({ job }) => job.members.map(({ row }) => row.pid));
  const members = new Set([...jobs, ...(look.serving ?? [])]);
  const figures = { count: below.length, found: below.filter(({ pid }) => members.has(pid)).length };
  return session === null
    ? say('Of the {count} processes below it {found} are recognised; its session is not on record.', figures)
    : say('Of the {count} processes below it {found} are recognised, and its session is on record.', figures);
};

/**
 * Says of each running agent that is newer than the newest version that Curfew was tried with what
 * of it is still recognised. `filesOf` returns the program files of a process.
 */
export const newerAgents = (
  look: Look,
  nameOf: (agent: AgentId) => string,
  filesOf: (row: ProcessRow) => readonly string[],
): readonly SaidFinding[] =>
  (look.agents ?? []).flatMap((sighting) => {
    const { agent, parts } = sighting;
    const seen = seenVersions[agent];
    const version = versionOf(agent, parts.flatMap(filesOf));
    if (seen === 'none' || version === null || !isNewer(version, seen.version)) return [];
    const newer = say('{agent} {version} is newer than the newest version that Curfew was tried with ({seen}).', {
      agent: nameOf(agent),
      version,
      seen: seen.version,
    });
    return [note('Agents', joined(newer, whatMatched(look, sighting)))];
  });
