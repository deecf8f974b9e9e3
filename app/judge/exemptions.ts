import { redactCommand } from '../format/secrets/redact.ts';
import { hidden } from '../format/secrets/secret-shapes.ts';
import type { Exemption } from '../settings/settings.ts';

/** What an exemption is compared with. A `Job` is one. */
export interface ExemptionSubject {
  readonly project: string | null;
  readonly command: string;
  readonly holds: { readonly ports: readonly number[] };
}

/** Which parts of an exemption match; `null` for one it lacks. For the settings' tester. */
export interface ExemptionResult {
  readonly project: boolean | null;
  readonly command: boolean | null;
  readonly port: boolean | null;
  /** Every part that is there matches, and at least one is there. */
  readonly matches: boolean;
}

// The first of them only may begin it: each of a thousand in the middle would be followed through
// all the rest.
const withoutTrailingSeparators = (path: string): string => path.replace(/(?<![/\\])[/\\]+$/u, '');

const liesIn = (project: string, folder: string): boolean => {
  const inner = withoutTrailingSeparators(project);
  const outer = withoutTrailingSeparators(folder);
  return inner === outer || inner.startsWith(`${outer}/`) || inner.startsWith(`${outer}\\`);
};

/** A folder is compared as it is and as Curfew shows it. */
const isWithin = (project: string | null, folder: string): boolean =>
  project !== null && (liesIn(project, folder) || (folder.includes(hidden) && liesIn(redactCommand(project), folder)));

const spacesCollapsed = (text: string): string => text.trim().replace(/\s+/gu, ' ');

/** `*` is any text, all else itself. Linear time: no regular expression of typed text. */
const fits = (text: string, pattern: string): boolean => {
  const [first = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return text === pattern;
  if (!text.startsWith(first)) return false;
  const last = rest[rest.length - 1] ?? '';
  let from = first.length;
  for (const part of rest.slice(0, -1)) {
    const found = text.indexOf(part, from);
    if (found === -1) return false;
    from = found + part.length;
  }
  return text.length - last.length >= from && text.endsWith(last);
};

/**
 * How an exemption compares with a job, part by part. The project: the same folder or one inside
 * it. The command: the whole of it, spaces collapsed, `*` for any text; secrets are compared as
 * Curfew shows them. The port: one of those it listens on.
 */
export const testExemption = (exemption: Exemption, subject: ExemptionSubject): ExemptionResult => {
  const { project: folder, command: pattern, port: wantedPort } = exemption;
  const command = spacesCollapsed(subject.command);
  const project = folder === undefined ? null : isWithin(subject.project, folder);
  const commandFits =
    pattern === undefined
      ? null
      : fits(command, spacesCollapsed(pattern)) || fits(command, spacesCollapsed(redactCommand(pattern)));
  const port = wantedPort === undefined ? null : subject.holds.ports.includes(wantedPort);
  const parts = [project, commandFits, port].filter((part) => part !== null);
  return { project, command: commandFits, port, matches: parts.length > 0 && parts.every(Boolean) };
};

/** The first exemption that spares the job, or null. The judge asks below the hard cap only. */
export const exemptionOf = (exemptions: readonly Exemption[], subject: ExemptionSubject): Exemption | null =>
  exemptions.find((exemption) => testExemption(exemption, subject).matches) ?? null;
