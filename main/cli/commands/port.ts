import { setTimeout as pause } from 'node:timers/promises';
import type { PortView } from '../../../app/contract/views/port-view.ts';
import { type FoundPort, portView } from '../../../app/documents/port.ts';
import { formatLimit } from '../../../app/format/age.ts';
import { visibleText } from '../../../app/format/visible.ts';
import { sayDevLock } from '../../../app/text/abandoned/locks.ts';
import { sayHolder, sayNoHolder } from '../../../app/text/ports.ts';
import { type Engine, withEngine } from '../../engine/engine.ts';
import { canListen } from '../../os/listening.ts';
import { readPort } from '../../ports/port-holders.ts';
import { worktreeOf } from '../../ports/worktree.ts';
import { type ExitStatus, exitStatus, NotDone, notDone } from '../common/exit-status.ts';
import { keepsNothing } from '../common/keeps-nothing.ts';
import { type Output, writeJson } from '../common/output.ts';
import { wrap } from '../common/table.ts';
import { reasonWords, spoken, worded, words } from '../common/words.ts';
import { reapHere } from './reap/reap.ts';
import { noReapOptions } from './reap/reap-selection.ts';

/** Options of `curfew port`, checked. */
export interface PortOptions {
  readonly port: number;
  readonly json: boolean;
  readonly end: boolean;
  readonly free: boolean;
  readonly timeoutSeconds: number;
}

/** Says why the job of a holder was judged so; undefined: as the document does. */
const reasonsOf = ({ holders }: FoundPort, pid: number): readonly string[] | undefined => {
  const judged = holders.find(({ row }) => row.pid === pid)?.judged;
  if (spoken() === null || judged == null) return undefined;
  return judged.verdict.reasons.map((one) => reasonWords(one, judged.job.owner.evidence));
};

const tableOf = (view: PortView, found: FoundPort, output: Output): string => {
  const width = output.columns;
  const none = sayNoHolder(view);
  const here = worktreeOf(process.cwd(), process.getuid?.() ?? 0)?.folder ?? null;
  const lines = view.holders.flatMap((holder) => {
    const { text, details } = sayHolder(view, holder, here, reasonsOf(found, holder.pid));
    return [
      ...wrap(words(text), width),
      ...details.flatMap((one) => wrap(words(one), width - 2).map((line) => `  ${line}`)),
    ];
  });
  const locks = view.locks.map(sayDevLock).flatMap((one) => wrap(words(one), width));
  const next = view.holders.some(({ job }) => job !== null)
    ? [worded('`curfew port {port} --end` ends it.', { port: view.port })]
    : [];
  return `${[...(none === null ? [] : wrap(words(none), width)), ...lines, ...locks, ...next].join('\n')}\n`;
};

/** Ends the jobs that listen, as `curfew reap --job` does. @throws NotDone where one is no job */
const endHolders = async (
  engine: Engine,
  view: PortView,
  options: PortOptions,
  output: Output,
): Promise<ExitStatus> => {
  const stranger = view.holders.find(({ job }) => job === null);
  if (stranger !== undefined)
    throw notDone(
      '{name} (process {pid}) is no job of an agent, so Curfew does not end it. `kill {pid}` does, if it is yours to end.',
      { name: visibleText(stranger.name), pid: stranger.pid },
    );
  const jobs = [...new Set(view.holders.flatMap(({ job }) => job?.id ?? []))];
  return reapHere(engine, { ...noReapOptions, json: options.json, jobs }, output);
};

const lookEveryMs = 100;

/** Waits until the port can be bound. @throws NotDone when the time is over */
const untilFree = async ({ port, timeoutSeconds }: PortOptions): Promise<void> => {
  const untilMs = performance.now() + timeoutSeconds * 1000;
  while (!(await canListen(port))) {
    if (performance.now() >= untilMs)
      throw notDone('Port {port} is still taken after {time}.', { port, time: formatLimit(timeoutSeconds) });
    await pause(lookEveryMs);
  }
};

/**
 * `curfew port N`: which process listens there, of which job and worktree, and how to start it
 * again; `--end` ends its job, `--free` waits until the port can be bound.
 * @throws NotDone where it is no job, or the time is over
 */
export const port = (options: PortOptions, output: Output): Promise<ExitStatus> =>
  withEngine(
    {
      uid: null,
      warn: output.warn,
      allServers: true,
      ...(options.end
        ? { mode: 'enforce' }
        : { onlyLooks: true, keepsNothing: (places) => keepsNothing(import.meta.filename, places) }),
    },
    async (engine) => {
      const look = engine.observer.look();
      const found = readPort(look, engine.source, options.port, process.cwd());
      const view = portView(found, look.table);
      let status: ExitStatus = exitStatus.done;
      if (options.end) {
        if (view.holders.length > 0) status = await endHolders(engine, view, options, output);
        else if (view.inUse !== false) throw new NotDone(sayNoHolder(view) ?? '');
        else await output.write(options.json ? '' : tableOf(view, found, output));
      } else if (options.json) await writeJson(output, view);
      else if (!options.free) await output.write(tableOf(view, found, output));
      if (options.free) await untilFree(options);
      return status;
    },
  );
