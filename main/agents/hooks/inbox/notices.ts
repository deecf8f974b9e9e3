import { codeOf } from '../../../../app/format/error-message.ts';
import { parseJson } from '../../../../app/format/json.ts';
import { join, posix, sep } from 'node:path';
import { z } from 'zod';
import type { Incident } from '../../../../app/history/incident.ts';
import { type EndedCommand, sessionNotice } from '../../../../app/text/agents/session-notice.ts';
import { isWindowsPath, plainPath } from '../../../../app/paths/path.ts';
import { readSettingsDocument } from '../form/settings-document.ts';
import { writeWholeFile } from '../../../store/files/whole-file.ts';
import type { HookFolders } from '../form/folders.ts';
import { redactCommand } from '../../../../app/format/secrets/redact.ts';
import { startOf } from '../../../../app/format/secrets/safe-text.ts';

/** Commands that are remembered by name. */
const maxNamed = 3;

const entriesSchema = z.object({
  count: z.int().min(0),
  latest: z.array(z.object({ command: z.string().transform(redactCommand), ageSeconds: z.number() })),
});

/** No folder has a longer path; Node under Wine tries for ever to make one. */
const maxProject = 4096;

/**
 * Where the script looks when a session starts in a project; of a drive of Windows in a folder of
 * its letter. Null for what is no plain absolute path.
 */
export const noticePath = (folders: HookFolders, project: string): string | null => {
  if (project.length > maxProject) return null;
  const onDrive = /^(?<drive>[A-Z]):(?<rest>\/[^:]+)$/u.exec(plainPath(project))?.groups;
  if (isWindowsPath(project) && onDrive === undefined) return null;
  const below = onDrive === undefined ? project : (onDrive['rest'] ?? '');
  // Where `\` and `:` are no letters of a name but lead elsewhere.
  if (sep === '\\' && /[\\:]/u.test(below)) return null;
  if (!posix.isAbsolute(below) || posix.normalize(below) !== below || below === '/') return null;
  return join(folders.notices, onDrive?.['drive'] ?? '', below.replace(/\/$/u, ''), '.notice');
};

const already = (path: string): z.infer<typeof entriesSchema> => {
  const document = readSettingsDocument(path);
  const second = document.kind === 'read' ? document.text.split('\n')[1] : undefined;
  const parsed = entriesSchema.safeParse(second === undefined ? null : parseJson(second));
  return parsed.success ? parsed.data : { count: 0, latest: [] };
};

const noticePathOf = (folders: HookFolders, { project, outcome }: Incident): string | null =>
  project === null || (outcome !== 'reaped' && outcome !== 'killed') ? null : noticePath(folders, project);

const addTo = (path: string, incidents: readonly Incident[]): boolean => {
  try {
    const before = already(path);
    const count = before.count + incidents.length;
    const ended = incidents.map((incident): EndedCommand => ({
      command: startOf(incident.command, 400),
      ageSeconds: incident.ageSeconds,
    }));
    const latest = [...before.latest, ...ended].slice(-maxNamed);
    // The first line is put between the quotes of a JSON string by the script.
    const line = JSON.stringify(sessionNotice(count, latest)).slice(1, -1);
    writeWholeFile(path, `${line}\n${JSON.stringify({ count, latest })}\n`);
    return true;
  } catch (error) {
    if (codeOf(error) === null) throw error;
    return false;
  }
};

/**
 * Writes down for the next session of each incident's project that a command of it was ended; the
 * script only has to read it out, once. Only what was really ended counts. Incidents of one project
 * are written at once, because each write waits for the disk. False when something that counts
 * can't be written down, or nothing counts: then the next session isn't told, nothing else.
 */
export const queueSessionNotice = (folders: HookFolders, ...incidents: readonly Incident[]): boolean => {
  const byPath = Map.groupBy(incidents, (incident) => noticePathOf(folders, incident));
  const told = [...byPath].map(([path, ended]) => path !== null && addTo(path, ended));
  return told.length > 0 && told.every(Boolean);
};
