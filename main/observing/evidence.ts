import { kept } from '../../app/format/kept.ts';
import { type UserRule, matchUserRule } from '../../app/agents/user-rules.ts';
import { terminalMarksOf } from '../../app/agents/common/terminal-marks.ts';
import { claimsOf, programOf, outputOf, serverMarksOf, signatureOf } from '../../app/agents/signatures.ts';
import type { Claim } from '../../app/agents/common/claim.ts';
import type { AgentId } from '../../app/agents/common/agent-id.ts';
import type { Evidence, OutputOrigin, Surroundings } from '../../app/jobs/lineage/evidence.ts';
import { sessionOf } from '../../app/jobs/lineage/claims.ts';
import { hostsOf } from '../../app/jobs/lineage/host.ts';
import { isDeaf } from '../../app/process/deaf.ts';
import { unitOf } from '../../app/process/systemd-unit.ts';
import { opensPrograms, userProgramOf } from '../../app/programs/classify.ts';
import type { Pid } from '../../app/process/identity.ts';
import type { ProcessRow } from '../../app/process/row.ts';
import type { ProcessSource } from '../os/processes/source.ts';

/**
 * An answer per row object. The source gives the same object for a row that didn't change, so
 * nothing is worked out twice.
 */
const perRow = <Value>(answer: (row: ProcessRow) => Value): ((row: ProcessRow) => Value) => {
  const known = new WeakMap<ProcessRow, { readonly value: Value }>();
  // Made once: one for each question, of each process at each look, took a tenth of its memory.
  const asked = (row: ProcessRow) => ({ value: answer(row) });
  return (row) => kept(known, row, asked).value;
};

/**
 * A pseudo-terminal, a virtual console or a serial line, also after it was closed.
 * https://man7.org/linux/man-pages/man4/pts.4.html
 */
export const terminalDevice = /^\/dev\/(?:pts\/\d+|tty(?:[A-Za-z]*\d+|s[0-9a-f]+)|console)$/u;

const namespaceEvidence = ({ namespaces }: ProcessSource): Partial<Evidence> =>
  namespaces === undefined
    ? {}
    : {
        controlGroups: perRow((row) => namespaces.controlGroups(row)),
        isFirstInside: perRow((row) => namespaces.isFirstInside(row)),
      };

const serverEvidence = (
  source: ProcessSource,
  configured: NonNullable<Evidence['serverMarks']>,
): Pick<Evidence, 'serverMarks' | 'channels' | 'isHeldBy'> => {
  const begin = source.channels?.bind(source);
  if (begin === undefined) return {};
  // Asked once for each process and agent, so it is not asked again at every look.
  const heldBy = new WeakMap<ProcessRow, Map<number, boolean>>();
  return {
    serverMarks: perRow((row) => {
      const marks = serverMarksOf(source.environment(row));
      return marks.length > 0 ? marks : configured(row);
    }),
    channels: begin,
    isHeldBy: (row, agent) => {
      const answers = heldBy.get(row) ?? new Map<number, boolean>();
      heldBy.set(row, answers);
      const known = answers.get(agent.pid);
      if (known !== undefined) return known;
      const round = begin();
      const ends = round.ends(agent.pid);
      const standard = round.of(row.pid)?.held.filter(({ fd }) => fd <= 1) ?? [];
      const held =
        [0, 1].every((fd) => standard.some((one) => one.fd === fd)) &&
        standard.every(({ otherEnd }) => otherEnd !== null && ends?.has(otherEnd) === true);
      answers.set(agent.pid, held);
      return held;
    },
  };
};

/** Processes that are asked at one look for the ports on which they listen: 2 ms. */
const maxAsked = 64;
/** What is asked within this time is of one look, milliseconds. */
const oneLookMs = 250;
/** What is younger, in ticks of a hundredth of a second, may begin to listen yet. */
const settledTicks = 6000;
/** The same since it was seen first, milliseconds: where nothing begins, nothing is the older. */
const settledMs = 60_000;

/** Each process is asked once, the first ones first, and again while it is young. */
const listeningEvidence = (
  { listening }: ProcessSource,
  rows: () => ReadonlyMap<Pid, ProcessRow>,
): Pick<Evidence, 'listens'> => {
  if (listening === undefined) return {};
  const known = new WeakMap<ProcessRow, readonly number[]>();
  const firstSeen = new WeakMap<ProcessRow, number>();
  let sinceMs = -Infinity;
  let left = maxAsked;
  let newest = 0;
  return {
    listens: (row) => {
      const found = known.get(row);
      if (found !== undefined) return found;
      if (performance.now() - sinceMs > oneLookMs) {
        sinceMs = performance.now();
        left = maxAsked;
        newest = [...rows().values()].reduce((latest, { startTicks }) => Math.max(latest, startTicks), 0);
      }
      const seenMs = kept(firstSeen, row, () => performance.now());
      if (left-- <= 0) return [];
      const isSettled = newest - row.startTicks > settledTicks || performance.now() - seenMs > settledMs;
      const ports = listening.ports(row, isSettled ? 'fresh' : 'kept');
      if (ports.length > 0 || isSettled) known.set(row, ports);
      return ports;
    },
  };
};

/**
 * Whether an output file proves that an agent started what holds it. Any process of the user, in a
 * sandbox too, can move a log of theirs into a session's folder, and the kernel tells the new name:
 * so what holds it carries marks of that agent itself, which no process gives to another that runs.
 */
const isOwnOutput = (source: ProcessSource, row: ProcessRow, { agent, path, match }: OutputOrigin): boolean => {
  const marks = claimsOf(row, source.environment(row)).filter((claim) => claim.agent === agent);
  const namesSession = match.session !== null && marks.some((claim) => sessionOf(claim) === match.session);
  return match.base !== undefined && marks.length > 0 && source.holdsOutput(row, path, match.base, namesSession);
};

/**
 * What the assembling of jobs looks up, from the machine and the signatures. `rules` is read once
 * for each table, so that a change counts at the next look.
 * @param configured what the settings of agents say of a process that carries no mark
 */
export const evidenceFrom = (
  source: ProcessSource,
  rules: () => readonly UserRule[],
  rows: () => ReadonlyMap<Pid, ProcessRow>,
  describe?: Evidence['describe'],
  configured: NonNullable<Evidence['serverMarks']> = () => [],
): Evidence => ({
  claims: perRow((row): readonly Claim[] => claimsOf(row, source.environment(row))),
  program: perRow((row): AgentId | null => programOf(row)),
  hidesEnvironment: (row) => source.gaps?.hidesEnvironment(row) === true,
  ...namespaceEvidence(source),
  ...(source.gaps?.sessions === 'apparent' ? { sessions: 'apparent' } : {}),
  isUserProgram: perRow((row) => userProgramOf(row, null, rows()) !== null),
  opensPrograms: perRow((row) => opensPrograms(row, rows())),
  surroundings: perRow((row): Surroundings => {
    const environment = source.environment(row);
    const facts = source.facts([row]).get(row.pid);
    const listens = facts === undefined ? [] : [...facts.ports.map(String), ...(facts.listens ?? [])];
    return {
      terminal: environment === null ? null : terminalMarksOf(environment),
      onTerminal: facts?.openFiles?.some(({ fd, target }) => fd <= 2 && terminalDevice.test(target)) ?? false,
      unit: unitOf(facts?.cgroups ?? null),
      ...(facts?.image === undefined ? {} : { image: facts.image }),
      ...(facts !== undefined && isDeaf(facts) ? { deaf: true as const } : {}),
      ...(listens.length > 0 ? { listens } : {}),
      ...(facts?.readsPipe === true ? { readsPipe: true as const } : {}),
    };
  }),
  ...listeningEvidence(source, rows),
  hosts: (row) => hostsOf(source.environment(row) ?? {}),
  glimpses: () => source.glances?.glimpses ?? [],
  ranSince: perRow(({ pid }) => source.glances?.ranSince(pid) ?? null),
  output: perRow((row): OutputOrigin | null => {
    for (const file of source.outputs(row) ?? []) {
      const origin = outputOf(file.target);
      if (origin !== null) return { ...origin, path: file.target };
    }
    return null;
  }),
  holdsOutput: (row, origin) => isOwnOutput(source, row, origin),
  rules: () => {
    const now = rules();
    return (row) =>
      now.find((rule) => matchUserRule(rule, row, () => source.facts([row]).get(row.pid)?.cwd ?? null))?.name ?? null;
  },
  ...(describe === undefined ? {} : { describe }),
  namedInside: (pid, begun) => source.namespaces?.namedInside(pid, begun) ?? null,
  ...serverEvidence(source, configured),
  signature: signatureOf,
});
