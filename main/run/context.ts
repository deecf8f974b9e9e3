import type { Said } from '../../app/format/said.ts';
import type { Signaller } from '../os/processes/signaller.ts';
import type { ProcessSource } from '../os/processes/source.ts';
import type { EndSignals } from './ending/end-requests.ts';
import type { RunIncident } from './ending/incident.ts';
import type { EndCauseName, RunLimits, MembersNote } from './record/record.ts';
import type { RunId } from '../../app/process/identity.ts';
import type { RunStreams } from './terminal/streams.ts';
import type { Containment } from './members/containment.ts';
import type { RunView } from './members/view.ts';

/** Records a run's course. None of these throws: a full disk must not keep it from ending. */
export interface RunNotes {
  /** The command has started. `startTicks` is null if it has already ended. */
  readonly started: (pid: number, startTicks: number | null) => void;
  readonly members: (members: MembersNote) => void;
  readonly signals: (line: unknown) => void;
}

export interface RunContext extends Pick<
  Containment,
  'placement' | 'terminal' | 'launcher' | 'enclosure' | 'ask' | 'keysEndRun' | 'met'
> {
  readonly id: RunId;
  readonly command: readonly [string, ...string[]];
  readonly limits: RunLimits;
  readonly source: ProcessSource;
  readonly signaller: Signaller;
  readonly view: RunView;
  /** The kernel session of `curfew run`, in which the command starts; null: it gets its own. */
  readonly ownSession: number | null;
  readonly streams: RunStreams;
  /** Returns until when the user has put off the limits (wall clock, ms), or null. Never throws. */
  readonly keptUntilSeconds: () => number | null;
  readonly notes: RunNotes;
  /** Returns the incident for this cause, or null if it isn't recorded there. Never throws. */
  readonly incident: (cause: EndCauseName) => RunIncident | null;
  readonly signals: EndSignals;
  readonly warn: (said: Said) => void;
}
