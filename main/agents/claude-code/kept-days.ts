import { join } from 'node:path';
import { z } from 'zod';
import { once } from '../../../app/format/once.ts';
import { readJsonFile } from '../../store/files/json-file.ts';

/** https://code.claude.com/docs/en/settings: `cleanupPeriodDays`, 30 where it is not set. */
const usualDays = 30;

const settingsSchema = once(() => z.object({ cleanupPeriodDays: z.number().positive().optional() }));

/** Settings of the whole machine: https://code.claude.com/docs/en/settings#settings-files */
const managed = [
  '/etc/claude-code/managed-settings.json',
  '/Library/Application Support/ClaudeCode/managed-settings.json',
];

const daysIn = (path: string): number | null => {
  const file = readJsonFile(path);
  if (file.kind === 'missing') return null;
  const settings = file.kind === 'value' ? settingsSchema().safeParse(file.value) : null;
  return settings?.success === true ? (settings.data.cleanupPeriodDays ?? null) : Number.POSITIVE_INFINITY;
};

/**
 * Returns the days after its last change for which Claude Code keeps a transcript in this
 * configuration folder, the most that any settings say; infinity where some can't be read, or say
 * nothing that is understood.
 * @param projects whose own settings count as well
 */
export const claudeKeptDays = (folder: string, projects: readonly string[]): number => {
  const ofProjects = projects.flatMap((project) =>
    ['settings.json', 'settings.local.json'].map((name) => join(project, '.claude', name)),
  );
  const said = [join(folder, 'settings.json'), ...managed, ...ofProjects].map(daysIn).filter((days) => days !== null);
  return said.length === 0 ? usualDays : Math.max(...said);
};
