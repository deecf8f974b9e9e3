import { worded } from '../common/words.ts';
import { homedir } from 'node:os';
import { placesHere } from '../../store/places.ts';
import { visibleText } from '../../../app/format/visible.ts';
import { readStatusLine } from '../../publishing/status-line-file.ts';
import type { ExitStatus } from '../common/exit-status.ts';
import { exitStatus } from '../common/exit-status.ts';
import type { Output } from '../common/output.ts';
import { writeJson } from '../common/output.ts';

/**
 * `curfew statusline`: prints what the supervisor noted last, in one line; nothing where nothing
 * runs, or none watches. Looks at nothing itself.
 */
export const statusline = async ({ json }: { readonly json: boolean }, output: Output): Promise<ExitStatus> => {
  const places = placesHere(homedir());
  const status = readStatusLine(places.statusLine, Date.now());
  const line = status.kind === 'line' ? status : null;
  if (json)
    await writeJson(output, {
      schema: 1,
      text: line === null ? null : visibleText(line.english),
      old: status.kind === 'old',
    });
  else if (status.kind === 'old') await output.write(`${worded('Curfew is not watching')}\n`);
  else if (line !== null) await output.write(`${visibleText(line.text)}\n`);
  return exitStatus.done;
};
