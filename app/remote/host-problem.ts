import { visibleText } from '../format/visible.ts';

/**
 * Why a machine could not be looked at: `unreachable` nobody answers there · `unknown-name` ssh doesn't know it · `unknown-key` its host key was never seen ·
 * `changed-key` it shows another host key than before · `denied` it does not let this person in without a password · `silent` it took the connection and
 * said nothing in time · `broken` the connection ended in the middle · `senseless` its answer was refused · `incapable` it lacks what is needed ·
 * `same-machine` it is this machine · `no-ssh` there is no ssh here · `other` ssh says why.
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

/** A machine out of reach, with what was seen of the reason. */
export interface HostProblem {
  readonly code: HostProblemCode;
  /** What ssh or the machine said, or what was wrong with its answer; hostile text. */
  readonly detail: string;
}

/** OpenSSH isn't translated; its own words, in the order in which one covers another. */
const words: readonly { readonly code: HostProblemCode; readonly said: RegExp }[] = [
  { code: 'changed-key', said: /REMOTE HOST IDENTIFICATION HAS CHANGED|Host key for .{1,300} has changed/u },
  { code: 'unknown-key', said: /Host key verification failed|No .{1,40} host key is known for/u },
  { code: 'denied', said: /Permission denied|Too many authentication failures|no authentication methods/iu },
  { code: 'unknown-name', said: /Could not resolve hostname|Name or service not known/u },
  {
    code: 'unreachable',
    said: /Connection (?:refused|timed out|closed|reset)|No route to host|is unreachable|Operation timed out|banner exchange|kex_exchange_identification|not responding/u,
  },
  // In the middle, by whichever of its processes notices it: clientloop.c, dispatch.c and mux.c of OpenSSH.
  { code: 'broken', said: /Connection to .{1,300}(?:closed|Broken pipe)|send disconnect|mux_client_/u },
];

const lastLine = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .findLast((line) => line !== '') ?? '';

/** What ssh's own words mean when it could not do what it was asked. */
export const problemSaid = (said: string): HostProblem => ({
  code: words.find((one) => one.said.test(said))?.code ?? (said.trim() === '' ? 'broken' : 'other'),
  detail: lastLine(said).slice(0, 300),
});

const quoted = (detail: string): string => (detail === '' ? '' : ` (${visibleText(detail)})`);

/** What happened, what it means and what to do, in one line. */
export const sayHostProblem = (host: string, { code, detail }: HostProblem): string => {
  switch (code) {
    case 'unreachable':
      return `${host} is out of reach${quoted(detail)}; is it running, and does \`ssh ${host}\` work?`;
    case 'unknown-name':
      return `ssh does not know ${host}${quoted(detail)}; is it in ~/.ssh/config, or written right?`;
    case 'unknown-key':
      return `the host key of ${host} is not known here yet; connect once by hand with \`ssh ${host}\` and check it`;
    case 'changed-key':
      return `${host} shows another host key than before, so nothing was done; either it was set up anew or somebody is in between: find out which, then \`ssh-keygen -R\` removes the old one`;
    case 'denied':
      return `${host} does not let Curfew in without a password${quoted(detail)}; it uses your ssh keys and agent, so \`ssh -o BatchMode=yes ${host} true\` must work`;
    case 'silent':
      return `${host} gave no answer in time; it is overloaded, or the connection to it is stuck`;
    case 'broken':
      return `the connection to ${host} broke off${quoted(detail)}`;
    case 'senseless':
      return `${host} can not be looked at: ${visibleText(detail)}`;
    case 'incapable':
      return `${host} can not be looked at: ${visibleText(detail)}`;
    case 'same-machine':
      return `${host} is this very machine, which is watched without ssh`;
    case 'no-ssh':
      return `${host} can not be looked at, because there is no program \`ssh\` on this machine; install OpenSSH`;
    case 'other':
      return `${host} can not be looked at: ${visibleText(detail)}`;
  }
};
