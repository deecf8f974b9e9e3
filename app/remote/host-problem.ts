import type { Said } from '../format/said.ts';

/**
 * Why a machine could not be scanned.
 * - `unreachable`: no answer at that address
 * - `unknown-name`: ssh doesn't know it
 * - `unknown-key`: its host key is new
 * - `changed-key`: its host key has changed
 * - `denied`: it does not let this user in without a password
 * - `silent`: it accepted the connection and sent nothing in time
 * - `broken`: the connection ended early
 * - `senseless`: its answer was refused
 * - `incapable`: it lacks something required
 * - `same-machine`: it is this machine
 * - `no-ssh`: there is no ssh here
 * - `other`: ssh says why
 */
export type HostProblemCode =
  | 'unreachable'
  | 'unknown-name'
  | 'unknown-key'
  | 'changed-key'
  | 'denied'
  | 'silent'
  | 'broken'
  | 'senseless'
  | 'incapable'
  | 'same-machine'
  | 'no-ssh'
  | 'other';

/** An unreachable machine, with the observed reason. */
export interface HostProblem {
  readonly code: HostProblemCode;
  /** Message of ssh or the machine, which is untrusted text, or what was wrong with its answer. */
  readonly detail: Said;
}

/** OpenSSH isn't translated; its messages, in order of precedence. */
const words: readonly { readonly code: HostProblemCode; readonly said: RegExp }[] = [
  { code: 'changed-key', said: /REMOTE HOST IDENTIFICATION HAS CHANGED|Host key for .{1,300} has changed/u },
  { code: 'unknown-key', said: /Host key verification failed|No .{1,40} host key is known for/u },
  { code: 'denied', said: /Permission denied|Too many authentication failures|no authentication methods/iu },
  { code: 'unknown-name', said: /Could not resolve hostname|Name or service not known/u },
  {
    code: 'unreachable',
    said: /Connection (?:refused|timed out|closed|reset)|No route to host|is unreachable|Operation timed out|banner exchange|kex_exchange_identification|not responding/u,
  },
  // The connection broke, noticed by any of ssh's processes: clientloop.c, dispatch.c and mux.c of
  // OpenSSH.
  { code: 'broken', said: /Connection to .{1,300}(?:closed|Broken pipe)|send disconnect|mux_client_/u },
];

const lastLine = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .findLast((line) => line !== '') ?? '';

/** Classifies ssh's message about a failure. */
export const problemSaid = (said: string): HostProblem => ({
  code: words.find((one) => one.said.test(said))?.code ?? (said.trim() === '' ? 'broken' : 'other'),
  detail: lastLine(said).slice(0, 300),
});
