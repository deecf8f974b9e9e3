import { isAbsolute, join, win32 } from 'node:path';
import { say } from '../../app/text/say.ts';
import { commandLineOf } from '../os/programs/command-text.ts';
import type { AutostartInput, AutostartPlan } from './autostart-plan.ts';
import { passArguments, passEverySeconds, writtenHere } from './autostart-plan.ts';

/** Returns ASCII for XML, so that schtasks reads it alike in whatever code page. */
const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']|[^\t -~]/gu, (sign) => `&#x${(sign.codePointAt(0) ?? 0x20).toString(16).toUpperCase()};`);

/** A name of a task may not have these, and it is shown to people. */
const forName = (text: string): string => text.replaceAll(/[\\/:*?"<>|%\p{Cc}]/gu, '_');

/**
 * Returns the text of a file for Node's --env-file, where a value may stand in one of three kinds
 * of quotation marks. https://nodejs.org/api/environment_variables.html#dotenv
 */
export const environmentFile = (variables: Readonly<Record<string, string>>): string =>
  Object.entries(variables)
    .map(([name, value]) => {
      const mark = ["'", '"', '`'].find((one) => !value.includes(one)) ?? "'";
      return `${name}=${mark}${value}${mark}\n`;
    })
    .join('');

/** The folder of Windows' own programs; without the variable they are found on the path. */
const systemProgram = (name: string, { environment }: AutostartInput): string => {
  const root = environment['SystemRoot'];
  return root === undefined ? name : win32.join(root, 'System32', `${name}.exe`);
};

/**
 * Returns a task of the user in the Task Scheduler: a pass after each login and every five minutes,
 * with the user's own rights, while the user is logged in, on battery too.
 *
 * Only administrators may make tasks that start with the machine or at any user's login, so the
 * login is this user's. `conhost --headless` keeps a console from flashing up. What is left out of
 * the text has the value that the schema gives it.
 * https://learn.microsoft.com/windows/win32/taskschd/task-scheduler-schema
 * @param origin a description for people, one line
 */
export const taskSchedulerPlan = (input: AutostartInput, origin = writtenHere): AutostartPlan => {
  const { home, environment, program, placesEnvironment } = input;
  const local = environment['LOCALAPPDATA'];
  const folder = join(local !== undefined && isAbsolute(local) ? local : join(home, 'AppData', 'Local'), 'Curfew');
  const task = join(folder, 'autostart.xml');
  const variables = join(folder, 'autostart.env');
  const user = environment['USERNAME'] ?? '';
  const domain = environment['USERDOMAIN'] ?? '';
  const account = domain === '' ? user : `${domain}\\${user}`;
  // Tasks of all users share one folder.
  const name = `Curfew pass of ${forName(user === '' ? 'this user' : user)}`;
  const hasVariables = Object.keys(placesEnvironment).length > 0;
  const [node, ...rest] = program;
  const words = [node, ...(hasVariables ? [`--env-file=${variables}`] : []), ...rest, ...passArguments] as const;
  const who = account === '' ? '' : `\n      <UserId>${escaped(account)}</UserId>`;
  const text = `<?xml version="1.0"?>
<Task version="1.3" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>${escaped(origin)}</Description>
  </RegistrationInfo>
  <Triggers>
    <TimeTrigger>
      <Repetition>
        <Interval>PT${passEverySeconds / 60}M</Interval>
      </Repetition>
      <StartBoundary>2026-01-01T00:00:00</StartBoundary>
    </TimeTrigger>
    <LogonTrigger>${who}
      <Delay>PT2M</Delay>
    </LogonTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">${who}
      <LogonType>InteractiveToken</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <StartWhenAvailable>true</StartWhenAvailable>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>3</Count>
    </RestartOnFailure>
    <ExecutionTimeLimit>PT5M</ExecutionTimeLimit>
    <Hidden>true</Hidden>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>${escaped(systemProgram('conhost', input))}</Command>
      <Arguments>${escaped(`--headless ${commandLineOf(words)}`)}</Arguments>
    </Exec>
  </Actions>
</Task>
`;
  const schtasks = systemProgram('schtasks', input);
  return {
    kind: 'pass',
    name: say('a task of the Task Scheduler'),
    files: [
      { path: task, text },
      ...(hasVariables ? [{ path: variables, text: environmentFile(placesEnvironment) }] : []),
    ],
    links: [],
    enable: [{ command: [schtasks, '/Create', '/TN', name, '/XML', task, '/F'], mayFail: false }],
    disable: [{ command: [schtasks, '/Delete', '/TN', name, '/F'], mayFail: true }],
    check: [schtasks, '/Query', '/TN', name],
  };
};
