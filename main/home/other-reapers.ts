import type { Said } from '../../app/format/said.ts';
import { say } from '../../app/text/say.ts';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessRow } from '../../app/process/row.ts';

/**
 * Programs that also end what agents leave behind, by their public names. With two at once, "what
 * ended it?" is hard to answer (anthropics/claude-code#83814), so the doctor names them.
 */
const names = ['cc-reaper', 'zclean', 'z-clean', 'proc-janitor', 'claude-catcher', 'session-reaper', 'zombi-watchdog'];

const isOne = (text: string): string | null =>
  names.find((name) => new RegExp(`(?:^|[/.])${name}(?:\\.(?:sh|js|mjs|py|plist|service|timer))?$`, 'u').test(text)) ??
  null;

const filesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch {
    // Most machines lack this folder.
    return [];
  }
};

/** Returns the other reapers that run or are set up to run, in words. */
export const otherReapers = (rows: Iterable<ProcessRow>, home: string): readonly Said[] => {
  const found = new Map<string, Said>();
  for (const row of rows) {
    for (const argument of row.argv.slice(0, 3)) {
      const name = isOne(argument);
      if (name !== null) found.set(`${name} ${row.pid}`, say('{name} runs as process {pid}', { name, pid: row.pid }));
    }
  }
  for (const folder of ['.config/systemd/user', 'Library/LaunchAgents']) {
    for (const file of filesIn(join(home, folder))) {
      const name = isOne(file);
      const path = `~/${folder}/${file}`;
      if (name !== null) found.set(`${name} ${path}`, say('{name} is set up in {file}', { name, file: path }));
    }
  }
  return [...found.values()];
};
