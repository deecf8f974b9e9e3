import { agentView, leftOpenView } from '../../../app/documents/agents.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { jobView } from '../../../app/documents/job.ts';
import { scanDocument } from '../../../app/documents/scan.ts';
import type { Ends } from '../../../app/text/scan-verdict.ts';
import { jsonText } from '../../../app/format/json.ts';
import { messageOf } from '../../../app/format/error-message.ts';
import { visibleLines } from '../../../app/format/visible.ts';
import type { JudgedJob, Look } from '../../observing/look.ts';
import type { AgentSession } from '../../../app/model/session.ts';
import type { SessionServers } from '../../../app/contract/views/scan.ts';
import type { SessionCosts } from '../../../app/contract/views/session-costs.ts';
import { sessionCostsOfScan } from '../../observing/session-costs.ts';
import { asPid } from '../../../app/process/identity.ts';
import { isSameLivingProcess } from '../../../app/process/row.ts';
import { supervisorOf } from '../../store/supervisor-lock.ts';
import { noCeilings } from '../../../app/diagnose/ceilings.ts';
import type { PileUp } from '../../../app/diagnose/whole-machine.ts';
import { localHost } from '../../../app/remote/host-list.ts';
import type { Hosts } from '../../remote/hosts.ts';
import { type Engine, withEngine } from '../../engine/engine.ts';
import type { LeftOpenItem } from '../../left-open/found.ts';
import { shortages, wholeMachineProblems } from '../../observing/whole-machine.ts';
import { completeHere } from '../../reaping/recovery.ts';
import { leftOpenOf } from '../../left-open/survey.ts';
import { type ExitStatus, exitStatus } from '../common/exit-status.ts';
import { isShownAlways } from '../../../app/judge/shown.ts';
import { worstFirst } from '../../../app/judge/worst-first.ts';
import { keepsNothing } from '../common/keeps-nothing.ts';
import { withHost } from '../common/with-host.ts';
import type { Output } from '../common/output.ts';
import { scanTable } from '../common/scan-table.ts';

/** Options of `curfew scan`, checked. */
export interface ScanOptions {
  readonly json: boolean;
  readonly explain: boolean;
  readonly all: boolean;
  readonly uid: number | null;
  /** Another machine; null: this one. */
  readonly host: string | null;
  /** It is one of many: each document is one line. */
  readonly streams?: true;
}

/**
 * Between two looks that tell a server that works from one that waits, milliseconds: programs that
 * write now and then do so every second. Once for a server, the ledger remembers the first look.
 */
const betweenLooksMs = 1500;

/** Whether a server is left of which it is not known yet whether it works: that takes two looks. */
const isUnmeasured = ({ job, entry }: JudgedJob): boolean =>
  job.server?.standing === 'abandoned' && (entry.server?.looks ?? 0) < 2;

/** The servers of one session; null where they are not counted. */
const serversIn = (costs: SessionCosts | null, { agent, id, pid }: AgentSession): SessionServers | null => {
  const cost = costs?.sessions.find((one) => one.agent === agent && one.id === id && one.pid === pid);
  if (cost === undefined) return null;
  return { count: cost.servers, rssBytes: cost.serverMemory.rssBytes, mostCopies: cost.mostCopies };
};

/**
 * Returns the document of a scan. Protected jobs, and servers of sessions that are never ended by
 * themselves, are left out unless all are requested.
 */
export const documentOf = (
  look: Look,
  mode: 'enforce' | 'observe' | null,
  all: boolean,
  host: string = localHost,
  leftOpen: readonly LeftOpenItem[] = [],
  costs: SessionCosts | null = null,
): ReturnType<typeof scanDocument> =>
  scanDocument({
    host,
    atMs: look.table.takenAtMs,
    mode,
    processes: look.table.rows.size,
    tookMs: Math.round(look.tookMs * 100) / 100,
    sessions: look.sessions,
    serversOf: (session) => serversIn(costs, session),
    jobs: worstFirst(look.jobs.values())
      .filter((judged) => all || isShownAlways(judged))
      .map((judged) => jobView({ ...judged, table: look.table })),
    leftOpen: leftOpen.map((found) => leftOpenView(found.leftOpen)),
    agents: (look.agents ?? []).map((seen) => agentView(seen, look.table)),
  });

/** What ends a due job here: only where a supervisor does, an end may be announced. */
export const endsHere = ({ places, source, pause: paused, settings }: Engine): Ends => {
  try {
    const holder = supervisorOf(places.lock, (one) => isSameLivingProcess(source.read(asPid(one.pid)), one));
    if (holder === 'unknown') return 'unknown';
    if (holder?.mode === 'enforce') return paused.until === null ? 'supervisor' : 'observe';
    return holder === null && settings().mode === 'enforce' ? 'no-supervisor' : 'observe';
  } catch {
    // A lock that can't be read promises nothing.
    return 'unknown';
  }
};

/** The text of a look: one document, or a table for people. */
const textOf = (
  engine: Engine,
  look: Look,
  options: ScanOptions,
  output: Output,
  leftOpen: readonly LeftOpenItem[] = [],
): string => {
  // Which process holds the other end of a channel can only be told on this machine.
  const costs = options.host === null ? sessionCostsOfScan(look, engine.source) : null;
  const { mode } = engine.settings();
  if (options.json)
    return jsonLine(documentOf(look, mode, options.all, options.host ?? localHost, leftOpen, costs), options, output);
  const ends = options.host === null ? endsHere(engine) : 'unknown';
  return scanTable(look, output, { ...options, ends, piled: piledOn(look, options) }, leftOpen, costs);
};

/** What is asked of another machine tells nothing of its limits and folders. */
const piledOn = (look: Look, { host, explain }: Pick<ScanOptions, 'host' | 'explain'>): readonly PileUp[] => {
  if (host !== null) return wholeMachineProblems(look, { ceilings: noCeilings, temporaryFolders: [] });
  return explain ? wholeMachineProblems(look) : shortages(look);
};

/** On a terminal over several lines, unless it is one of many. */
const jsonLine = (document: unknown, { streams }: ScanOptions, output: Output): string =>
  `${jsonText(document, output.isTerminal && streams !== true ? 2 : 0)}\n`;

/** The look to show: the second, where one look can't tell what a server does. */
export const settledLook = async (look: () => Look | Promise<Look>): Promise<Look> => {
  const first = await look();
  if (![...first.jobs.values()].some(isUnmeasured)) return first;
  await pause(betweenLooksMs);
  return look();
};

/** Scans this machine; what to print. */
export const scannedHere = async (engine: Engine, options: ScanOptions, output: Output): Promise<string> => {
  await engine.source.refresh?.();
  const look = await settledLook(() => engine.observer.look());
  try {
    completeHere(engine, look.table);
  } catch (error) {
    engine.log.error('a record could not be completed', { problem: messageOf(error) });
  }
  return textOf(engine, look, options, output, await leftOpenOf(engine, look));
};

/** Scans another machine by its own Curfew, else over ssh. Throws HostFailure, InstalledRefusal. */
export const scannedElsewhere = async (
  engine: Engine,
  { hosts, host }: { readonly hosts: Hosts; readonly host: string },
  options: ScanOptions,
  output: Output,
): Promise<string> => {
  const remote = hosts.open(host);
  const installed = await hosts.installed(host);
  const flags = [...(options.all ? ['--all'] : []), ...(options.explain ? ['--explain'] : [])];
  if (installed === null) return textOf(engine, await settledLook(() => remote.look()), options, output);
  if (options.json) return jsonLine(await installed.scan(flags), options, output);
  return visibleLines(await installed.text(['scan', ...flags]));
};

/** `curfew scan`: scans once and prints the result. Signals nothing. */
export const scan = async (options: ScanOptions, output: Output): Promise<ExitStatus> => {
  return withEngine(
    {
      uid: options.uid,
      warn: output.warn,
      onlyLooks: options.host === null,
      allServers: options.all,
      showsDetached: options.all && options.host === null,
      keepsNothing: (places) => keepsNothing(import.meta.filename, places),
    },
    async (engine) => {
      const { host } = options;
      const text =
        host === null
          ? await scannedHere(engine, options, output)
          : await withHost(engine, host, { allServers: options.all }, (_, hosts) =>
              scannedElsewhere(engine, { hosts, host }, options, output),
            );
      await output.write(text);
      return exitStatus.done;
    },
  );
};
