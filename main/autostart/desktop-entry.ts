import { isAbsolute, join } from 'node:path';

/** Where a desktop looks for what to start at login, and what that depends on. */
export interface DesktopHome {
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The file of an entry: https://specifications.freedesktop.org/autostart-spec/latest/ */
export const autostartEntryFile = ({ home, environment }: DesktopHome, name: string): string => {
  const config = environment['XDG_CONFIG_HOME'];
  const folder = config !== undefined && isAbsolute(config) ? config : join(home, '.config');
  return join(folder, 'autostart', `${name}.desktop`);
};

/** The tray app's own entry, which its switch "Start at login" writes: the name of its desktop file. */
export const appEntryFile = (place: DesktopHome): string => autostartEntryFile(place, 'dev.curfew.Curfew');

/**
 * One word of `Exec`: quoted, since blanks and more than a dozen characters split it otherwise; `%` would be a field code. What is
 * escaped for the quotes is escaped once more, because the value is a string of the file
 * (https://specifications.freedesktop.org/desktop-entry-spec/latest/exec-variables.html).
 */
const execWord = (word: string): string => {
  const quoted = word.replaceAll(/["`$\\]/gu, String.raw`\$&`).replaceAll('%', '%%');
  return `"${quoted.replaceAll('\\', '\\\\')}"`;
};

/** What an entry starts. */
export interface DesktopEntry {
  readonly comment: string;
  readonly program: readonly [string, ...string[]];
  readonly variables: Readonly<Record<string, string>>;
}

/** The text of an entry that starts a program at login. */
export const desktopEntry = ({ comment, program, variables }: DesktopEntry): string => {
  const set = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  const command = [...(set.length === 0 ? [] : ['env', ...set]), ...program];
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Curfew',
    `Comment=${comment}`,
    // Where the program was taken away, desktops pass over the entry.
    `TryExec=${program[0].replaceAll('\\', '\\\\')}`,
    `Exec=${command.map(execWord).join(' ')}`,
    'Terminal=false',
    'StartupNotify=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
};

/** True where a desktop's list of startup programs switched an entry off without removing it: `Hidden`, and GNOME's own key. */
export const isSwitchedOff = (entry: string): boolean =>
  /^(Hidden=true|X-GNOME-Autostart-enabled=false)\s*$/mu.test(entry);
