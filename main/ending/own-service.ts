import { setTimeout as pause } from 'node:timers/promises';
import { dossiers } from '../../app/agents/dossiers.ts';
import type { Decider, Incident, Intent } from '../../app/history/incident.ts';
import type { JobId } from '../../app/jobs/model/job.ts';
import type { VetoContext } from '../../app/judge/veto-rule.ts';
import { vetoesOfProcess } from '../../app/judge/vetoes/vetoes-of.ts';
import type { Veto, VetoCode } from '../../app/judge/verdict.ts';
import { isSameLivingProcess } from '../../app/process/row.ts';
import { startedAtMs } from '../../app/process/table.ts';
import { redactCommand } from '../../app/format/secrets/redact.ts';
import { commandText } from '../../app/text/left-open/left-open.ts';
import { sayReach } from '../../app/text/reach.ts';
import { say, type Sentence } from '../../app/text/said/say.ts';
import { sayVeto } from '../../app/text/vetoes.ts';
import type { AgentSighting, Look, OwnServiceEnd } from '../observing/look.ts';
import type { VetoSubject } from '../observing/observer.ts';
import type { ProcessSource } from '../os/processes/source.ts';
import { holdProgram } from '../os/running-program.ts';
import { clientEnvironment } from './own-command.ts';
import { betweenSightingsMs, endByCommand, type OwnEnding, ownEndIntent } from './by-own-command.ts';

/** The rule by which a service of an agent is ended, in records. */
const serviceRule = 'agent-service';

/** A service of an agent, which the agent's own command ends. */
export type EndableService = AgentSighting & { readonly ownEnd: OwnServiceEnd };

/** What services of agents are looked into with. */
export interface ServiceTools {
  readonly source: Pick<ProcessSource, 'read' | 'facts'>;
  readonly home: string;
  /** What the vetoes must know besides the processes. */
  readonly vetoContext: (service: VetoSubject, look: Look) => VetoContext;
}

/** What came of an order to end a service by its agent's own command. */
export type ServiceConfirmed =
  | { readonly kind: 'not-found' }
  /** It is not what it was a moment ago. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'refused'; readonly why: Sentence }
  | { readonly kind: 'confirmed'; readonly service: EndableService; readonly look: Look };

/**
 * That it is an agent, and serves terminals, is what the service is. All else that protects a
 * process from signals protects it from this command, too.
 */
const ofServices: ReadonlySet<VetoCode> = new Set([
  'agent',
  'editor',
  'terminal',
  'multiplexer',
  'login-shell',
  'shared-daemon',
] satisfies VetoCode[]);

/** Returns what services of this machine are looked into with. */
export const serviceTools = (engine: {
  readonly source: ServiceTools['source'];
  readonly home: string;
  readonly observer: { readonly vetoContext: ServiceTools['vetoContext'] };
}): ServiceTools => ({
  source: engine.source,
  home: engine.home,
  vetoContext: (service, look) => engine.observer.vetoContext(service, look),
});

/** Returns the service that is asked for, where its agent has a command to end it. */
export const serviceIn = (
  { agents }: Pick<Look, 'agents'>,
  isAsked: (seen: AgentSighting) => boolean,
): EndableService | null => {
  const found = agents?.find((seen) => seen.ownEnd !== null && isAsked(seen));
  return found === undefined || found.ownEnd === null ? null : { ...found, ownEnd: found.ownEnd };
};

const vetoOf = (
  { source, vetoContext }: ServiceTools,
  look: Look,
  { agent, ownEnd, parts }: EndableService,
): Veto | null => {
  const rows = [ownEnd.target, ...parts.filter(({ pid }) => pid !== ownEnd.target.pid)];
  const facts = source.facts(rows);
  const members = rows.map((row) => ({ row, by: ['tree' as const] }));
  const context = vetoContext({ id: ownEnd.id, agent, members }, look);
  const found = rows.flatMap((row) => {
    const role = { isRoot: row.pid === ownEnd.target.pid, descendsFromRoot: false, toolShell: null };
    return vetoesOfProcess(row, facts.get(row.pid) ?? null, role, context);
  });
  return found.find(({ code }) => !ofServices.has(code)) ?? null;
};

const isSameEnd = (one: OwnServiceEnd, other: OwnServiceEnd): boolean =>
  one.target.pid === other.target.pid &&
  one.target.startTicks === other.target.startTicks &&
  commandText(one.command) === commandText(other.command);

/**
 * Confirms over two looks, a second apart, that this is a service which its agent's own command
 * ends, and that nothing protects it.
 */
export const confirmService = async (
  id: JobId,
  tools: ServiceTools,
  lookNow: () => Look | null,
): Promise<ServiceConfirmed> => {
  const find = (look: Look | null): EndableService | null =>
    look === null ? null : serviceIn(look, ({ ownEnd }) => ownEnd?.id === id);
  const first = find(lookNow());
  if (first === null) return { kind: 'not-found' };
  await pause(betweenSightingsMs);
  const look = lookNow();
  const second = find(look);
  if (look === null || second === null) return { kind: 'not-found' };
  if (!isSameEnd(first.ownEnd, second.ownEnd)) return { kind: 'changed' };
  const veto = vetoOf(tools, look, second);
  return veto === null
    ? { kind: 'confirmed', service: second, look }
    : {
        kind: 'refused',
        why: say('Curfew does not end it: process {pid} is protected: {veto}.', { pid: veto.pid, veto: sayVeto(veto) }),
      };
};

/** Time in which agents ended, with some to spare, milliseconds. */
const defaultPatienceMs = 30_000;

/** Returns what goes on disk before the command is run, or would. */
export const intentToEndService = (
  { agent, reach, session, project, ownEnd }: EndableService,
  { table }: Look,
  decidedBy: Decider,
  ending: Pick<OwnEnding, 'now' | 'writer'>,
  patienceMs = defaultPatienceMs,
): Intent =>
  ownEndIntent(
    {
      job: ownEnd.id,
      agent,
      rule: serviceRule,
      command: redactCommand(commandText(ownEnd.command)),
      project,
      session,
      owner: 'unknown',
      ownerEvidence: sayReach(reach),
      decidedBy,
      evidence: [sayReach(reach), `ended by its agent’s own command: ${commandText(ownEnd.command)}`],
      startedAtMs: startedAtMs(table, ownEnd.target.startTicks),
      rows: [ownEnd.target],
    },
    { signal: 'TERM', patienceMs },
    table,
    ending,
  );

/** Variables by which programs find their files, of the service itself. */
const places = ['HOME', 'TMPDIR', 'XDG_RUNTIME_DIR', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME'];

/** A service that was not ended, with the reason. */
export interface ServiceKept {
  readonly kept: Sentence;
}

/**
 * Ends a service by its agent's own command, after it was confirmed: by the very program that the
 * service runs, in the service's own folders. Curfew itself signals nothing.
 * @param patienceMs how long the command and the end may take
 * @throws what the journal throws; then nothing was done
 */
export const endService = async (
  ending: OwnEnding & Pick<ServiceTools, 'home'>,
  { service, look }: Extract<ServiceConfirmed, { readonly kind: 'confirmed' }>,
  decidedBy: Decider,
  patienceMs = defaultPatienceMs,
): Promise<Incident | ServiceKept> => {
  const { agent, ownEnd } = service;
  const { target, command } = ownEnd;
  const form = dossiers[agent].service;
  const names = [...places, ...(form === 'none' ? [] : form.environment)];
  const program = holdProgram(target, names, () => isSameLivingProcess(ending.source.read(target.pid), target));
  if ('why' in program) return { kept: say('Its command was not run: {why}.', program) };
  try {
    const { HOME: _home, ...client } = clientEnvironment(ending.home);
    const [calledAs, ...words] = command;
    return await endByCommand(
      ending,
      intentToEndService(service, look, decidedBy, ending, patienceMs),
      {
        command: [...program.command, ...words],
        calledAs,
        environment: { ...client, ...program.environment },
        refused: null,
        signal: 'TERM',
        patienceMs,
        commandMs: patienceMs,
      },
      [target],
      command,
    );
  } finally {
    program.close();
  }
};
