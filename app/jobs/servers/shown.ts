import type { ChannelRound } from '../../process/channels.ts';
import { isCrashHandler, isDrivenBrowser } from './driven-browser.ts';
import { ownerOfServer, type ServerOwnerInput } from './server-owner.ts';
import type { Suspect, SuspectsInput } from './suspects.ts';
import type { Shape, UnitInput } from './unit.ts';

/** A suspect with what its own ends say. */
export interface Looked {
  readonly suspect: Suspect;
  readonly shape: Shape;
  readonly apart: boolean;
}

export type World = ServerOwnerInput & SuspectsInput & UnitInput;

const isShared = ({ marks, witness }: Suspect): boolean =>
  witness === null && marks.some(({ mark }) => mark.role === 'shared');

/** Its marks or an earlier look call it a server. */
export const isTelling = ({ marks, witness }: Suspect): boolean =>
  (witness !== null && !witness.inner) || marks.some(({ mark }) => mark.role === 'server' || mark.role === 'shared');

/**
 * What carries the same marks as its agent's commands is a server only where both its standard
 * input and output are pairs of sockets, as that agent gives them to servers, and it shares the
 * agent's kernel session. All else of it is a command's, for the rules of jobs.
 */
export const isLeftToJobs = (round: ChannelRound, { suspect, shape, apart }: Looked): boolean => {
  if (!isShared(suspect)) return false;
  if (shape.kind !== 'server' || apart) return true;
  const [input, output] = round.of(suspect.row.pid)?.standard ?? [];
  return input?.kind !== 'pair' || output?.kind !== 'pair';
};

/**
 * Where no far end is told, what its marks or an earlier look call a server is shown as soon as no
 * agent is above it; what only runs a configured command, where no other living process started it.
 */
const isShownUntold = ({ suspect, shape }: Looked): boolean => {
  if (shape.kind !== 'server') return false;
  const isConfigured = suspect.marks.some(({ mark }) => mark.role === 'configured');
  return isTelling(suspect) || (isConfigured && Number(suspect.row.ppid) === 0);
};

/** Shown at all: what is left over, or may be. A process that its agent still speaks to is not. */
export const isShown = (world: World, { suspect, shape, apart }: Looked): boolean => {
  if (isCrashHandler(suspect.row)) return false;
  if (world.round.farEnds === 'untold') return isShownUntold({ suspect, shape, apart });
  if (shape.kind !== 'server') return shape.kind !== 'none';
  if (shape.input === 'closed') return true;
  return !apart && isTelling(suspect) && ownerOfServer(world, suspect).state === 'gone';
};

/** Joins a unit that its channels lead into, and makes none by itself. */
export const isAttachable = ({ suspect, shape }: Looked): boolean =>
  isCrashHandler(suspect.row) || (shape.kind !== 'browser' && isDrivenBrowser(suspect.row));

/**
 * The ends are what a server has. Where no far end is told, a part of a pipeline has the same:
 * there the agent itself must have started it, or what handed the ends on.
 */
export const isSpokenTo = ({ round, evidence }: World, { row, above }: Suspect): boolean =>
  round.farEnds !== 'untold' || (above !== null && evidence.isHeldBy?.(row, above) === true);
