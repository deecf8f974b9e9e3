import type { Said } from '../../../app/format/said.ts';
import { inEnglish } from '../../../app/text/say.ts';
import { worded } from '../common/words.ts';
import type { AgentId } from '../../../app/agents/common/agent-id.ts';
import { nameOf } from '../../../app/agents/names.ts';
import { agentParts } from '../../agents/dossiers.ts';
import { changeEntry, type EntryChange, entryState } from '../../agents/entries/entry-change.ts';
import type { Entry } from '../../agents/entries/form/entry.ts';
import { notOurs } from '../../agents/entries/json-entry.ts';
import { isNoted, removeWitness, witnessOf, writeWitness } from '../../agents/hooks/form/witness-shell.ts';
import type { HookInstallation } from '../../agents/hooks/installation/hook-installation.ts';

/** What `curfew hooks install --witness` puts in besides hooks. */
export interface Witness {
  /** The most memory that all tool calls may take together, as Claude Code writes it; null: all. */
  readonly memory: string | null;
}

/** What was done, or stands there, beside the hooks of one agent. */
export interface WitnessResult {
  readonly changed: boolean;
  /** Lines for the user. */
  readonly told: readonly string[];
  readonly problem: Said | null;
  readonly changes: EntryChange['changes'];
}

const entryFor = ({ places }: HookInstallation, agent: AgentId, memory: string | null): Entry | null => {
  const { memoryLimit } = agentParts[agent];
  return memoryLimit === 'none' ? null : memoryLimit.entry(places, memory ?? memoryLimit.all());
};

const groupTold = (agent: string, limit: string, memory: string | null): readonly string[] => [
  worded('{agent} starts its commands in a control group of their own, which nothing that they start', { agent }),
  worded('can leave: Curfew then knows what came from them, also behind setsid, nohup or a double fork.'),
  memory === null
    ? worded('{limit} is all memory of this machine, so it limits nothing (--memory 8G does).', { limit })
    : worded('All commands of {agent} together get at most {memory} of memory; beyond it the kernel ends one.', {
        agent,
        memory,
      }),
  worded('It counts for sessions that begin from now on, and where the control group can be written.'),
];

const notedTold = (agent: AgentId): readonly string[] => {
  const named = { agent: nameOf(agent) };
  const shells = [
    worded('Each shell in which {agent} runs a command notes its pid and start for Curfew, without another', named),
    worded('process: so short ones are known, too.'),
  ];
  return {
    line: shells,
    'bash-env': shells,
    children: [
      worded('When a tool call or a reply of {agent} ends, its hook notes by pid and start what it still has', named),
      worded('running. What a call left that has returned by then only looks know.'),
    ],
    none: [worded('{agent} was not seen to call a hook around its tool calls: only looks witness them.', named)],
  }[witnessOf(agent)];
};

const limitOf = (agent: AgentId): string => {
  const { memoryLimit } = agentParts[agent];
  return memoryLimit === 'none' ? '' : memoryLimit.name;
};

/**
 * Returns whether the control group is asked for, by Curfew or the user; of an agent without one,
 * whether its tool calls are noted. Changes nothing.
 */
export const witnessState = (installation: HookInstallation, agent: AgentId): 'installed' | 'not-ours' | 'absent' => {
  const entry = entryFor(installation, agent, null);
  if (entry === null) return isNoted(installation.folders, agent) ? 'installed' : 'absent';
  const { state, why } = entryState(installation.folders, entry);
  if (why === null) return state === 'absent' ? 'absent' : 'installed';
  return inEnglish(why).includes(inEnglish(notOurs(entry.path))) ? 'not-ours' : 'absent';
};

/**
 * Puts in, or takes out, what makes an agent's tool calls witnessed. What the user has set stays,
 * and is said. Never throws for what the disk holds or refuses.
 */
export const changeWitness = (
  installation: HookInstallation,
  agent: AgentId,
  wish: { readonly action: 'install'; readonly witness: Witness } | { readonly action: 'uninstall' },
  dryRun: boolean,
): WitnessResult => {
  const { folders } = installation;
  const { action } = wish;
  const memory = wish.action === 'install' ? wish.witness.memory : null;
  const entry = entryFor(installation, agent, memory);
  const before = entry === null ? null : entryState(folders, entry, action);
  if (dryRun) return { changed: false, told: [], problem: null, changes: before?.changes ?? [] };
  const notes = installation.platform === 'linux';
  if (notes && witnessOf(agent) !== 'none') (action === 'install' ? writeWitness : removeWitness)(folders, agent);
  const noted = notes && action === 'install' ? notedTold(agent) : [];
  // What is not Curfew's has nothing to be taken out.
  if (entry === null || (action === 'uninstall' && before?.state === 'absent'))
    return { changed: false, told: noted, problem: null, changes: [] };
  const done = changeEntry(folders, entry, action, installation.now());
  const told = action === 'uninstall' || done.why !== null ? [] : groupTold(nameOf(agent), limitOf(agent), memory);
  return { changed: done.changed, told: [...noted, ...told], problem: done.why, changes: before?.changes ?? [] };
};
