import type { MarkerEnvironment } from '../../process/facts.ts';
import { type AgentDossier, noRecords } from '../common/dossier.ts';
import { pidValue } from '../common/marker-value.ts';
import { isProgram } from '../common/program-name.ts';
import type { ServerForm } from '../common/server-form.ts';
import { type AgentSignature, type MarkerMatch, noParts } from '../common/signature.ts';
import { type OtherAgentKey, otherAgentNames } from './names.ts';

/** Servers of lesser known agents are known only when a look saw them below the agent. */
const otherServers: ServerForm = { rule: 'other-server', mark: () => null };

/** A variable and the exact value that marks; a value of null: anything but empty. */
interface OtherMark {
  readonly name: string;
  readonly value: string | null;
}

interface OtherAgent {
  /** Part of the rule's name: `amp` makes `amp-marker`. */
  readonly key: OtherAgentKey;
  readonly marks: readonly OtherMark[];
  /** The variable that tells its own pid to all it starts; `marks` are for what has lost it. */
  readonly owner?: string;
  readonly programs: readonly string[];
  /** Parts of the path of a script or program that only its installation has. */
  readonly paths?: readonly string[];
}

/**
 * Marks that tools which look for agents agree on: https://github.com/vercel/detect-agent
 * (agents.json) and https://github.com/unjs/std-env (src/agents.ts), read November 2026; Goose also
 * in its own source (https://github.com/block/goose). Only those where a version stands were run
 * here. Left out: what an editor puts into the user's terminals as well (CURSOR_TRACE_ID,
 * TERM_PROGRAM, REPL_ID, CLAUDE_CODE_SSE_PORT) and what is a user's setting (GOOSE_PROVIDER,
 * COPILOT_MODEL).
 */
const others: readonly OtherAgent[] = [
  {
    key: 'amp',
    marks: [
      { name: 'AGENT', value: 'amp' },
      { name: 'AMP_CURRENT_THREAD_ID', value: null },
    ],
    programs: ['amp'],
  },
  {
    key: 'goose',
    marks: [
      { name: 'GOOSE_TERMINAL', value: '1' },
      { name: 'AGENT', value: 'goose' },
    ],
    programs: ['goose', 'goosed'],
  },
  // Only its commands are marked: `bash -l -c <command>` in a kernel session of its own (0.36.0,
  // observed).
  {
    key: 'augment',
    marks: [{ name: 'AUGMENT_AGENT', value: null }],
    programs: ['auggie'],
    paths: ['/@augmentcode/auggie/'],
  },
  { key: 'roo', marks: [{ name: 'ROO_ACTIVE', value: null }], programs: [] },
  // Made from opencode, and has OPENCODE=1 in its environment beside its own two.
  {
    key: 'kilo',
    marks: [{ name: 'KILOCODE_FEATURE', value: 'cli' }],
    owner: 'KILO_PID',
    programs: ['kilocode', 'kilo'],
  },
  { key: 'iflow', marks: [{ name: 'IFLOW_CLI', value: '1' }], programs: ['iflow'] },
  {
    key: 'antigravity',
    marks: [{ name: 'ANTIGRAVITY_AGENT', value: null }],
    programs: ['antigravity'],
  },
  { key: 'trae', marks: [{ name: 'TRAE_AI_SHELL_ID', value: null }], programs: [] },
  { key: 'junie', marks: [{ name: 'JUNIE_DATA', value: null }], programs: ['junie'] },
  { key: 'kiro', marks: [], programs: ['kiro-cli', 'kiro-cli-chat'] },
  // On its commands alone, which get kernel sessions of their own (0.215.0, `exec`, observed).
  { key: 'droid', marks: [{ name: 'FACTORY_EXEC_TARGET_AUTONOMY', value: null }], programs: ['droid'] },
];

/** Mostly `bare`: it names no session and no process that could be checked. */
const marker = (environment: MarkerEnvironment): MarkerMatch | null => {
  for (const { key, owner } of others) {
    const ownerPid = owner === undefined ? null : pidValue(environment, owner);
    if (ownerPid !== null) return { kind: 'tool', rule: `${key}-marker`, session: null, ownerPid, project: null };
  }
  for (const { key, marks } of others) {
    const found = marks.find(({ name, value }) => {
      const actual = environment[name] ?? '';
      return value === null ? actual !== '' : actual === value;
    });
    if (found !== undefined) return { kind: 'bare', rule: `${key}-marker`, named: true };
  }
  return null;
};

const programs = {
  names: others.flatMap((agent) => agent.programs),
  paths: others.flatMap((agent) => agent.paths ?? []),
} as const;

/** Lesser known agents together; the rule's name says which one it was. */
const otherSignature: AgentSignature = {
  ...noParts,
  id: 'other',
  name: 'Another agent',
  environmentNames: [
    ...new Set(
      others.flatMap(({ marks, owner }) => [...marks.map(({ name }) => name), ...(owner === undefined ? [] : [owner])]),
    ),
  ],
  program: (row) => isProgram(programs, row),
  marker,
};

/** The lesser known agents together; also stands for agents of the user's own rules. */
export const other: AgentDossier = {
  signature: otherSignature,
  names: {
    short: 'other',
    others: Object.entries(otherAgentNames).flatMap(([key, name]) => [key, name]),
    // Drawn for Curfew: a question.
    glyph: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM6.2 6.4A1.9 1.9 0 1 1 8 8.8M8 11.2v.1',
    containedAs: 'none',
    resume: 'none',
  },
  ...noRecords,
  servers: otherServers,
};
