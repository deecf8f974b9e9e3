import { isAbsolute, join } from 'node:path';

export interface DesktopHome {
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Returns the file of an entry: https://specifications.freedesktop.org/autostart-spec/latest/ */
export const autostartEntryFile = ({ home, environment }: DesktopHome, name: string): string => {
  const config = environment['XDG_CONFIG_HOME'];
  const folder = config !== undefined && isAbsolute(config) ? config : join(home, '.config');
  return join(folder, 'autostart', `${name}.desktop`);
};

/** Returns the tray app's own entry, of its switch "Start at login": its desktop file's name. */
export const appEntryFile = (place: DesktopHome): string => autostartEntryFile(place, 'dev.curfew.Curfew');

/** A string of the file: a line break would begin another key. */
const inFile = (text: string): string =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\r', String.raw`\r`);

/**
 * Returns one word of `Exec`, quoted, since blanks and a dozen other characters split it; `%` would
 * be a field code. The quotes' escapes are escaped once more, because the value is a string of the
 * file (https://specifications.freedesktop.org/desktop-entry-spec/latest/exec-variables.html).
 */
const execWord = (word: string): string => {
  const quoted = word.replaceAll(/["`$\\]/gu, String.raw`\$&`).replaceAll('%', '%%');
  return `"${inFile(quoted)}"`;
};

export interface DesktopEntry {
  readonly comment: string;
  readonly program: readonly [string, ...string[]];
  readonly variables: Readonly<Record<string, string>>;
}

/** Returns the text of an entry that starts a program at login. */
export const desktopEntry = ({ comment, program, variables }: DesktopEntry): string => {
  const set = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  const command = [...(set.length === 0 ? [] : ['env', ...set]), ...program];
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Curfew',
    `Comment=${comment}`,
    // Desktops skip an entry whose program is gone.
    `TryExec=${inFile(program[0])}`,
    `Exec=${command.map(execWord).join(' ')}`,
    'Terminal=false',
    'StartupNotify=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
};

/** Returns whether a desktop disabled an entry without removal: `Hidden`, and GNOME's key. */
export const isSwitchedOff = (entry: string): boolean =>
  /^(Hidden=true|X-GNOME-Autostart-enabled=false)\s*$/mu.test(entry);
