import { codeOf } from '../../../app/format/error-message.ts';
import { rmSync } from 'node:fs';
import { saidOf, say } from '../../../app/text/say.ts';
import { type Answer, failure } from '../../../app/contract/answer.ts';
import type { Autostart } from '../../../app/contract/app-questions.ts';
import { appEntryFile, desktopEntry, isSwitchedOff } from '../../autostart/desktop-entry.ts';
import { writeWholeFile } from '../../store/files/whole-file.ts';
import { readBoundedText } from '../../os/files/own-file.ts';

/** What the entry is written for. */
export interface XdgAutostartInput {
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly program: readonly [string, ...string[]];
  /** Variables that decide where Curfew keeps its files. */
  readonly placesEnvironment: Readonly<Record<string, string>>;
}

/** Returns the text of the entry. */
export const autostartEntry = ({ program, placesEnvironment }: XdgAutostartInput): string =>
  desktopEntry({ comment: 'Ends what AI coding agents leave running', program, variables: placesEnvironment });

const read = (path: string): string | null => {
  try {
    return readBoundedText(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
};

/**
 * Returns whether the desktop starts the app at login.
 * @throws the file system's error
 */
export const xdgAutostartStatus = (input: XdgAutostartInput): Autostart => {
  const path = appEntryFile(input);
  const text = read(path);
  if (text === null) return { state: 'disabled', text: say('Curfew doesn’t start when you log in.') };
  if (isSwitchedOff(text))
    return {
      state: 'disabled',
      text: say('It is switched off in the system’s own list of startup apps; switch it on there.'),
    };
  const exec = /^Exec=.*$/mu.exec(autostartEntry(input))?.[0];
  return exec !== undefined && text.split('\n').includes(exec)
    ? { state: 'enabled', text: say('Starting at login is set up in {path}.', { path }) }
    : {
        state: 'disabled',
        text: say('{path} starts something else, or another Curfew. Switching this on replaces it.', { path }),
      };
};

/** Makes the desktop start the app at login, or not; refusals in the file system's words. */
export const setXdgAutostart = (input: XdgAutostartInput, enabled: boolean): Answer<Autostart> => {
  const path = appEntryFile(input);
  try {
    if (enabled) writeWholeFile(path, autostartEntry(input), 'linkable');
    else rmSync(path, { force: true });
    return { ok: true, value: xdgAutostartStatus(input) };
  } catch (error) {
    const why = saidOf(error);
    return { ok: false, failure: failure('refused', say('{path} could not be changed: {why}.', { path, why })) };
  }
};
