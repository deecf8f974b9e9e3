import { join } from 'node:path';
import type { AutostartInput, AutostartPlan } from './autostart-plan.ts';
import { passArguments, passEverySeconds, writtenHere } from './autostart-plan.ts';

const label = 'dev.curfew.pass';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const string = (text: string): string => `<string>${escaped(text)}</string>`;

/**
 * Returns a LaunchAgent of the user. launchd.plist(5).
 * @param origin a comment for the file, one line without two hyphens
 */
export const launchdPlan = (
  { home, uid, program, placesEnvironment }: AutostartInput,
  origin = writtenHere,
): AutostartPlan => {
  const path = join(home, 'Library/LaunchAgents', `${label}.plist`);
  const variables = Object.entries(placesEnvironment).map(
    ([name, value]) => `    <key>${escaped(name)}</key>\n    ${string(value)}`,
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
</dict>
</plist>
`;
  return {
    kind: 'pass',
    name: 'a LaunchAgent',
    files: [{ path, text }],
    links: [],
    enable: [
      // Unloads an earlier one; fails if there is none.
      { command: ['launchctl', 'bootout', `gui/${uid}/${label}`], mayFail: true },
      { command: ['launchctl', 'bootstrap', `gui/${uid}`, path], mayFail: false },
    ],
    disable: [{ command: ['launchctl', 'bootout', `gui/${uid}/${label}`], mayFail: true }],
    check: ['launchctl', 'print', `gui/${uid}/${label}`],
  };
};
