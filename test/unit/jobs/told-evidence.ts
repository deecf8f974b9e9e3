import type { AgentId } from '../../../app/agents/common/agent-id.ts';
import { asAgentSessionId } from '../../../app/agents/common/agent-id.ts';
import type { Claim } from '../../../app/agents/common/claim.ts';
import type { Evidence, Surroundings } from '../../../app/jobs/lineage/evidence.ts';
import type { ControlGroups } from '../../../app/process/facts.ts';
import { asPid } from '../../../app/process/identity.ts';

/** What a test says of one process beyond its row; the rest is a stranger's. */
export interface Told {
  readonly claims?: readonly Claim[];
  readonly program?: AgentId;
  readonly isUserProgram?: boolean;
  readonly opensPrograms?: boolean;
  readonly surroundings?: Partial<Surroundings>;
  readonly hosts?: readonly number[];
  readonly rule?: string;
  readonly output?: string;
  readonly groups?: ControlGroups;
  /** See `Evidence.mayBeRelinked`. */
  readonly relinked?: true;
  /** This process reads its output, by a pipe that it opened itself unless it was handed it. */
  readonly readBy?: number;
  readonly handed?: true;
  /** The harness of this agent started it. */
  readonly serverOf?: AgentId;
}

/** Evidence that says what a test tells it by pid, for parts that are tried without signatures. */
export const toldEvidence = (
  told: Readonly<Record<number, Told>>,
  toolShells: 'child-session' | 'child' | 'none' = 'none',
): Evidence => ({
  claims: ({ pid }) => told[pid]?.claims ?? [],
  program: ({ pid }) => told[pid]?.program ?? null,
  mayBeRelinked: ({ pid }) => told[pid]?.relinked === true,
  isUserProgram: ({ pid }) => told[pid]?.isUserProgram ?? false,
  opensPrograms: ({ pid }) => told[pid]?.opensPrograms ?? false,
  surroundings: ({ pid }) => ({ terminal: [], onTerminal: false, unit: null, ...told[pid]?.surroundings }),
  hosts: ({ pid }) => (told[pid]?.hosts ?? []).map(asPid),
  output: ({ pid }) => {
    const path = told[pid]?.output;
    return path === undefined
      ? null
      : { agent: 'claude-code', path, match: { session: null, task: null, projectSlug: null } };
  },
  rules:
    () =>
    ({ pid }) =>
      told[pid]?.rule ?? null,
  channels: () => ({
    of: (pid) =>
      told[pid]?.readBy === undefined
        ? null
        : {
            standard: [
              { kind: 'null', far: 'unknown' },
              { kind: 'pipe', far: 'open' },
              { kind: 'null', far: 'unknown' },
            ],
            held: [{ fd: 1, kind: 'pipe', end: `${pid} write`, otherEnd: `${pid} read`, far: 'open' }],
            listens: [],
            complete: true,
          },
    ends: (pid) => new Set(Object.entries(told).flatMap(([by, { readBy }]) => (readBy === pid ? [`${by} read`] : []))),
    ownEnds: (pid) =>
      new Set(
        Object.entries(told).flatMap(([by, { readBy, handed }]) =>
          readBy === pid && handed === undefined ? [`${by} read`] : [],
        ),
      ),
  }),
  controlGroups: ({ pid }) => told[pid]?.groups ?? null,
  serverMarks: ({ pid }) => {
    const agent = told[pid]?.serverOf;
    const rule = `${agent}-server`;
    return agent === undefined
      ? []
      : [{ agent, mark: { rule, role: 'server', ownerPid: null, session: null, project: null } }];
  },
  signature: (agent) => ({
    toolShells,
    plainCalls: 'none',
    ...(agent === 'claude-code' ? { callGroup: { name: 'claude-code-bash', controller: 'memory' } } : {}),
  }),
});

/** The claim of a tool call's environment; names nothing where nothing is said. */
export const toolMark = (agent: AgentId, names: { readonly session?: string; readonly pid?: number } = {}): Claim => ({
  agent,
  shell: null,
  marker: {
    kind: 'tool',
    rule: `${agent}-env`,
    session: names.session === undefined ? null : asAgentSessionId(names.session),
    ownerPid: names.pid === undefined ? null : asPid(names.pid),
    project: null,
  },
});

/** The same, of a process whose argv is a tool shell of that agent too. */
export const toolShell = (agent: AgentId, names: { readonly session?: string; readonly pid?: number } = {}): Claim => ({
  ...toolMark(agent, names),
  shell: { rule: `${agent}-shell`, command: 'sleep 9', project: null },
});

/**
 * A mark that proves less: `bare` is a name that any process can set, `harness` is of the agent's
 * own parts.
 */
export const weakMark = (agent: AgentId, kind: 'bare' | 'harness'): Claim => ({
  agent,
  shell: null,
  marker: { kind, rule: `${agent}-${kind}` },
});
