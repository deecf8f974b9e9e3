import { readFileSync, rmSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Answer } from '../../../app/contract/answer.ts';
import { failure } from '../../../app/contract/answer.ts';
import type { Autostart } from '../../../app/contract/app-questions.ts';
import { desktopTexts } from '../../../app/text/desktop.ts';
import { writeWholeFile } from '../../store/whole-file.ts';

/** What the entry is written for. */
export interface XdgAutostartInput {
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The program with its arguments, absolute. */
  readonly program: readonly [string, ...string[]];
  /** Variables that decide where Curfew keeps its things. */
  readonly placesEnvironment: Readonly<Record<string, string>>;
}

const words = desktopTexts.autostart;

/** Where desktops look for what to start: https://specifications.freedesktop.org/autostart-spec/latest/ */
export const autostartFile = ({ home, environment }: Pick<XdgAutostartInput, 'home' | 'environment'>): string => {
  const config = environment['XDG_CONFIG_HOME'];
  const folder = config !== undefined && isAbsolute(config) ? config : join(home, '.config');
  return join(folder, 'autostart', 'dev.curfew.Curfew.desktop');
};

/**
 * One word of `Exec`: quoted, since blanks and more than a dozen characters split it otherwise; `%` would be a field code. What is
 * escaped for the quotes is escaped once more, because the value is a string of the file
 * (https://specifications.freedesktop.org/desktop-entry-spec/latest/exec-variables.html).
 */
const execWord = (word: string): string => {
  const quoted = word.replaceAll(/["`$\\]/gu, String.raw`\$&`).replaceAll('%', '%%');
  return `"${quoted.replaceAll('\\', '\\\\')}"`;
};

/** The text of the entry. */
export const autostartEntry = ({ program, placesEnvironment }: XdgAutostartInput): string => {
  const variables = Object.entries(placesEnvironment).map(([name, value]) => `${name}=${value}`);
  const command = [...(variables.length === 0 ? [] : ['env', ...variables]), ...program];
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Curfew',
    'Comment=Ends what AI coding agents leave running',
    `Exec=${command.map(execWord).join(' ')}`,
    'Terminal=false',
    'StartupNotify=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
};

/** `Hidden` and GNOME's own key are how a desktop's list of startup programs switches an entry off without removing it. */
const switchedOff = /^(Hidden=true|X-GNOME-Autostart-enabled=false)\s*$/mu;

const read = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
};

/** Whether the desktop starts the app at login. Throws the file system's error. */
export const xdgAutostartStatus = (input: XdgAutostartInput): Autostart => {
  const path = autostartFile(input);
  const text = read(path);
  if (text === null) return { state: 'disabled', text: words.off };
  if (switchedOff.test(text)) return { state: 'disabled', text: words.blocked };
  const exec = /^Exec=.*$/mu.exec(autostartEntry(input))?.[0];
  return exec !== undefined && text.split('\n').includes(exec)
    ? { state: 'enabled', text: words.writes(path) }
    : { state: 'disabled', text: words.differs(path) };
};

/** Lets the desktop start the app at login, or not any more. What the file system refuses is answered in its words. */
export const setXdgAutostart = (input: XdgAutostartInput, enabled: boolean): Answer<Autostart> => {
  const path = autostartFile(input);
  try {
    if (enabled) writeWholeFile(path, autostartEntry(input));
    else rmSync(path, { force: true });
    return { ok: true, value: xdgAutostartStatus(input) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { ok: false, failure: failure('refused', `${path} could not be changed: ${why}.`) };
  }
};
