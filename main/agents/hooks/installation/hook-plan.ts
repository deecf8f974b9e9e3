import type { Said } from '../../../../app/format/said.ts';
import { say } from '../../../../app/text/say.ts';
import { parse } from 'jsonc-parser';
import { answers } from '../../../../app/agents/answers.ts';
import { type AgentHookInstaller, type AgentPlaces, type HookTable, settingAt } from '../form/agent-hooks.ts';
import { runsOnWindows, type HookRuns } from '../form/hook-run.ts';
import type { HookFolders } from '../form/folders.ts';
import type { HookProgram } from '../form/hook-program.ts';
import { hookCommand, hookScriptFile } from '../form/hook-script.ts';
import { witnessFile } from '../form/witness-shell.ts';
import { asksGuardOnWindows } from '../form/windows-hook.ts';
import { type InstallationRecord, isEmptied, loadRecord, withoutOurs } from './installation-record.ts';
import { planTomlHooks } from './toml-hooks.ts';
import { type Addition, type InsertedPiece, insertInto } from '../form/json-insertion.ts';
import { ownHooks } from '../form/json-removal.ts';
import { parseJsonText, valueIn, withoutMark } from '../form/json-text.ts';
import { canonical } from '../form/toml-text.ts';
import { type SettingsDocument, readSettingsDocument } from '../form/settings-document.ts';

export interface HookInstallation {
  readonly places: AgentPlaces;
  readonly folders: HookFolders;
  readonly program: HookProgram;
  readonly platform: NodeJS.Platform;
  /** See `WindowsHook`; left out: there are none. */
  readonly shortPath?: (path: string) => string | null;
  /** The guard is on, so agents have to ask before commands; left out: it isn't. */
  readonly guard?: boolean;
  /** Wall clock, milliseconds. */
  readonly now: () => number;
}

type Readable = Exclude<SettingsDocument, { kind: 'refused' }>;

/** What an agent's file would become. */
export type HookPlan =
  | {
      readonly ok: true;
      readonly document: Readable;
      readonly record: InstallationRecord | null;
      /** The file as it is; null: there is none. */
      readonly before: string | null;
      /** The file without anything of ours; null: there would be none. */
      readonly without: string | null;
      /** The file with our hooks as they have to be. */
      readonly installed: string;
      readonly pieces: readonly InsertedPiece[];
      /** Lists and objects that are made for it: `hooks.Stop`. */
      readonly made: readonly string[];
      readonly state: 'installed' | 'partly' | 'absent';
      /** Further files of ours with the same text. */
      readonly others: readonly Readable[];
      /** Why hooks don't run although they stand there. */
      readonly switchedOff: Said | null;
    }
  | { readonly ok: false; readonly why: Said };

const absent = (text: string, path: readonly string[]): boolean => {
  const parsed = parseJsonText(text);
  if (!parsed.ok || parsed.root === null) return true;
  let node = parsed.root;
  for (const name of path) {
    const value = node.type === 'object' ? valueIn(node, name) : null;
    if (value === null) return true;
    node = value;
  }
  return false;
};

const madeBy = (without: string, additions: readonly Addition[]): readonly string[] => {
  const paths = additions.flatMap(({ path }) => path.map((_, depth) => path.slice(0, depth + 1)));
  const missing = paths.filter((path) => absent(without, path)).map((path) => path.join('.'));
  return [...new Set(missing)];
};

const hasOurs = (text: string): boolean => {
  const parsed = parseJsonText(text);
  return parsed.ok && parsed.root !== null && ownHooks(parsed.root).length > 0;
};

const parsedText = (text: string): unknown => parse(withoutMark(text), [], { allowTrailingComma: true });

/** Exactly our hooks are in it, anywhere between those of others, and in any formatting. */
const isComplete = (text: string, additions: readonly Addition[]): boolean => {
  const parsed = parseJsonText(text);
  if (!parsed.ok || parsed.root === null) return false;
  const elements = additions.filter(({ kind }) => kind === 'element');
  const settings = parsedText(text);
  return (
    ownHooks(parsed.root).length === elements.length &&
    additions.every(({ kind, path, value }) => {
      const there = settingAt(settings, ...path);
      if (kind === 'property') return there !== undefined;
      return Array.isArray(there) && there.some((one) => canonical(one) === canonical(value));
    })
  );
};

type Planned = Extract<HookPlan, { ok: true }>;

const planned = (
  document: Readable,
  record: InstallationRecord | null,
  found: Pick<Planned, 'without' | 'installed' | 'pieces' | 'state'> & Partial<Planned>,
): HookPlan => ({
  ok: true,
  document,
  record,
  before: document.kind === 'read' ? document.text : null,
  made: [],
  others: [],
  switchedOff: null,
  ...found,
});

const shared = (
  document: Readable,
  record: InstallationRecord | null,
  additions: readonly Addition[],
  switchedOff: AgentHookInstaller['switchedOff'],
): HookPlan => {
  const before = document.kind === 'read' ? document.text : null;
  const parsed = parseJsonText(before ?? '');
  if (!parsed.ok)
    return { ok: false, why: say('it can’t be parsed ({why}), so it is left alone', { why: parsed.why }) };
  const ours = before !== null && hasOurs(before);
  const text = ours ? withoutOurs(before, record) : (before ?? '');
  if (text === null || hasOurs(text))
    return { ok: false, why: say('Curfew’s hooks in it could not be told from the rest') };
  const inserted = insertInto(text, additions);
  if (!inserted.ok) return { ok: false, why: say('{why}, so it is left alone', { why: inserted.why }) };
  const complete = ours && isComplete(before, additions);
  return planned(document, record, {
    without: before === null || isEmptied(record, text) ? null : text,
    installed: complete ? before : inserted.text,
    pieces: inserted.pieces,
    made: madeBy(text, additions),
    state: complete ? 'installed' : ours ? 'partly' : 'absent',
    switchedOff: switchedOff?.(parsedText(before ?? '{}')) ?? null,
  });
};

const intoTables = (document: Readable, record: InstallationRecord | null, tables: readonly HookTable[]): HookPlan => {
  const before = document.kind === 'read' ? document.text : null;
  const plan = planTomlHooks(before ?? '', tables, record);
  if (!plan.ok) return plan;
  const { without, added, state } = plan;
  return planned(document, record, {
    without: before === null || isEmptied(record, without) ? null : without,
    installed: before !== null && state === 'installed' ? before : without + added,
    pieces: [{ offset: without.length, text: added }],
    state,
  });
};

/** Ours says what wrote it, or is JSON with our commands; what only calls the script is not. */
const isForeign = (document: Readable): boolean =>
  document.kind === 'read' &&
  document.text.trim() !== '' &&
  !document.text.includes(document.text.startsWith('{') ? 'curfew-hook' : 'ritten by "curfew hooks install"');

const own = (
  document: Readable,
  record: InstallationRecord | null,
  text: string,
  others: readonly Readable[],
): HookPlan => {
  if (isForeign(document))
    return { ok: false, why: say('a file of that name is there that is not from Curfew, so it is left alone') };
  const foreign = others.find(isForeign);
  if (foreign !== undefined)
    return {
      ok: false,
      why: say('{file} beside it is not from Curfew, so both are left alone', { file: foreign.path }),
    };
  const all = [document, ...others];
  const state = all.every(({ kind }) => kind === 'missing')
    ? 'absent'
    : all.every((one) => one.kind === 'read' && one.text === text)
      ? 'installed'
      : 'partly';
  return planned(document, record, { without: null, installed: text, pieces: [{ offset: 0, text }], state, others });
};

/** Works out what an agent's file would become. Writes nothing, never throws. */
export const planHooks = (
  installer: AgentHookInstaller,
  { places, folders, program, platform, shortPath = () => null, guard = false }: HookInstallation,
): HookPlan => {
  const file = installer.file(places);
  const document = readSettingsDocument(file);
  if (document.kind === 'refused') return { ok: false, why: say('{why}, so it is left alone', { why: document.why }) };
  const record = loadRecord(folders, installer.agent, file);
  const { agent, content } = installer;
  const script = hookScriptFile(folders, platform);
  const runs: HookRuns =
    platform === 'win32'
      ? runsOnWindows(installer.onWindows, { node: program.command[0], script, shortPath }, agent)
      : { ok: true, run: (call) => ({ by: 'sh', command: hookCommand(script, agent, call) }) };
  if (!runs.ok) return { ok: false, why: runs.why };
  const asksGuard = guard && answers[agent].guard !== 'none' && (platform !== 'win32' || asksGuardOnWindows(agent));
  if (content.kind === 'tables') return intoTables(document, record, content.tables(runs.run));
  if (content.kind === 'own') {
    const text = content.text(runs.run, { script, witness: witnessFile(folders, agent), guard: asksGuard });
    const others = (content.others?.(places) ?? []).filter((path) => path !== file).map(readSettingsDocument);
    const refused = others.find((one) => one.kind === 'refused');
    return refused === undefined
      ? own(
          document,
          record,
          text,
          others.filter((one) => one.kind !== 'refused'),
        )
      : { ok: false, why: say('{why}, so it is left alone', { why: refused.why }) };
  }
  const additions = [...content.additions(runs.run), ...(asksGuard ? content.guard(runs.run) : [])];
  return shared(document, record, additions, installer.switchedOff);
};
