import { kept } from '../format/kept.ts';
import type { MarkerEnvironment } from '../process/facts.ts';
import type { ProcessRow } from '../process/row.ts';
import type { AgentId } from './common/agent-id.ts';
import type { Claim } from './common/claim.ts';
import type { ServerForm, ServerMark } from './common/server-form.ts';
import type { AgentSignature, Forwarded, MarkerMatch, OutputMatch, ShellMatch } from './common/signature.ts';
import { ruleOfSlug, slugNames, slugsIn } from './common/slug.ts';
import { terminalNames } from './common/terminal-marks.ts';
import { dossiers } from './dossiers.ts';

const signatures: readonly AgentSignature[] = Object.values(dossiers).map(({ signature }) => signature);

/** Read besides agents' markers: the user's keep mark, Curfew's cookie, and what terminals set. */
const furtherNames = [
  // What Flatpak and Firejail put into everything inside them; a broker hands it on to what runs
  // outside.
  'FLATPAK_ID',
  'container',
  'CURFEW_KEEP',
  'CURFEW_RUN',
  // Where a process was started, see app/jobs/lineage/host.ts.
  ...terminalNames,
  ...slugNames,
] as const;

/** The only variables ever read of any process. Others in an environment may be secrets. */
export const environmentNames: ReadonlySet<string> = new Set([
  ...signatures.flatMap((signature) => signature.environmentNames),
  ...furtherNames,
]);

/** The signature of an agent. */
export const signatureOf = (agent: AgentId): AgentSignature => dossiers[agent].signature;

/** How the servers of an agent are told; null for an agent that starts none. */
export const serversOf = (agent: AgentId): ServerForm | null => {
  const { servers } = dossiers[agent];
  return servers === 'none' ? null : servers;
};

const serverForms = Object.values(dossiers).flatMap(({ signature, servers }) =>
  servers === 'none' ? [] : [{ agent: signature.id, form: servers }],
);

const byStrength = ['server', 'shared', 'harness', 'weak', 'configured'] as const;

/**
 * The marks of agents' harnesses in an environment, the strongest first. Several are normal: an
 * agent that was started by another agent's server hands on what it inherited.
 */
export const serverMarksOf = (
  environment: MarkerEnvironment | null,
): readonly { readonly agent: AgentId; readonly mark: ServerMark }[] => {
  if (environment === null) return [];
  const found = serverForms.flatMap(({ agent, form }) => {
    const mark = form.mark(environment);
    return mark === null ? [] : [{ agent, mark }];
  });
  return found.length < 2
    ? found
    : found.toSorted((left, right) => byStrength.indexOf(left.mark.role) - byStrength.indexOf(right.mark.role));
};

/** True for a process of this agent that only keeps it up to date. */
export const isUpdater = (agent: AgentId, argv: readonly string[]): boolean => {
  const { updater } = signatureOf(agent);
  return updater !== 'none' && updater(argv);
};

/** True for a process of this agent that is kept ready and has no session yet. */
export const isIdleSpare = (agent: AgentId, argv: readonly string[]): boolean => {
  const { idleSpare } = signatureOf(agent);
  return idleSpare !== 'none' && idleSpare(argv);
};

type Named = Pick<ProcessRow, 'argv' | 'comm'>;

const programs = new WeakMap<Named, AgentId | null>();

const programOfNew = (row: Named): AgentId | null => signatures.find(({ program }) => program(row))?.id ?? null;

/**
 * The agent whose own part a process is: main program, daemon, worker. A look asks in five places;
 * an unchanged row is the same object, so it is worked out once.
 */
export const programOf = (row: Named): AgentId | null => kept(programs, row, programOfNew);

const strength = (claim: Claim): number => {
  if (claim.shell !== null) return 4;
  switch (claim.marker?.kind) {
    case 'tool':
      return claim.marker.ownerPid !== null ? 3 : claim.marker.session !== null ? 2 : 1;
    case 'bare':
      return 0;
    case 'harness':
    case undefined:
      return -1;
  }
};

/**
 * Sandboxes with a pid namespace and whose commands may run outside.
 * https://docs.flatpak.org/en/latest/flatpak-command-reference.html
 */
const sandboxes: ReadonlySet<string> = new Set(['flatpak', 'firejail', 'bubblewrap']);

const inSandbox = (marker: MarkerMatch | null, environment: MarkerEnvironment): MarkerMatch | null =>
  marker?.kind === 'tool' && ((environment['FLATPAK_ID'] ?? '') !== '' || sandboxes.has(environment['container'] ?? ''))
    ? { ...marker, sandboxed: true }
    : marker;

const withCarried = (
  { carriedCommand }: AgentSignature,
  shell: ShellMatch | null,
  environment: MarkerEnvironment | null,
): ShellMatch | null => {
  if (shell === null || shell.command !== null || environment === null || carriedCommand === undefined) return shell;
  return { ...shell, command: carriedCommand(environment) };
};

const forwarders = signatures.flatMap(({ forwardsTo }) => (forwardsTo === undefined ? [] : [forwardsTo]));

/** What a part of an agent forwards, by its command line; null for every other one. */
export const forwardedBy = (argv: readonly string[]): Forwarded | null => {
  for (const forwardsTo of forwarders) {
    const forwarded = forwardsTo(argv);
    if (forwarded !== null) return forwarded;
  }
  return null;
};

/** What a name means that an agent gave itself: the agent, and the rule that says so. */
const ownNames: ReadonlyMap<string, { readonly agent: AgentId; readonly rule: string }> = new Map(
  Object.values(dossiers)
    .toReversed()
    .flatMap(({ signature: { id }, names }) =>
      [id, names.short, ...names.others].map((name) => {
        const slug = name.toLowerCase();
        return [slug, { agent: id, rule: `${id === 'other' ? slug : names.short}-marker` }] as const;
      }),
    ),
);

/** A name with an appendix (`claude-code_2-1-329_agent`) is its agent's to read. */
const isReadByItsAgent = (slug: string): boolean => {
  const stem = /^[a-z0-9]+(?:-[a-z0-9]+)*(?=[._])/u.exec(slug)?.[0];
  return stem !== undefined && ownNames.has(stem);
};

/**
 * The claim of the name that an agent gave itself, which any program can set and inherit: a bare
 * one, of the agent that is called so, else of one that calls itself so. null where that agent's
 * own marks were found, or there is no name.
 */
const claimOfName = (environment: MarkerEnvironment, claims: readonly Claim[]): Claim | null => {
  for (const slug of slugsIn(environment)) {
    const { agent, rule } = ownNames.get(slug) ?? { agent: 'other', rule: ruleOfSlug(slug) };
    if (!isReadByItsAgent(slug) && !claims.some((claim) => claim.agent === agent))
      return { agent, shell: null, marker: { kind: 'bare', rule, named: true } };
  }
  return null;
};

/**
 * All that a process's argv and environment say of its origin, at most one claim an agent, the
 * strongest first: a tool shell, a marker with the agent's pid, one with its session, one without
 * an id, a bare name, and last what marks an agent's own servers and hooks.
 *
 * Several are normal: an agent that was started in another agent's tool shell marks its commands
 * and passes on what it inherited (a Codex in a Claude tool shell: both). Nothing in an environment
 * tells which came last, so the order is no verdict between agents: the nearest agent by parentage
 * decides while it lives, and without one the answer that means the least killing.
 *
 * `environment` null (not readable) leaves what argv says.
 */
export const claimsOf = (row: Pick<ProcessRow, 'argv'>, environment: MarkerEnvironment | null): readonly Claim[] => {
  const claims: Claim[] = [];
  for (const signature of signatures) {
    const shell = withCarried(signature, signature.shell(row.argv), environment);
    const marker =
      environment === null
        ? null
        : inSandbox(signature.dependent?.(row.argv, environment) ?? signature.marker(environment), environment);
    if (shell !== null || marker !== null) claims.push({ agent: signature.id, shell, marker });
  }
  const named = environment === null ? null : claimOfName(environment, claims);
  if (named !== null) claims.push(named);
  return claims.length < 2 ? claims : claims.toSorted((left, right) => strength(right) - strength(left));
};

/** True for what comes into the folder for temporary files with a tool call of an agent. */
export const isCallFile = (name: string): boolean =>
  signatures.some(({ callFile }) => callFile !== undefined && callFile.test(name));

/** What agent puts the output of its tasks where this file lies, and of which task. */
export const outputOf = (
  path: string,
): { readonly agent: AgentId; readonly path: string; readonly match: OutputMatch } | null => {
  for (const signature of signatures) {
    const match = signature.output(path);
    if (match !== null) return { agent: signature.id, path, match };
  }
  return null;
};
