import type { MarkerEnvironment } from '../../process/facts.ts';
import { type Pid, asPid } from '../../process/identity.ts';
import { isAbsolutePath, plainPath } from '../../paths/path.ts';
import { type AgentSessionId, asAgentSessionId } from './agent-id.ts';

/** True when a variable is there and not empty. */
export const isSet = (environment: MarkerEnvironment, name: string): boolean => (environment[name] ?? '') !== '';

/** A pid from a variable; null for all but a plain number above 1 that fits (2^22 on Linux). */
export const pidValue = (environment: MarkerEnvironment, name: string): Pid | null => {
  const text = environment[name] ?? '';
  if (!/^[1-9][0-9]{0,6}$/.test(text)) return null;
  const pid = Number(text);
  return pid > 1 && pid <= 4_194_304 ? asPid(pid) : null;
};

/** A session id in a form that ids have; else refused, as any program can set a variable. */
export const sessionIdFrom = (text: string | undefined): AgentSessionId | null =>
  text !== undefined && /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}$/.test(text) ? asAgentSessionId(text) : null;

/** An absolute path from a variable, as Curfew writes it, else null. */
export const folderValue = (environment: MarkerEnvironment, name: string): string | null => {
  const text = environment[name] ?? '';
  return isAbsolutePath(text) && text.length <= 4096 ? plainPath(text) : null;
};
