import { dossiers } from '../../app/agents/dossiers.ts';
import type { RegistryForm } from '../../app/agents/common/dossier.ts';

/** The word of the question that asks for an agent's files, see `scripts/agent-files.sh`. */
export type FolderWord = 'claude' | 'copilot';

const registryOf = (agent: 'claude-code' | 'copilot'): RegistryForm => {
  const { registry } = dossiers[agent];
  if (registry === 'none') throw new Error(`The dossier of ${agent} names no registry.`);
  return registry;
};

/** The agents whose files are read on other machines, and where those lie. */
export const askedFolders: Readonly<Record<FolderWord, RegistryForm>> = {
  claude: registryOf('claude-code'),
  copilot: registryOf('copilot'),
};

/** The same, one by one. */
export const askedFolderWords = Object.keys(askedFolders) as readonly FolderWord[];
