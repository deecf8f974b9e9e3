import { rawValue, type RawObject } from '../../../app/settings/raw.ts';
import type { Exemption } from '../../../app/settings/settings.ts';
import type { SaidNotice } from '../../../app/text/settings/notices.ts';
import type { SettingsFile, SettingsWrite } from '../../store/settings/settings-file.ts';

/** What of a job is never to be ended again below the hard cap. */
export type ExemptionScope = 'project' | 'command';

const listIn = (own: RawObject): readonly unknown[] => {
  const list = rawValue(own, 'exemptions');
  return Array.isArray(list) ? (list as readonly unknown[]) : [];
};

const memberOf = (entry: unknown, name: string): unknown =>
  typeof entry === 'object' && entry !== null && Object.hasOwn(entry, name) ? Reflect.get(entry, name) : undefined;

const same = (one: Exemption, scope: ExemptionScope, value: string | null): boolean =>
  one[scope] === value && one.port === undefined && one[scope === 'project' ? 'command' : 'project'] === undefined;

/**
 * Adds an exemption for a job's project or its exact command to those in the file, unless the same is there already. `createdAt` tells it
 * from all others.
 * @param nowMs wall clock, milliseconds
 * @throws SettingsUnwritable
 */
export const addExemption = (
  file: SettingsFile,
  scope: ExemptionScope,
  job: { readonly project: string | null; readonly command: string },
  nowMs: number,
):
  | { readonly ok: true; readonly createdAt: string }
  | { readonly ok: false; readonly problems: readonly SaidNotice[] } => {
  const known = file.load().settings.exemptions.find((one) => same(one, scope, job[scope]));
  if (known !== undefined) return { ok: true, createdAt: known.createdAt };
  let createdAt = '';
  const result = file.change((own) => {
    const before = listIn(own);
    const taken = new Set(before.map((entry) => memberOf(entry, 'createdAt')));
    let atMs = nowMs;
    while (taken.has(new Date(atMs).toISOString())) atMs += 1;
    createdAt = new Date(atMs).toISOString();
    return { exemptions: [...before, { [scope]: job[scope], createdAt }] };
  });
  return result.ok ? { ok: true, createdAt } : result;
};

/**
 * Whether an entry of the file is the one that was meant. One that was written by hand without a time goes by its place in the list
 * (see `readExemption`), which may be another's by now: then it must say the same, too.
 */
const isMeant = (entry: unknown, index: number, meant: Exemption): boolean => {
  const time = memberOf(entry, 'createdAt');
  if (time !== undefined) return time === meant.createdAt;
  return (
    new Date(index).toISOString() === meant.createdAt &&
    memberOf(entry, 'command') === meant.command &&
    memberOf(entry, 'port') === meant.port &&
    (memberOf(entry, 'project') === undefined) === (meant.project === undefined)
  );
};

/**
 * Takes the exemption of that time out of the file; all others stay as they are. null when there is none (any more).
 * @throws SettingsUnwritable
 */
export const removeExemption = (file: SettingsFile, createdAt: string): SettingsWrite | null => {
  const meant = file.load().settings.exemptions.find((one) => one.createdAt === createdAt);
  if (meant === undefined) return null;
  return file.change((own) => ({ exemptions: listIn(own).filter((entry, index) => !isMeant(entry, index, meant)) }));
};
