import { pidValue } from '../../agents/common/marker-value.ts';
import type { MarkerEnvironment } from '../../process/facts.ts';
import type { Pid } from '../../process/identity.ts';

const first = (environment: MarkerEnvironment, name: string, form: RegExp): Pid | null =>
  pidValue({ [name]: form.exec(environment[name] ?? '')?.[1] ?? '' }, name);

/**
 * The multiplexers and terminals in which a process was started, by the pids that they put into the
 * environment of everything in them: `TMUX=<socket>,<pid of the server>,<session>` (tmux(1)),
 * `STY=<pid>.<name>` (screen(1)), `KITTY_PID` (kitty's documentation, Glossary). Others name no
 * process. Other processes may have the pids by now: the caller compares what they are.
 */
export const hostsOf = (environment: MarkerEnvironment): readonly Pid[] =>
  [
    first(environment, 'TMUX', /,(\d+),\d*$/),
    first(environment, 'STY', /^(\d+)\./),
    pidValue(environment, 'KITTY_PID'),
  ].filter((pid) => pid !== null);
