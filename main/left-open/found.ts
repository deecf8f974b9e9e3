import type { LeftOpen } from '../../app/left-open/left-open.ts';
import type { Job } from '../../app/model/job.ts';
import type { VetoContext } from '../../app/judge/veto-rule.ts';
import type { Look } from '../observing/look.ts';
import type { EndByKeeper } from '../ending/own-command.ts';
import type { ProcessSource } from '../os/processes/source.ts';
import { vetoesOf } from '../../app/judge/vetoes/vetoes-of.ts';
import type { Veto } from '../../app/judge/verdict.ts';
import { asPid } from '../../app/process/identity.ts';
import { type ProcessRow, hasEnded } from '../../app/process/row.ts';
import { descendants, relationsOf } from '../../app/process/tree.ts';

/** These processes with all that hangs below them. */
export const treeOf = ({ table }: Look, pids: readonly number[]): readonly ProcessRow[] => {
  const tree = relationsOf(table.rows);
  const found = new Map<number, ProcessRow>();
  for (const pid of pids) {
    const row = table.rows.get(asPid(pid));
    if (row !== undefined) for (const one of [row, ...descendants(tree, row.pid)]) found.set(one.pid, one);
  }
  return [...found.values()].filter((row) => !hasEnded(row));
};

/**
 * Why the processes in a multiplexer's session are not to be ended; null: nothing speaks against
 * it. That they are in a multiplexer, and that a shell waits there, is what the session is; agents,
 * editors, keeps, tracers and whatever else protects a process count.
 */
export const vetoInside = (
  { source, observer }: Pick<LeftOpenTools, 'source' | 'observer'>,
  look: Look,
  job: Job,
  server: ProcessRow,
  inside: readonly ProcessRow[],
): Veto | null => {
  const rows = [server, ...inside];
  const members = rows.map((row) => ({ row, by: ['tree' as const] }));
  const facts = new Map([...job.facts, ...source.facts(rows)]);
  const held: Job = { ...job, root: server, members, facts };
  const isOfSession = ({ code, pid, figures }: Veto): boolean =>
    (code === 'multiplexer' && (pid === server.pid || figures['inside'] === server.pid)) ||
    (code === 'login-shell' && pid !== server.pid);
  return vetoesOf(held, observer.vetoContext(job, look)).find((veto) => !isOfSession(veto)) ?? null;
};

/** What is read and asked about things left open. */
export interface LeftOpenTools {
  readonly source: Pick<ProcessSource, 'facts' | 'channels' | 'read' | 'probing'>;
  /** The user that asks: the keeper of another user is never asked. */
  readonly uid: number;
  readonly home: string;
  readonly observer: { readonly vetoContext: (job: Job, look: Look) => VetoContext };
}

/** Something left open, and how it is ended where it may be. */
export interface LeftOpenItem {
  readonly leftOpen: LeftOpen;
  readonly end: EndByKeeper | null;
}
