import type { Said } from '../../../../app/format/said.ts';
import { joined, say } from '../../../../app/text/say.ts';
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { messageOf } from '../../../../app/format/error-message.ts';
import { answers } from '../../../../app/agents/answers.ts';
import type { AgentId } from '../../../../app/agents/common/agent-id.ts';
import { signatureOf } from '../../../../app/agents/signatures.ts';
import type { AgentHooks } from '../../../../app/contract/app-questions.ts';
import type { AgentHookInstaller, AgentPlaces } from '../form/agent-hooks.ts';
import { type HookInstallation, type HookPlan, planHooks } from './hook-plan.ts';
import { hookScriptFile, hookScriptState, writeHookScript } from '../form/hook-script.ts';
import { asksGuardOnWindows } from '../form/windows-hook.ts';
import { dropRecord, markOf, piecesIn, saveRecord } from './installation-record.ts';
import { hookInstallers } from '../../dossiers.ts';
import { shownChanges } from '../form/line-changes.ts';
import { keepCopy } from '../form/settings-copies.ts';
import {
  makeFolderOf,
  removeEmptyFolders,
  removeSettingsDocument,
  writeSettingsDocument,
} from '../form/settings-document.ts';

export type { HookInstallation } from './hook-plan.ts';

/** What was done to an agent's file. `copy`: of the old one; null: unchanged, or none. */
export type HookChange =
  | { readonly ok: true; readonly changed: boolean; readonly copy: string | null; readonly hooks: AgentHooks }
  | { readonly ok: false; readonly why: Said; readonly hooks: AgentHooks };

type Wish = 'install' | 'uninstall';
type Planned = Extract<HookPlan, { ok: true }>;

const found = (installer: AgentHookInstaller, places: AgentPlaces): string | null => {
  const folder = installer.folder(places);
  return existsSync(folder) ? folder : null;
};

const target = (plan: Planned, wish: Wish): string | null => (wish === 'install' ? plan.installed : plan.without);

const scriptState = ({ folders, program, platform }: HookInstallation): ReturnType<typeof hookScriptState> =>
  hookScriptState(folders, program, platform);

/** Whether the guard is among the hooks as the settings want it. */
const guardNotes = (
  { guard: isOn = false, platform }: HookInstallation,
  { agent }: AgentHookInstaller,
  plan: Planned,
): readonly Said[] => {
  const guard = isOn && answers[agent].guard !== 'none' && (platform !== 'win32' || asksGuardOnWindows(agent));
  const asked = plan.before?.includes('pre-tool-use') === true;
  if (guard && plan.state === 'installed') return [say('The guard reads commands before they run.')];
  if (guard && !asked) return [say('The guard is switched on and not among these hooks yet; install them again.')];
  return !guard && asked
    ? [say('The guard is switched off and answers nothing; install the hooks again to take it out.')]
    : [];
};

const notesOn = (installation: HookInstallation, installer: AgentHookInstaller, plan: Planned): Said | null => {
  const notes: Said[] = [];
  const script = scriptState(installation);
  const file = hookScriptFile(installation.folders, installation.platform);
  if (plan.state !== 'absent' && script !== 'current')
    notes.push(
      script === 'missing'
        ? say('{script} is missing, so these hooks do nothing; install them again.', { script: file })
        : say('{script} is of another version or place of Curfew; install the hooks again.', { script: file }),
    );
  if (plan.state !== 'absent' && script === 'current') notes.push(...guardNotes(installation, installer, plan));
  if (plan.switchedOff !== null) notes.push(plan.switchedOff);
  if (installer.afterwards !== null) notes.push(installer.afterwards);
  return notes.length === 0 ? null : joined(...notes);
};

const view = (
  installation: HookInstallation,
  installer: AgentHookInstaller,
  plan: HookPlan,
  wish: Wish,
): AgentHooks => {
  const common = {
    agent: installer.agent,
    name: signatureOf(installer.agent).name,
    found: found(installer, installation.places),
    version: null,
    file: installer.file(installation.places),
  };
  if (!plan.ok)
    return {
      ...common,
      hooks: 'absent',
      changes: [],
      note: say('{file} was not touched: {why}.', { file: common.file, why: plan.why }),
    };
  const script = scriptState(installation);
  return {
    ...common,
    hooks: plan.state === 'installed' && script !== 'current' ? 'partly' : plan.state,
    changes: [...shownChanges(plan.before ?? '', target(plan, wish) ?? '')],
    note: notesOn(installation, installer, plan),
  };
};

/** The installer of an agent; null when Curfew can put no hooks into it. */
export const hookInstallerOf = (agent: AgentId): AgentHookInstaller | null =>
  hookInstallers.find((installer) => installer.agent === agent) ?? null;

const planFor = (installation: HookInstallation, installer: AgentHookInstaller): HookPlan =>
  planHooks(installer, installation);

/** The state of an agent's hooks, and what (un)installing would write. Changes nothing. */
export const agentHooks = (
  installation: HookInstallation,
  installer: AgentHookInstaller,
  wish: Wish = 'install',
): AgentHooks => view(installation, installer, planFor(installation, installer), wish);

const write = (
  installation: HookInstallation,
  installer: AgentHookInstaller,
  plan: Planned,
  wish: Wish,
): string | null => {
  const { folders, now } = installation;
  const { agent } = installer;
  const text = target(plan, wish);
  const made = text === null ? [] : makeFolderOf(plan.document.path);
  const copy = plan.before === null ? null : keepCopy(folders, agent, plan.before, now());
  for (const other of plan.others) {
    // The user may have added to it.
    if (other.kind === 'read' && other.text !== plan.installed)
      keepCopy(folders, `${agent}-${basename(other.path)}`, other.text, now());
    if (text === null) removeSettingsDocument(other);
    else if (other.kind === 'missing' || other.text !== text) writeSettingsDocument(other, text);
  }
  if (text === null) {
    // Curfew made this file, and nothing but Curfew's was in it.
    removeSettingsDocument(plan.document);
    removeEmptyFolders(plan.record?.folders ?? []);
  } else writeSettingsDocument(plan.document, text);
  if (wish === 'uninstall') dropRecord(folders, agent);
  else
    saveRecord(folders, agent, {
      version: 1,
      file: installer.file(installation.places),
      existed: plan.without !== null,
      written: markOf(plan.installed),
      pieces: piecesIn(plan.installed, plan.pieces),
      made: [...plan.made],
      folders: [...(plan.record?.existed === false ? plan.record.folders : []), ...made],
    });
  return copy;
};

/**
 * Puts Curfew's hooks into an agent's settings, or takes them out. Everything else in the file
 * stays byte for byte, a copy of it as it was is kept before it is written, and a file that can't
 * be understood is left alone. Doing it twice changes nothing the second time. Never throws for
 * what the disk holds or refuses.
 */
export const changeHooks = (installation: HookInstallation, installer: AgentHookInstaller, wish: Wish): HookChange => {
  const now = (): AgentHooks => agentHooks(installation, installer, wish);
  const plan = planFor(installation, installer);
  if (!plan.ok)
    return {
      ok: false,
      why: say('{file} was not touched: {why}.', { file: installer.file(installation.places), why: plan.why }),
      hooks: now(),
    };
  try {
    if (wish === 'install') writeHookScript(installation.folders, installation.program, installation.platform);
    const isDone = plan.others.length === 0 || plan.state === (wish === 'install' ? 'installed' : 'absent');
    const changes = !isDone || target(plan, wish) !== plan.before;
    const copy = changes ? write(installation, installer, plan, wish) : null;
    return { ok: true, changed: changes, copy, hooks: now() };
  } catch (error) {
    return { ok: false, why: say('{why}. The file was not changed.', { why: messageOf(error) }), hooks: now() };
  }
};
