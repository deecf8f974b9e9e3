import type { Said } from '../../../app/format/said.ts';
import { say, SaidError } from '../../../app/text/say.ts';
import { isatty } from 'node:tty';
import { serviceOf } from '../../../app/process/service-of.ts';
import type { FirstSignalName } from '../../../app/process/signal.ts';
import type { ProcessRow } from '../../../app/process/row.ts';
import type { ProcessTable } from '../../../app/process/table.ts';
import type { ProcessTree } from '../../../app/process/tree.ts';
import { boundedBy, type Bounds, type BoundsMet } from '../../os/containment/bounds.ts';
import type { Enclosure } from '../../os/containment/service-manager.ts';
import {
  hasControllingTerminal,
  openControllingTerminal,
  type ControllingTerminal,
} from '../../os/containment/terminal.ts';
import { openLauncher } from '../../os/open-launcher.ts';
import type { CommandLauncher, Placement } from '../../os/programs/command-launcher.ts';
import type { ProcessSource } from '../../os/processes/source.ts';
import { askConsole, openJob } from '../../os/open-job.ts';
import type { InForce } from '../record/record.ts';
import { controlGroupFor, groupInForce } from './control-group.ts';
import { placementFor } from './placement.ts';
import { visibleText } from '../../../app/format/visible.ts';
import type { RunMembers } from './view.ts';
import { hasJobObjects } from '../../os/this-system.ts';

/**
 * Notices processes of a run that are not in its job object: a program asked Windows to start them
 * in the name of another (elevation, a parent of its own choice). They are ended one by one.
 */
export class JobLeavers {
  #before: ReadonlySet<string> = new Set();
  readonly #told = new Set<string>();

  /**
   * Returns a line for each that two looks in a row found outside: between the table and the list
   * of the job a process may end. None where there is no job object.
   */
  look({ members, inJob }: Pick<RunMembers, 'members' | 'inJob'>): readonly Said[] {
    if (inJob === null) return [];
    const outside = new Set<string>();
    const lines: Said[] = [];
    for (const { row } of members.values()) {
      if (inJob.has(row.pid)) continue;
      const key = `${row.pid} ${row.startTicks}`;
      outside.add(key);
      if (!this.#before.has(key) || this.#told.has(key)) continue;
      this.#told.add(key);
      lines.push(
        say(
          'process {pid} ({program}) was started outside of the job object of this run: if `curfew run` is killed, it stays',
          { pid: row.pid, program: visibleText(row.comm) },
        ),
      );
    }
    this.#before = outside;
    return lines;
  }
}

export interface Containment {
  /** The control group, or the job object of Windows; null: there is none. */
  readonly enclosure: Enclosure | null;
  readonly launcher: CommandLauncher;
  readonly terminal: ControllingTerminal | null;
  readonly placement: Placement;
  readonly inForce: Omit<InForce, 'signals'>;
  /** The systemd services that contain the run itself. */
  readonly services: readonly string[];
  readonly idsAreHeld: boolean;
  /** Signals that end the run although a terminal gave them to the command, too. */
  readonly keysEndRun: ReadonlySet<FirstSignalName>;
  /** Returns how often the kernel held the run to its bounds; null: it has none. */
  readonly met: (() => BoundsMet) | null;
  /** Start of the run in ticks; an older process is no member. */
  readonly sinceTicks: number;
  /** Asks processes to end by console; returns whether it took that. Absent: signals do it. */
  readonly ask?: typeof askConsole;
}

/** A run can't be held together on this machine, so nothing is started. */
export class NotContained extends SaidError {
  override readonly name = 'NotContained';
}

const unbounded = (reason: Said): NotContained =>
  new NotContained(say('--memory and --tasks can not be held here, so nothing was started: {reason}.', { reason }));

export interface ContainmentOrder {
  readonly id: string;
  readonly bounds: Bounds;
  readonly background: boolean;
  readonly table: ProcessTable;
  readonly tree: ProcessTree;
  readonly self: ProcessRow;
  readonly source: ProcessSource;
}

/**
 * Processes that can only be listed can't be told apart, so a run could not be ended safely.
 * @throws NotContained
 */
export const demandIdentities = (source: ProcessSource): void => {
  if (source.refresh !== null)
    throw new NotContained(
      say('Processes can only be listed here, so a run could not be ended safely. `curfew doctor` says why.'),
    );
};

const inJob = ({ background, self, bounds }: ContainmentOrder): Containment => {
  if (boundedBy(bounds).length > 0) throw unbounded(say('they are for Linux'));
  const made = openJob();
  if ('reason' in made)
    throw new NotContained(
      say('A run needs a job object of Windows, and there is none: {reason}.', { reason: made.reason }),
    );
  // Not by process.stdin: the input is the command's, and Node would open it.
  const onTerminal = !background && [0, 1, 2].some((descriptor) => isatty(descriptor));
  return {
    enclosure: made.job,
    launcher: made.launcher,
    terminal: null,
    placement: onTerminal ? 'shared' : 'session',
    inForce: {
      session: false,
      group: false,
      cookie: true,
      subreaper: false,
      cgroup: { reason: 'Windows has job objects instead' },
      job: true,
    },
    services: [],
    // What is born in the job is newer than this process. Its own start comes from the same clock.
    sinceTicks: self.startTicks + 1,
    idsAreHeld: false,
    // The console passes Ctrl-C on by itself, and what it means is the command's business.
    // Ctrl-Break and a closed window mean the end everywhere.
    keysEndRun: new Set(['QUIT', 'HUP']),
    // What shares a console with others can't be meant alone.
    ask: onTerminal ? () => false : askConsole,
    met: null,
  };
};

const inControlGroup = async ({
  id,
  background,
  table,
  tree,
  self,
  source,
  bounds,
}: ContainmentOrder): Promise<Containment> => {
  const held = await controlGroupFor(id, bounds);
  // The user asked for a bound, so nothing runs without.
  if ('reason' in held && boundedBy(bounds).length > 0) throw unbounded(held.reason);
  // From here on the launcher reaps every child of this process.
  const launcher = openLauncher();
  const terminal = background ? null : openControllingTerminal();
  const placement = placementFor({
    background,
    onTerminal: terminal !== null || (!background && hasControllingTerminal()),
    groups: launcher.groups && terminal !== null,
    alone: tree.group(self.pgid).every((row) => row.pid === self.pid),
    foreground: terminal?.ownIsForeground() === true,
  });
  const service = serviceOf(source.cgroups);
  return {
    enclosure: 'reason' in held ? null : held.cgroup,
    launcher,
    terminal,
    placement,
    inForce: {
      session: placement === 'session',
      group: placement !== 'shared',
      cookie: true,
      subreaper: launcher.subreaper,
      cgroup: groupInForce(held),
      job: false,
    },
    services: service === null ? [] : [service],
    sinceTicks: table.nowTicks,
    idsAreHeld: true,
    keysEndRun: new Set(),
    met: 'reason' in held ? null : (held.met ?? null),
  };
};

/**
 * Makes what holds a run together: a control group and a subreaper, or a job object.
 * @throws NotContained
 */
export const containmentFor = async (order: ContainmentOrder): Promise<Containment> =>
  hasJobObjects ? inJob(order) : inControlGroup(order);
