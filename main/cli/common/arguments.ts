import type { AgentId } from '../../../app/agents/common/agent-id.ts';
import { agentNamed, offeredAgentNames } from '../../../app/agents/names.ts';
import { parseDuration } from '../../../app/settings/duration.ts';
import { isHostName, localHost } from '../../../app/remote/host-name.ts';
import { firstSignalNames, type FirstSignalName } from '../../../app/process/signal.ts';
import { WrongCall } from './exit-status.ts';

/** A duration option in seconds. Throws WrongCall. */
export const seconds =
  (option: string) =>
  (text: string): number => {
    const duration = parseDuration(text);
    if (duration.ok) return duration.seconds;
    throw new WrongCall(`${option} ${JSON.stringify(text)}: a duration is 90 or 90s, 30m, 4h or 2d`);
  };

/** A signal option, with or without SIG. Throws WrongCall. */
export const signalName = (text: string): FirstSignalName => {
  const name = text.toUpperCase().replace(/^SIG/u, '');
  const known = firstSignalNames.find((one) => one === name);
  if (known !== undefined) return known;
  throw new WrongCall(`--signal ${JSON.stringify(text)}: allowed are ${firstSignalNames.join(', ')}`);
};

/** An agent by its id or a common name. Throws WrongCall, which says which there are. */
export const agentOption = (text: string): AgentId => {
  const agent = agentNamed(text);
  if (agent !== null) return agent;
  throw new WrongCall(`there is no agent ${JSON.stringify(text)}; there are ${offeredAgentNames.join(', ')}`);
};

/** A whole number option of at least `least`. Throws WrongCall. */
export const wholeNumber =
  (option: string, least: number) =>
  (text: string): number => {
    const value = Number(text);
    if (/^\d+$/u.test(text) && Number.isSafeInteger(value) && value >= least) return value;
    throw new WrongCall(`${option} ${JSON.stringify(text)}: a whole number of at least ${least} is allowed`);
  };

/** Collects an option that may be given several times. */
export const collected = (text: string, before: readonly string[]): readonly string[] => [...before, text];

/** The machine that `--host` names: null for this one. Throws WrongCall for what is no name of a machine. */
export const otherHost = ({ host, uid }: { readonly host?: string; readonly uid?: number }): string | null => {
  if (host === undefined || host === localHost) return null;
  if (!isHostName(host))
    throw new WrongCall(`--host ${JSON.stringify(host)}: a name from ~/.ssh/config or user@host is allowed`);
  if (uid === undefined) return host;
  throw new WrongCall('--uid is for this machine; on another one the user is who ssh logs in as: --host user@host');
};
