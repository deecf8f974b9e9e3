import type { CommandLauncher, Placement } from '../os/programs/command-launcher.ts';
import type { RunCgroup } from '../os/linux/control/cgroup.ts';
import type { ControllingTerminal } from '../os/linux/control/terminal.ts';
import type { Signaller } from '../os/processes/signaller.ts';
import type { ProcessSource } from '../os/processes/source.ts';
import type { EndSignals } from './ending/end-signals.ts';
import type { RunIncident } from './ending/incident.ts';
import type { EndCauseName, RunLimits, MembersNote } from './record/record.ts';
import type { RunId } from '../../app/process/run-id.ts';
import type { RunStreams } from './terminal/streams.ts';
import type { RunView } from './members/view.ts';

/** What is written down while a run lasts. None of these throws: a full disk must not keep a run from being ended. */
export interface RunNotes {
  /** The command runs. `startTicks` is null when it has ended already. */
  readonly started: (pid: number, startTicks: number | null) => void;
  readonly members: (members: MembersNote) => void;
  readonly signals: (line: unknown) => void;
}

/** Everything that one run is supervised with. */
export interface RunContext {
  readonly id: RunId;
  readonly command: readonly [string, ...string[]];
  readonly limits: RunLimits;
  readonly placement: Placement;
  readonly terminal: ControllingTerminal | null;
  readonly launcher: CommandLauncher;
  readonly source: ProcessSource;
  readonly signaller: Signaller;
  readonly cgroup: RunCgroup | null;
  readonly view: RunView;
  /** The kernel session of `curfew run`, in which the command is started unless it gets one of its own. */
  readonly ownSession: number;
  readonly streams: RunStreams;
  /** Until when the person has put the limits off, wall clock in milliseconds; null: not at all. Never throws. */
  readonly keptUntilMs: () => number | null;
  readonly notes: RunNotes;
  /** Where an end for this reason is told in the history; null for one that does not belong there. Never throws. */
  readonly incident: (cause: EndCauseName) => RunIncident | null;
  readonly signals: EndSignals;
  readonly warn: (text: string) => void;
}
