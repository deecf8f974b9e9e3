import type { MarkerEnvironment } from '../../process/facts.ts';
import type { AgentId } from './agent-id.ts';
import { type AgentDossier, type AgentNames, noRecords } from './dossier.ts';
import { isSet, sessionIdFrom } from './marker-value.ts';
import { isProgram, type ProgramSignature } from './program-name.ts';
import type { ServerForm } from './server-form.ts';
import { type AgentSignature, type MarkerMatch, noParts } from './signature.ts';
import { slugsIn } from './slug.ts';

/** A variable, and the value that it must have; without one: anything but empty. */
export type PlainMark = string | { readonly name: string; readonly value: string };

/** What an agent without a wrapper, records and hooks of its own is told by. */
export interface PlainAgent {
  readonly id: AgentId;
  readonly name: string;
  readonly names: AgentNames;
  readonly program: ProgramSignature;
  /** What only its commands carry. Left out: nothing tells them from what else it starts. */
  readonly commands?: readonly PlainMark[];
  /** What only its servers and hooks carry, where they lack what its commands carry. */
  readonly harness?: readonly PlainMark[];
  /** A mark that says that the agent was above, and not of what. */
  readonly bare?: readonly PlainMark[];
  /** What all that it starts carries, servers too; commands get kernel sessions of their own. */
  readonly everywhere?: readonly PlainMark[];
  readonly session?: string;
  readonly ownSessions?: true;
  readonly toolShells?: AgentSignature['toolShells'];
  readonly callFlags?: NonNullable<AgentSignature['callFlags']>;
  readonly callScript?: NonNullable<AgentSignature['callScript']>;
}

const nameOf = (mark: PlainMark): string => (typeof mark === 'string' ? mark : mark.name);

/**
 * Returns the dossier of an agent of which its program and its marks are known. Its session is
 * never taken for gone by a mark: that needs every process of it to have been seen, and to be dead.
 */
export const plainAgent = (agent: PlainAgent): AgentDossier => {
  const { id, names, commands = [], harness = [], bare = [], everywhere = [] } = agent;
  const rule = `${names.short}-marker`;
  const carries = (environment: MarkerEnvironment, marks: readonly PlainMark[]): boolean =>
    marks.some((mark) => (typeof mark === 'string' ? isSet(environment, mark) : environment[mark.name] === mark.value));
  const sessionIn = (environment: MarkerEnvironment) =>
    agent.session === undefined ? null : sessionIdFrom(environment[agent.session]);
  const marker = (environment: MarkerEnvironment): MarkerMatch | null => {
    if (carries(environment, commands))
      return { kind: 'tool', rule, session: sessionIn(environment), ownerPid: null, project: null };
    if (carries(environment, harness)) return { kind: 'harness', rule };
    if (carries(environment, everywhere)) return { kind: 'bare', rule, everywhere: true };
    if (!carries(environment, bare)) return null;
    return slugsIn(environment).includes(id) ? { kind: 'bare', rule, named: true } : { kind: 'bare', rule };
  };
  const servers: ServerForm = {
    rule: `${names.short}-server`,
    ...(agent.ownSessions === undefined ? {} : { ownSessions: agent.ownSessions }),
    mark: (environment) => {
      if (carries(environment, commands)) return null;
      const role = carries(environment, harness) ? 'server' : carries(environment, everywhere) ? 'shared' : null;
      if (role === null) return null;
      return {
        rule: `${names.short}-server`,
        role,
        ownerPid: null,
        session: sessionIn(environment),
        project: null,
      };
    },
  };
  return {
    signature: {
      ...noParts,
      id,
      name: agent.name,
      environmentNames: [
        ...new Set([
          ...[...commands, ...harness, ...everywhere, ...bare].map(nameOf),
          ...(agent.session === undefined ? [] : [agent.session]),
        ]),
      ],
      program: (row) => isProgram(agent.program, row),
      marker,
      toolShells: agent.toolShells ?? 'none',
      ...(agent.callFlags === undefined ? {} : { callFlags: agent.callFlags }),
      ...(agent.callScript === undefined ? {} : { callScript: agent.callScript }),
      marksCallsAlone: commands.length > 0,
    },
    names,
    ...noRecords,
    servers,
  };
};
