import { z } from 'zod';
import { once } from '../../../../app/format/once.ts';
import { readJsonFile } from '../../../store/files/json-file.ts';
import { writeWholeFile } from '../../../store/files/whole-file.ts';
import type { HookFolders } from '../form/folders.ts';

const schema = once(() => z.object({ atMs: z.number() }));

/** When the latest pass ended, wall clock milliseconds; null when none did. Never throws. */
export const latestPassMs = (folders: HookFolders): number | null => {
  const file = readJsonFile(folders.latestPass);
  const parsed = schema().safeParse(file.kind === 'value' ? file.value : null);
  return parsed.success ? parsed.data.atMs : null;
};

/** Notes that a pass has ended. Throws the file system's error. */
export const notePass = (folders: HookFolders, atMs: number): void =>
  writeWholeFile(folders.latestPass, `${JSON.stringify({ atMs })}\n`);
