import { visibleLines } from '../../../../app/format/visible.ts';
import { endConfirmed, type PassMachine, unrecordable } from '../../../ending/end.ts';
import { thisMachine } from '../../../ending/this-machine.ts';
import { type Engine, withEngine } from '../../../engine/engine.ts';
import type { InstalledCurfew } from '../../../remote/installed-curfew.ts';
import { type ExitStatus, exitStatus, NotDone, WrongCall } from '../../common/exit-status.ts';
import type { Output } from '../../common/output.ts';
import { withHost } from '../../common/with-host.ts';
import { reapService, serviceToReap } from './reap-own.ts';
import {
  agreedOn,
  byHand,
  confirmAgent,
  confirmDue,
  type Confirmed,
  notDone,
  orderOf,
  type ReapOptions,
  termsOf,
} from './reap-selection.ts';
import { printDryRun, printReaped, tellReaping, tellWaiting } from './reap-words.ts';

const argumentsOf = (options: ReapOptions): readonly string[] => [
  ...(options.dryRun ? ['--dry-run'] : []),
  ...(options.maxAgeSeconds === null ? [] : [`--max-age=${options.maxAgeSeconds}s`]),
  ...options.jobs.map((job) => `--job=${job}`),
  ...(options.session === null ? [] : [`--session=${options.session}`]),
  ...(options.snapshot === null ? [] : [`--snapshot=${options.snapshot}`]),
  ...(options.probable ? ['--probable'] : []),
  ...(options.yes ? ['--yes'] : []),
  ...options.kinds.map((kind) => `--kind=${kind}`),
  ...(options.graceSeconds === null ? [] : [`--grace=${options.graceSeconds}s`]),
  ...(options.signal === null ? [] : [`--signal=${options.signal}`]),
];

/** Through the Curfew that is installed over there. */
const reapThrough = async (
  host: string,
  installed: InstalledCurfew,
  engine: Engine,
  options: ReapOptions,
  output: Output,
): Promise<ExitStatus> => {
  const args = argumentsOf(options);
  if (options.dryRun && !options.json) {
    await output.write(visibleLines(await installed.text(['reap', ...args])));
    return exitStatus.done;
  }
  const refusal = options.dryRun ? null : unrecordable(engine);
  if (refusal !== null) throw notDone(refusal);
  const told = options.dryRun ? () => undefined : tellWaiting(host, output);
  const incidents = await installed.reap(args, engine).finally(told);
  return printReaped({ incidents, failed: [], left: [] }, options, output);
};

/** What a pass ends, once two looks found it: with the user's yes where that is needed. */
const reapConfirmed = async (
  engine: Engine,
  machine: PassMachine,
  confirmed: Confirmed,
  options: ReapOptions,
  output: Output,
): Promise<ExitStatus> => {
  const { look } = confirmed;
  const { due, left } = await agreedOn(look, confirmed.due, options, output);
  if (options.dryRun) {
    await printDryRun(engine, look, { due, left }, options, output);
    return exitStatus.done;
  }
  const told = tellReaping(machine.reaper, due, output);
  const came = await endConfirmed(machine, { look, due }, orderOf(engine.settings(), options)).finally(told);
  if (came.kind === 'unrecordable') throw notDone(came);
  return printReaped({ ...came, left }, options, output);
};

/** A pass on another machine. Throws NotDone when it is out of reach. */
const reapElsewhere = (engine: Engine, host: string, options: ReapOptions, output: Output): Promise<ExitStatus> =>
  withHost(engine, host, { terms: termsOf(options) }, async (remote, hosts) => {
    const installed = await hosts.installed(host);
    if (installed !== null) return reapThrough(host, installed, engine, options, output);
    const confirmed = await confirmDue(() => remote.look(), options);
    return reapConfirmed(engine, hosts.machine(host, engine.journalProblem), confirmed, options, output);
  });

/** An agent is ended by itself, and only where its input and output can be looked into. */
const requireAlone = (options: ReapOptions): void => {
  if (options.host !== null) throw new WrongCall('--agent-pid works on this machine only');
  if (byHand({ ...options, agentPid: null }) || options.maxAgeSeconds !== null)
    throw new WrongCall('--agent-pid stands alone: without --job, --session, --snapshot and --max-age');
};

/** A pass on this machine: two sightings, the order of the user, the ends. */
export const reapHere = async (engine: Engine, options: ReapOptions, output: Output): Promise<ExitStatus> => {
  const { agentPid } = options;
  const confirmed =
    agentPid === null ? await confirmDue(() => engine.observer.look(), options) : await confirmAgent(engine, agentPid);
  return reapConfirmed(engine, thisMachine(engine), confirmed, options, output);
};

/** `curfew reap`: one pass of reaping, two sightings included. */
export const reap = (options: ReapOptions, output: Output): Promise<ExitStatus> =>
  // Calling it is the decision; the mode is about what happens by itself.
  withEngine({ uid: options.uid, warn: output.warn, mode: 'enforce', terms: termsOf(options) }, async (engine) => {
    if (!byHand(options) && !options.dryRun && engine.trust.unproved !== null)
      throw new NotDone(`${engine.trust.unproved} Name jobs with --job to end them.`);
    if (!byHand(options) && !options.dryRun && engine.settingsForceObserve())
      throw new NotDone(
        'the settings could not be understood, so it is not known what you want spared; correct them, or name jobs with --job',
      );
    if (options.agentPid !== null) requireAlone(options);
    if (options.host !== null) return reapElsewhere(engine, options.host, options, output);
    const service = options.agentPid === null ? null : serviceToReap(engine, options.agentPid);
    return service === null ? reapHere(engine, options, output) : reapService(engine, service, options, output);
  });
