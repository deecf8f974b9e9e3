import { dossiers } from '../../app/agents/dossiers.ts';
import type { JobId } from '../../app/model/job.ts';
import type { VetoContext } from '../../app/judge/veto-rule.ts';
import { vetoesOfProcess } from '../../app/judge/vetoes/vetoes-of.ts';
import type { Veto, VetoCode } from '../../app/judge/verdict.ts';
import { isSameLivingProcess } from '../../app/process/row.ts';
import { startedAtMs } from '../../app/process/table.ts';
import { redactCommand } from '../../app/format/secrets/redact.ts';
import { commandText } from '../../app/text/left-open.ts';
import { reachSaid } from '../../app/text/reach.ts';
import { say } from '../../app/text/say.ts';
import type { Look } from '../observing/look.ts';
import type { OwnServiceEnd, RunningAgent } from '../../app/model/running-agent.ts';
import type { VetoSubject } from '../observing/observer.ts';
import type { ProcessSource } from '../os/processes/source.ts';
import { holdProgram } from '../os/running-program.ts';
import { clientEnvironment } from './own-command.ts';
import { seeTwice, type SeenTwice } from './two-looks.ts';
import { type OwnEndable, ownEndIntent, runCommand } from './by-own-command.ts';

/** The rule by which a service of an agent is ended, in records. */
const serviceRule = 'agent-service';

export type EndableService = RunningAgent & { readonly ownEnd: OwnServiceEnd };

export interface ServiceTools {
  readonly source: Pick<ProcessSource, 'read' | 'facts'>;
  readonly home: string;
  /** What the vetoes must know besides the processes. */
  readonly observer: { readonly vetoContext: (service: VetoSubject, look: Look) => VetoContext };
}

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

/** Returns the service that is asked for, where its agent has a command to end it. */
export const serviceIn = (
  { agents }: Pick<Look, 'agents'>,
  isAsked: (seen: RunningAgent) => boolean,
): EndableService | null => {
  const found = agents?.find((seen) => seen.ownEnd !== null && isAsked(seen));
  return found === undefined || found.ownEnd === null ? null : { ...found, ownEnd: found.ownEnd };
};

const vetoOf = (
  { source, observer }: ServiceTools,
  look: Look,
  { agent, ownEnd, parts }: EndableService,
): Veto | null => {
  const rows = [ownEnd.target, ...parts.filter(({ pid }) => pid !== ownEnd.target.pid)];
  const facts = source.facts(rows);
  const members = rows.map((row) => ({ row, by: ['tree' as const] }));
  const context = observer.vetoContext({ id: ownEnd.id, agent, members }, look);
  const found = rows.flatMap((row) => {
    const role = { isRoot: row.pid === ownEnd.target.pid, descendsFromRoot: false, toolShell: null };
    return vetoesOfProcess(row, facts.get(row.pid) ?? null, role, context);
  });
  return found.find(({ code }) => !ofServices.has(code)) ?? null;
};

/** Time in which agents ended, with some to spare, milliseconds. */
const defaultPatienceMs = 30_000;

/** Variables by which programs find their files, of the service itself. */
const places = ['HOME', 'TMPDIR', 'XDG_RUNTIME_DIR', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME'];

/** By the very program that the service runs, in the service's own folders. */
const endableOf = (
  { agent, reach, session, project, ownEnd }: EndableService,
  { table }: Look,
  home: string,
  patienceMs: number,
): OwnEndable => {
  const { target, command } = ownEnd;
  return {
    shown: command,
    intent: (decidedBy, ending) =>
      ownEndIntent(
        {
          job: ownEnd.id,
          agent,
          rule: serviceRule,
          command: redactCommand(commandText(command)),
          project,
          session,
          owner: 'unknown',
          decidedBy,
          evidence: [
            reachSaid(reach),
            say('ended by its agent’s own command: {command}', { command: commandText(command) }),
          ],
          startedAtMs: startedAtMs(table, target.startTicks),
          rows: [target],
        },
        { signal: 'TERM', patienceMs },
        table,
        ending,
      ),
    run: async (ending, intent) => {
      const form = dossiers[agent].service;
      const names = [...places, ...(form === 'none' ? [] : form.environment)];
      const program = holdProgram(target, names, () => isSameLivingProcess(ending.source.read(target.pid), target));
      if ('why' in program) return { kind: 'no-command', why: program.why };
      try {
        const { HOME: _home, ...client } = clientEnvironment(home);
        const [calledAs, ...words] = command;
        const end = {
          command: [...program.command, ...words],
          calledAs,
          environment: { ...client, ...program.environment },
          refused: null,
          signal: 'TERM',
          patienceMs,
          commandMs: patienceMs,
        } as const;
        return await runCommand(ending, intent, end, [target], command);
      } finally {
        program.close();
      }
    },
  };
};

/**
 * Confirms over two looks that this is a service which its agent's own command ends, and that
 * nothing protects it.
 * @param patienceMs how long the command and the end may take
 */
export const confirmService = async (
  id: JobId,
  tools: ServiceTools,
  lookNow: () => Look | null,
  patienceMs = defaultPatienceMs,
): Promise<SeenTwice<OwnEndable>> => {
  const seen = await seeTwice<EndableService>(() => {
    const look = lookNow();
    const service = look === null ? null : serviceIn(look, ({ ownEnd }) => ownEnd?.id === id);
    if (look === null || service === null) return { kind: 'not-found' };
    const { target, command } = service.ownEnd;
    const is = `${target.pid}:${target.startTicks} ${commandText(command)}`;
    return { kind: 'found', is, thing: service, look };
  });
  if (seen.kind !== 'confirmed') return seen;
  const { thing, look } = seen;
  const veto = vetoOf(tools, look, thing);
  if (veto !== null) return { kind: 'protected', veto };
  return { kind: 'confirmed', thing: endableOf(thing, look, tools.home, patienceMs), look };
};
