import {
  callSays,
  type ContainerFacts,
  containerIn,
  type ContainerMonitor,
  monitorIn,
  type PastCall,
} from '../../app/left-open/container.ts';
import type { LeftOpen } from '../../app/left-open/left-open.ts';
import type { AgentId, AgentSessionId } from '../../app/agents/common/agent-id.ts';
import type { Owner } from '../../app/jobs/model/job.ts';
import type { ProcessRow } from '../../app/process/row.ts';
import { hasEnded } from '../../app/process/row.ts';
import { agentParts } from '../agents/dossiers.ts';
import type { Look } from '../observing/look.ts';
import { clientEnvironment, runOwnCommand } from '../own-end/command.ts';
import type { Found, LeftOpenTools } from './found.ts';
import { treeOf } from './inside.ts';

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
      // Another user's storage is not ours to ask for; Docker's monitors are root's.
      if (monitor === null || (monitor.engine === 'podman' && row.uid !== table.uid)) return [];
      return [{ ...monitor, row }];
    })
    .slice(0, maxContainers);

/** What a tool call of the past proves of a container. */
interface Proof {
  readonly agent: AgentId;
  readonly says: 'proved' | 'possible';
  readonly call: PastCall;
}

const proofOf = (tools: LeftOpenTools, facts: ContainerFacts): Proof | null => {
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
          return says === null ? [] : [{ agent: agent as AgentId, says, call }];
        }),
  );
  return proofs.find(({ says }) => says === 'proved') ?? proofs[0] ?? null;
};

/** What the registries say of the session; one that is not listed is unknown. */
const ownerOf = (look: Look, { agent, call }: Proof): Owner['state'] => {
  const own = look.sessions.filter((session) => session.agent === agent && session.id === call.session);
  if (own.some(({ state }) => state === 'live')) return 'live';
  return own.length > 0 && own.every(({ state }) => state === 'gone') ? 'gone' : 'unknown';
};

const foundOf = (
  look: Look,
  kept: KeptContainer,
  facts: ContainerFacts,
  proof: Proof,
  environment: Readonly<Record<string, string>>,
): readonly Found[] => {
  const owner = ownerOf(look, proof);
  // A container of a session that goes on is its own matter.
  if (owner === 'live') return [];
  const [program, ...options] = kept.client;
  const refusal: LeftOpen['refusal'] = proof.says === 'proved' ? null : { code: 'may-belong' };
  return [
    {
      leftOpen: {
        id: facts.id.slice(0, 12),
        keeper: kept.engine,
        name: facts.name,
        image: facts.image,
        agent: proof.agent,
        session: proof.call.session as AgentSessionId,
        project: proof.call.project,
        owner,
        evidence:
          proof.says === 'proved'
            ? 'it was made while a tool call ran that starts containers, and the output of that call names it'
            : 'the output of a tool call names it',
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

/**
 * Asks the engines about containers whose monitor runs, and returns those that a tool call of a
 * session that has ended made. Containers of which no transcript of an agent knows are the user's,
 * and not returned.
 */
export const containersLeft = async (
  tools: LeftOpenTools,
  look: Look,
  kept: readonly KeptContainer[],
): Promise<readonly Found[]> => {
  if (kept.length === 0 || process.geteuid?.() !== tools.uid) return [];
  const environment = clientEnvironment(tools.home);
  const all = await Promise.all(
    kept.map(async (one): Promise<readonly Found[]> => {
      const { text, problem } = await runOwnCommand({
        command: [...one.client, 'inspect', '--type', 'container', one.container],
        environment,
      });
      const facts = problem === null ? containerIn(text) : null;
      if (facts === null || facts.id !== one.container || !facts.running) return [];
      const proof = proofOf(tools, facts);
      return proof === null ? [] : foundOf(look, one, facts, proof, environment);
    }),
  );
  return all.flat();
};
