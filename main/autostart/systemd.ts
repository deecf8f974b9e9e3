import { join } from 'node:path';
import type { AutostartInput, AutostartPlan } from './autostart-plan.ts';
import { passArguments, passEverySeconds, writtenHere } from './autostart-plan.ts';

/** One word of a unit file: `%` and `$` would be replaced, and blanks and quotes split it (systemd.syntax(7), systemd.service(5)). */
const unitWord = (text: string): string =>
  `"${text
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll('%', '%%')}"`;
const commandWord = (text: string): string => unitWord(text).replaceAll('$', '$$$$');

/**
 * A timer of the person's own systemd. The first pass is a while after login, so that agents that are being restored have their
 * processes up. https://www.freedesktop.org/software/systemd/man/latest/systemd.timer.html
 * @param origin what the files say of themselves, one line
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
    // One: something was left to be done, which the pass itself has recorded.
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
    name: 'a timer of systemd',
    files: [
      { path: join(folder, 'curfew.service'), text: service.join('\n') },
      { path: join(folder, 'curfew.timer'), text: timer.join('\n') },
    ],
    // What `enable` makes, by `WantedBy`.
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
