import { formatAge } from '../format/age.ts';
import type { Said } from '../format/said.ts';
import type { Reason } from '../judge/verdict.ts';
import { localHost } from '../remote/host-list.ts';
import { agentName } from './agent-name.ts';
import { listed, say, several, sized } from './form.ts';
import { withoutFolder } from '../format/short-command.ts';
import { sayReason } from './reasons.ts';

/** Returns the command of a job behind what the user or the agent calls it. */
export const namedCommand = ({
  name,
  command,
}: {
  readonly name?: string | undefined;
  readonly command: string;
}): string => (name === undefined ? command : `${name}: ${command}`);

/** Returns the same as lists show it, without the folder of an installed program. */
export const listedCommand = ({ name, command }: Parameters<typeof namedCommand>[0]): string =>
  namedCommand({ name, command: withoutFolder(command) });

/** Whose a job is, or was: a row of a list, or its record. */
export interface Belonging {
  readonly agent: string;
  readonly rule?: string;
  readonly project: string | null;
  readonly host: string;
  readonly ageSeconds: number;
}

/** Says whose a job is, where it runs, and how old it is. */
export const sayWhose = ({ agent, rule, project, host, ageSeconds }: Belonging): Said =>
  listed(
    [
      agentName(agent, rule),
      ...(project === null ? [] : [say('in {project}', { project })]),
      ...(host === localHost ? [] : [say('on {host}', { host })]),
      say('{age} old', { age: formatAge(ageSeconds) }),
    ],
    ', ',
  );

/** Says why a job is judged so, in one line. */
export const sayWhy = (reasons: readonly Reason[]): string => reasons.map(sayReason).join('; ');

/** Says what a job consists of and holds: `3 processes, 1.1 GB, port 3000`. */
export const sayHeld = (
  processes: number,
  { rssBytes, ports }: { readonly rssBytes?: number; readonly ports: readonly number[] },
): Said =>
  listed(
    [
      several(processes, 'process'),
      ...(rssBytes === undefined ? [] : [sized(rssBytes)]),
      ...ports.map((port) => say('port {port}', { port })),
    ],
    ', ',
  );
