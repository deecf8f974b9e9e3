import { homedir } from 'node:os';
import { visibleText } from '../../../app/format/visible.ts';
import { inEnglish, say } from '../../../app/text/say.ts';
import { sayStatusLine } from '../../../app/text/status-line.ts';
import { placesEnvironment } from '../../agents/hooks/form/hook-script.ts';
import { dropMinutes, lineSeen, takeMinute } from '../../agents/status-line/looks.ts';
import { withEngine } from '../../engine/engine.ts';
import { startDetached } from '../../os/programs/detached-program.ts';
import { readStatusLine, StatusLineFile } from '../../publishing/status-line-file.ts';
import { refuseForeignHome } from '../../store/foreign-home.ts';
import { type Places, placesHere } from '../../store/places.ts';
import type { ExitStatus } from '../common/exit-status.ts';
import { exitStatus } from '../common/exit-status.ts';
import { keepsNothing } from '../common/keeps-nothing.ts';
import type { Output } from '../common/output.ts';
import { writeJson } from '../common/output.ts';
import { worded, words } from '../common/words.ts';

/**
 * Looks once and notes what a status line says, for all that ask until the next minute. Signals
 * nothing.
 */
export const lookForStatusLine = (output: Output): Promise<ExitStatus> =>
  withEngine({ uid: null, warn: output.warn, onlyLooks: true }, async (engine) => {
    await engine.source.refresh?.();
    const said = sayStatusLine(engine.observer.look().jobs.values());
    const { statusLine } = engine.places;
    const nowMs = Date.now();
    const english = { text: inEnglish(said), old: words(say('Curfew is not watching')) };
    new StatusLineFile(lineSeen(statusLine)).note(words(said), nowMs, 0, english);
    dropMinutes(statusLine, nowMs);
    return exitStatus.done;
  });

/** Starts a look that the next status line shows; at most one a minute, of all callers together. */
const startLook = (home: string, places: Places): void => {
  if (keepsNothing(import.meta.filename, places)) return;
  refuseForeignHome(home, places);
  if (!takeMinute(places.statusLine, Date.now())) return;
  const environment = { ...placesEnvironment(process.env), HOME: home, PATH: process.env['PATH'] ?? '' };
  startDetached([process.execPath, process.argv[1] ?? '', 'statusline', '--look'], environment);
};

/**
 * `curfew statusline`: prints what the supervisor noted last, in one line; where none watches, what
 * a look of the last two minutes saw. Nothing where nothing runs. Waits for no look.
 */
export const statusline = async ({ json }: { readonly json: boolean }, output: Output): Promise<ExitStatus> => {
  const home = homedir();
  const places = placesHere(home);
  const noted = readStatusLine(places.statusLine, Date.now());
  if (noted.kind === 'none') startLook(home, places);
  const seen = noted.kind === 'none' ? readStatusLine(lineSeen(places.statusLine), Date.now()) : noted;
  const line = seen.kind === 'line' ? seen : null;
  if (json)
    await writeJson(output, {
      schema: 1,
      text: line === null ? null : visibleText(line.english),
      old: noted.kind === 'old',
    });
  else if (noted.kind === 'old') await output.write(`${worded('Curfew is not watching')}\n`);
  else if (line !== null) await output.write(`${visibleText(line.text)}\n`);
  return exitStatus.done;
};
