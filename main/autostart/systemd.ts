import { join } from 'node:path';
import { say } from '../../app/text/say.ts';
import type { AutostartInput, AutostartPlan } from './autostart-plan.ts';
import { passArguments, passEverySeconds, writtenHere } from './autostart-plan.ts';

/**
 * Returns one word of a unit file: `%` and `$` would be replaced, blanks and quotes split it, and a
 * line break begins another setting (systemd.syntax(7), systemd.service(5)).
 */
const unitWord = (text: string): string =>
  `"${text
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\r', String.raw`\r`)
    .replaceAll('%', '%%')}"`;
const commandWord = (text: string): string => unitWord(text).replaceAll('$', '$$$$');

/**
 * Returns a timer of the user's systemd. The first pass comes a while after login, when restored
 * agents have their processes running.
 * https://www.freedesktop.org/software/systemd/man/latest/systemd.timer.html
 * @param origin a comment for the files, one line
 */
export const systemdPlan = (
  { home, environment, program, placesEnvironment }: AutostartInput,
  origin = writtenHere,
): AutostartPlan => {
  const config = environment['XDG_CONFIG_HOME'];
  const folder = join(config?.startsWith('/') === true ? config : join(home, '.config'), 'systemd/user');
  const variables = Object.entries(placesEnvironment).map(
    ([name, value]) => `Environment=${unitWord(`${name}=${value}`)}`,
  );
  const service = [
    `# ${origin}`,
    '[Unit]',
    'Description=Curfew: one pass over what coding agents left running',
    '',
    '[Service]',
    'Type=oneshot',
    ...variables,
    `ExecStart=${[...program, ...passArguments].map(commandWord).join(' ')}`,
    // Status 1: the pass left something undone and has recorded it.
    'SuccessExitStatus=1',
    'TimeoutStartSec=300',
    'Nice=10',
    '',
  ];
  const timer = [
    `# ${origin}`,
    '[Unit]',
    'Description=Curfew: a pass every five minutes',
    '',
    '[Timer]',
    'OnStartupSec=120',
    `OnUnitActiveSec=${passEverySeconds}`,
    'AccuracySec=30',
    '',
    '[Install]',
    'WantedBy=timers.target',
    '',
  ];
  const systemctl = (...args: readonly string[]): readonly [string, ...string[]] => ['systemctl', '--user', ...args];
  return {
    kind: 'pass',
    name: say('a timer of systemd'),
    files: [
      { path: join(folder, 'curfew.service'), text: service.join('\n') },
      { path: join(folder, 'curfew.timer'), text: timer.join('\n') },
    ],
    // What `enable` creates for `WantedBy`.
    links: [join(folder, 'timers.target.wants/curfew.timer')],
    enable: [
      { command: systemctl('daemon-reload'), mayFail: false },
      { command: systemctl('enable', '--now', 'curfew.timer'), mayFail: false },
    ],
    disable: [
      { command: systemctl('disable', '--now', 'curfew.timer'), mayFail: true },
      { command: systemctl('daemon-reload'), mayFail: true },
    ],
    check: systemctl('is-enabled', '--quiet', 'curfew.timer'),
  };
};
