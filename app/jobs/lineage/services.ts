import { restartedNote } from '../../model/users-doubt.ts';
import { digest } from '../../format/digest.ts';
import { baseName } from '../../paths/path.ts';
import type { MemberFacts } from '../../process/facts.ts';
import { type ProcessRow, hasEnded } from '../../process/row.ts';
import type { Member } from '../../model/job.ts';
import { lineageOf } from './lineage.ts';
import type { TableView } from './table-view.ts';
import { anyCommand, type ServiceWitness, type Witness } from './witness.ts';

/** A command as it is compared: the same program and files, whatever paths lead there. */
const commandDigest = ({ argv }: Pick<ProcessRow, 'argv'>): string => digest(argv.map(baseName).join('\0'));

const markOf = ({ pid, startTicks }: { readonly pid: number; readonly startTicks: number }): string =>
  `${pid}:${startTicks}`;

/** Unmarked, below no agent, and of no job: now or at an earlier look. */
const isOfNoAgent = (view: TableView, row: ProcessRow): boolean => {
  const { profileOf, ledger } = view;
  const isOfJob = (one: ProcessRow): boolean => profileOf(one).claims.length > 0 || ledger.byIdentity(one) !== null;
  const { claims, program, isUserProgram } = profileOf(row);
  if (claims.length > 0 || program !== null || isUserProgram) return false;
  if (ledger.byIdentity(row) !== null || ledger.byGroup(row) !== null || ledger.bySession(row) !== null) return false;
  const { end, chain } = lineageOf(view, row);
  return end?.program == null && !chain.some(isOfJob);
};

/** The user's services that were seen in this boot, those of this look included. */
export const servicesSeen = (view: TableView & { readonly before: readonly Witness[] }): readonly ServiceWitness[] => {
  const { table, evidence, before } = view;
  const known = before.filter((one) => one.kind === 'service');
  if (evidence.listens === undefined) return known;
  const marks = new Set(known.map(markOf));
  const found: ServiceWitness[] = [...known];
  for (const row of table.rows.values()) {
    if (row.uid !== table.uid || row.kernelThread || row.pid === 1 || row.pid === table.self) continue;
    if (hasEnded(row) || marks.has(markOf(row))) continue;
    const ports = isOfNoAgent(view, row) ? evidence.listens(row) : [];
    if (ports.length > 0)
      found.push({ kind: 'service', pid: row.pid, startTicks: row.startTicks, command: commandDigest(row), ports });
  }
  return found;
};

/** Returns the member that is a user's service started again, for the ledger; null for none. */
export const restartedService = (
  members: readonly Member[],
  facts: ReadonlyMap<number, Pick<MemberFacts, 'ports'>>,
  witnesses: readonly Witness[],
): string | null => {
  for (const before of witnesses) {
    if (before.kind !== 'service') continue;
    for (const { row } of members) {
      const port = facts.get(row.pid)?.ports.find((one) => before.ports.includes(one));
      const isSame = before.command === anyCommand || before.command === commandDigest(row);
      if (port !== undefined && before.startTicks < row.startTicks && isSame) return restartedNote(row.pid, port);
    }
  }
  return null;
};
