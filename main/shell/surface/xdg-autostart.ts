import { rmSync } from 'node:fs';
import { say } from '../../../app/text/say.ts';
import { messageOf } from '../../../app/format/error-message.ts';
import type { Answer } from '../../../app/contract/answer.ts';
import { failure } from '../../../app/contract/answer.ts';
import type { Autostart } from '../../../app/contract/app-questions.ts';
import { desktopTexts } from '../../../app/text/desktop.ts';
import { appEntryFile, desktopEntry, isSwitchedOff } from '../../autostart/desktop-entry.ts';
import { writeWholeFile } from '../../store/files/whole-file.ts';
import { readBoundedText } from '../../os/files/bounded-read.ts';

/** What the entry is written for. */
export interface XdgAutostartInput {
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly program: readonly [string, ...string[]];
  /** Variables that decide where Curfew keeps its files. */
  readonly placesEnvironment: Readonly<Record<string, string>>;
}

const words = desktopTexts.autostart;

/** Returns the text of the entry. */
export const autostartEntry = ({ program, placesEnvironment }: XdgAutostartInput): string =>
  desktopEntry({ comment: 'Ends what AI coding agents leave running', program, variables: placesEnvironment });

const read = (path: string): string | null => {
  try {
    return readBoundedText(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
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
  if (text === null) return { state: 'disabled', text: words.off };
  if (isSwitchedOff(text)) return { state: 'disabled', text: words.blocked };
  const exec = /^Exec=.*$/mu.exec(autostartEntry(input))?.[0];
  return exec !== undefined && text.split('\n').includes(exec)
    ? { state: 'enabled', text: words.writes(path) }
    : { state: 'disabled', text: words.differs(path) };
};

/**
 * Makes the desktop start the app at login, or not any more. A refusal of the file system is
 * answered in its words.
 */
export const setXdgAutostart = (input: XdgAutostartInput, enabled: boolean): Answer<Autostart> => {
  const path = appEntryFile(input);
  try {
    if (enabled) writeWholeFile(path, autostartEntry(input), 'linkable');
    else rmSync(path, { force: true });
    return { ok: true, value: xdgAutostartStatus(input) };
  } catch (error) {
    const why = messageOf(error);
    return { ok: false, failure: failure('refused', say('{path} could not be changed: {why}.', { path, why })) };
  }
};
