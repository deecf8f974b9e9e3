import { escapedMarkup } from '../../app/format/markup.ts';
import { join } from 'node:path';
import { say } from '../../app/text/say.ts';
import type { AutostartInput, AutostartPlan } from './autostart-plan.ts';
import { passArguments, passEverySeconds, writtenHere } from './autostart-plan.ts';

const label = 'dev.curfew.pass';

const string = (text: string): string => `<string>${escapedMarkup(text)}</string>`;

/**
 * Where launchd keeps a user's jobs: `gui` where the user is logged in at the screen, `user` where
 * there is only SSH (launchctl(1): then `gui` answers with 125).
 */
export type LaunchdDomain = 'gui' | 'user';

/**
 * How long launchd may take to let go of a job, milliseconds: until then `print` still finds it,
 * and `bootstrap` answers with 5 or 37 (https://github.com/kxn/codex-remote-feishu/issues/916).
 */
const usualLetGoMs = 10_000;

/**
 * Returns a LaunchAgent of the user. launchd.plist(5).
 * @param origin a comment for the file, one line without two hyphens
 */
export const launchdPlan = (
  { home, uid, program, placesEnvironment, letGoMs = usualLetGoMs }: AutostartInput,
  domain: LaunchdDomain = 'gui',
  origin = writtenHere,
): AutostartPlan => {
  const target = `${domain}/${uid}`;
  // By itself an agent is only for sessions at the screen.
  const sessions =
    domain === 'gui'
      ? ''
      : `  <key>LimitLoadToSessionType</key>
  <array>
    ${string('Aqua')}
    ${string('Background')}
  </array>
`;
  const path = join(home, 'Library/LaunchAgents', `${label}.plist`);
  const variables = Object.entries(placesEnvironment).map(
    ([name, value]) => `    <key>${escapedMarkup(name)}</key>\n    ${string(value)}`,
  );
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- ${origin} -->
<plist version="1.0">
<dict>
  <key>Label</key>
  ${string(label)}
  <key>ProgramArguments</key>
  <array>
${[...program, ...passArguments].map((argument) => `    ${string(argument)}`).join('\n')}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
${variables.join('\n')}
  </dict>
  <key>StartInterval</key>
  <integer>${passEverySeconds}</integer>
  <key>ProcessType</key>
  <string>Background</string>
  <key>LowPriorityIO</key>
  <true/>
${sessions}</dict>
</plist>
`;
  return {
    kind: 'pass',
    name: say('a LaunchAgent'),
    files: [{ path, text }],
    links: [],
    enable: [
      // Else a job that was switched off in System Settings is refused (119).
      { command: ['launchctl', 'enable', `${target}/${label}`], mayFail: true },
      // Unloads an earlier one; fails if there is none (3, 113).
      { command: ['launchctl', 'bootout', `${target}/${label}`], mayFail: true },
      // Until launchd has let go of that one.
      {
        command: ['launchctl', 'print', `${target}/${label}`],
        mayFail: true,
        again: { statuses: [0], forMs: letGoMs },
      },
      {
        command: ['launchctl', 'bootstrap', target, path],
        mayFail: false,
        again: { statuses: [5, 37], forMs: letGoMs },
      },
    ],
    // In either domain: it may have been set up at the screen and be taken away over SSH.
    disable: (['gui', 'user'] as const).map((one) => ({
      command: ['launchctl', 'bootout', `${one}/${uid}/${label}`],
      mayFail: true,
    })),
    check: ['launchctl', 'print', `${target}/${label}`],
  };
};
