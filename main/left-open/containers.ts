import {
  callSays,
  type ContainerFacts,
  containerIn,
  type ContainerMonitor,
  monitorIn,
  type PastCall,
} from '../../app/left-open/container.ts';
import type { LeftOpen } from '../../app/left-open/left-open.ts';
import type { Said } from '../../app/format/said.ts';
import { say } from '../../app/text/say.ts';
import type { AgentId, AgentSessionId } from '../../app/agents/common/agent-id.ts';
import type { Owner } from '../../app/model/job.ts';
import type { ContainerWitness } from '../../app/jobs/lineage/witness.ts';
import type { ProcessRef } from '../../app/jobs/ledger/ledger.ts';
import { asPid } from '../../app/process/identity.ts';
import { type ProcessRow, hasEnded, isSameLivingProcess } from '../../app/process/row.ts';
import { agentParts } from '../agents/dossiers.ts';
import type { Look } from '../observing/look.ts';
import { clientEnvironment, runOwnCommand } from '../ending/own-command.ts';
import { isAsFree } from '../os/running-program.ts';
import { type LeftOpenItem, type LeftOpenTools, treeOf } from './found.ts';

/** A container that runs, by its monitor. */
export interface KeptContainer extends ContainerMonitor {
  readonly row: ProcessRow;
}

/** `stop` waits 10 s between TERM and KILL unless the container says otherwise. */
const patienceMs = 30_000;
/** At most this many containers are asked about at once. */
const maxContainers = 64;

/** Containers whose monitor runs, as far as this user may ask their engine. */
export const keptContainers = ({ table }: Look): readonly KeptContainer[] =>
  [...table.rows.values()]
    .flatMap((row) => {
      if (row.kernelThread || hasEnded(row)) return [];
      const monitor = monitorIn(row.argv);
      // First: the rest reads several files, and of 2,000 processes that took 120 ms each look.
      if (monitor === null) return [];
      // Another user's storage is not ours to ask for; Docker's monitors are root's. Podman is the
      // program that its monitor names, and any process can name one.
      const isAsked = monitor.engine === 'docker' || (row.uid === table.uid && isAsFree(row, ['mnt', 'user']));
      return isAsked ? [{ ...monitor, row }] : [];
    })
    .slice(0, maxContainers);

/** What proves whose a container is. */
interface Proof {
  readonly says: 'proved' | 'possible';
  readonly openedBy: LeftOpen['openedBy'];
  readonly agent: AgentId;
  readonly session: string | null;
  readonly project: string | null;
  readonly owner: Owner['state'];
  readonly evidence: Said;
}

/** By the past tool calls of agents. */
const provedByCall = (tools: LeftOpenTools, look: Look, facts: ContainerFacts): Proof | null => {
  const asked = {
    home: tools.home,
    uid: tools.uid,
    atMs: facts.createdMs,
    named: [facts.id, `Container ${facts.name}`],
  };
  const proofs = Object.entries(agentParts).flatMap(([agent, { pastCalls }]) =>
    pastCalls === 'none'
      ? []
      : pastCalls(asked).flatMap((call): readonly Proof[] => {
          const says = callSays(facts, call);
          return says === null ? [] : [proofIn(look, agent as AgentId, says, call)];
        }),
  );
  return proofs.find(({ says }) => says === 'proved') ?? proofs[0] ?? null;
};

/** By the server of a session that an earlier look saw attached to it, and that has ended. */
const provedByServer = ({ table }: Look, seen: ContainerWitness): Proof => {
  const { agent, session, project, owner } = seen;
  const isAlive = (one: ProcessRef): boolean => isSameLivingProcess(table.rows.get(asPid(one.pid)) ?? null, one);
  return {
    says: 'proved',
    openedBy: 'server',
    agent,
    session,
    project,
    owner: owner === null ? 'unknown' : owner === 'gone' || !isAlive(owner) ? 'gone' : 'live',
    evidence: say('a server of its session was attached to it, and has ended'),
  };
};

/** What the registries say of the session; one that is not listed is unknown. */
const ownerOf = (look: Look, agent: AgentId, call: PastCall): Owner['state'] => {
  const own = look.sessions.filter((session) => session.agent === agent && session.id === call.session);
  if (own.some(({ state }) => state === 'live')) return 'live';
  return own.length > 0 && own.every(({ state }) => state === 'gone') ? 'gone' : 'unknown';
};

const proofIn = (look: Look, agent: AgentId, says: Proof['says'], call: PastCall): Proof => ({
  says,
  openedBy: 'call',
  agent,
  session: call.session,
  project: call.project,
  owner: ownerOf(look, agent, call),
  evidence: say(
    says === 'proved'
      ? 'it was made while a tool call ran that starts containers, and the output of that call names it'
      : 'the output of a tool call names it',
  ),
});

/** A client that is attached to its monitor, or may be: a user looks at it. */
const isAttached = ({ source }: LeftOpenTools, { row }: KeptContainer): boolean => {
  const files = source.facts([row]).get(row.pid)?.openFiles ?? null;
  if (files === null || source.probing === undefined) return true;
  return source.probing.possibleClients([{ pid: row.pid, files, ports: new Set() }]).flat().length > 0;
};

const refusalOf = (tools: LeftOpenTools, kept: KeptContainer, { says, openedBy }: Proof): LeftOpen['refusal'] => {
  if (says === 'possible') return { code: 'may-belong' };
  return openedBy === 'server' && isAttached(tools, kept) ? { code: 'attached' } : null;
};

const foundOf = (
  tools: LeftOpenTools,
  look: Look,
  kept: KeptContainer,
  facts: ContainerFacts,
  proof: Proof,
  environment: Readonly<Record<string, string>>,
): readonly LeftOpenItem[] => {
  const { agent, session, project, owner, openedBy, evidence } = proof;
  // A container that a tool call of an open session started is that session's own matter.
  if (owner === 'live' && openedBy === 'call') return [];
  const [program, ...options] = kept.client;
  const refusal = refusalOf(tools, kept, proof);
  return [
    {
      leftOpen: {
        id: facts.id.slice(0, 12),
        openedBy,
        keeper: kept.engine,
        name: facts.name,
        image: facts.image,
        agent,
        session: session as AgentSessionId | null,
        project,
        owner,
        evidence,
        startedAtMs: facts.createdMs,
        kept: kept.row,
        inside: facts.pid === 0 ? [] : treeOf(look, [facts.pid]),
        refusal,
        endWith: [kept.engine, 'stop', facts.id],
      },
      end:
        refusal === null
          ? {
              command: [program, ...options, 'stop', facts.id],
              environment,
              refused: null,
              signal: 'TERM',
              patienceMs,
              commandMs: patienceMs + 5_000,
            }
          : null,
    },
  ];
};

/** The server that was seen attached to a container; null: no look saw one. */
const witnessOf = ({ containers }: Look, { row, container }: KeptContainer): ContainerWitness | null =>
  containers?.find(
    (one) => one.pid === Number(row.pid) && one.startTicks === row.startTicks && one.container === container,
  ) ?? null;

/**
 * Asks the engines about containers whose monitor runs, and returns those that a tool call of a
 * session that has ended made, or to which a server was attached that has ended. Others are the
 * user's, and not returned.
 */
export const containersLeft = async (
  tools: LeftOpenTools,
  look: Look,
  kept: readonly KeptContainer[],
): Promise<readonly LeftOpenItem[]> => {
  if (kept.length === 0 || process.geteuid?.() !== tools.uid) return [];
  const environment = clientEnvironment(tools.home);
  const all = await Promise.all(
    kept.map(async (one): Promise<readonly LeftOpenItem[]> => {
      const seen = witnessOf(look, one);
      // Its server goes on, and it with that.
      if (seen !== null && isSameLivingProcess(look.table.rows.get(asPid(seen.wrapper.pid)) ?? null, seen.wrapper))
        return [];
      const { text, problem } = await runOwnCommand({
        command: [...one.client, 'inspect', '--type', 'container', one.container],
        environment,
      });
      const facts = problem === null ? containerIn(text) : null;
      if (facts === null || facts.id !== one.container || !facts.running) return [];
      const proof = seen === null ? provedByCall(tools, look, facts) : provedByServer(look, seen);
      return proof === null ? [] : foundOf(tools, look, one, facts, proof, environment);
    }),
  );
  return all.flat();
};
