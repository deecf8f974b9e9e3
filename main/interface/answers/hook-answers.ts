import type { Said } from '../../../app/format/said.ts';
import { say } from '../../../app/text/say.ts';
import { agentIds } from '../../../app/agents/common/agent-id.ts';
import type { Answer } from '../../../app/contract/answer.ts';
import type { AgentHooks } from '../../../app/contract/app-questions.ts';
import type { Answerers } from '../../../app/contract/answerers.ts';
import { agentHooks, changeHooks, hookInstallerOf } from '../../agents/hooks/installation/hook-installation.ts';
import type { HookInstallation } from '../../agents/hooks/installation/hook-installation.ts';
import { hookInstallationHere } from '../../agents/hooks/installation/installation-here.ts';
import { hookInstallers } from '../../agents/dossiers.ts';
import { whyNoCommandLine } from '../../os/programs/bounded-program.ts';
import type { Engine } from '../../engine/engine.ts';
import { refused } from './failures.ts';

type HookName = Extract<keyof Answerers, `hooks.${string}`>;

/** Returns the hooks' installation for this command line. Throws when its file is missing. */
export const installationOf = (
  { places, home }: Pick<Engine, 'places' | 'home'>,
  commandLine: string,
): HookInstallation => hookInstallationHere({ places, home, environment: process.env, commandLine });

const advice = (agent: string): Said => say('curfew hooks install {agent}', { agent });

const change = (installation: HookInstallation, agent: string, wish: 'install' | 'uninstall'): Answer<AgentHooks> => {
  const known = agentIds.find((id) => id === agent);
  const installer = known === undefined ? null : hookInstallerOf(known);
  if (installer === null) return refused('unsupported', say('This agent has no hooks that Curfew could use.'));
  const result = changeHooks(installation, installer, wish);
  return result.ok ? { ok: true, value: result.hooks } : refused('refused', result.why);
};

/** Returns the answers about the hooks in agents. Each reads and writes the current files. */
export const hookAnswers = (desk: {
  readonly engine: Engine;
  readonly commandLine: string;
}): Pick<Answerers, HookName> => {
  const installation = (): HookInstallation => installationOf(desk.engine, desk.commandLine);
  return {
    'hooks.status': () => {
      const here = installation();
      return { ok: true, value: { agents: hookInstallers.map((installer) => agentHooks(here, installer)) } };
    },
    'hooks.install': ({ agent }) => {
      const why = whyNoCommandLine(desk.commandLine);
      return why === null ? change(installation(), agent, 'install') : refused('unsupported', why, advice(agent));
    },
    'hooks.uninstall': ({ agent }) => change(installation(), agent, 'uninstall'),
  };
};
