import type { Said } from '../format/said.ts';
import { visibleText } from '../format/visible.ts';
import type { HostProblem } from '../remote/host-problem.ts';
import { say } from './say.ts';

/** Says in one line what happened, what it means and what to do. */
export const sayHostProblem = (host: string, problem: HostProblem): Said => {
  const detail = visibleText(problem.detail);
  const [told, untold] = [{ host, detail }, { host }];
  switch (problem.code) {
    case 'unreachable':
      return detail === ''
        ? say('{host} can’t be reached; is it running, and does `ssh {host}` work?', untold)
        : say('{host} can’t be reached ({detail}); is it running, and does `ssh {host}` work?', told);
    case 'unknown-name':
      return detail === ''
        ? say('ssh does not know {host}; is it in ~/.ssh/config, or misspelled?', untold)
        : say('ssh does not know {host} ({detail}); is it in ~/.ssh/config, or misspelled?', told);
    case 'unknown-key':
      return say('the host key of {host} is not known here yet; connect once with `ssh {host}` and check it', untold);
    case 'changed-key':
      return say(
        '{host} shows another host key than before, so nothing was done; it was reinstalled, or the connection is intercepted: find out which, then `ssh-keygen -R` removes the old one',
        untold,
      );
    case 'denied':
      return detail === ''
        ? say(
            '{host} does not let Curfew in without a password; it uses your ssh keys and agent, so `ssh -o BatchMode=yes {host} true` must work',
            untold,
          )
        : say(
            '{host} does not let Curfew in without a password ({detail}); it uses your ssh keys and agent, so `ssh -o BatchMode=yes {host} true` must work',
            told,
          );
    case 'silent':
      return say('{host} gave no answer in time; it is overloaded, or the connection to it is stuck', untold);
    case 'broken':
      return detail === ''
        ? say('the connection to {host} broke off', untold)
        : say('the connection to {host} broke off ({detail})', told);
    case 'senseless':
    case 'incapable':
    case 'other':
      return say('{host} can’t be watched: {detail}', told);
    case 'same-machine':
      return say('{host} is this machine, which is watched without ssh', untold);
    case 'no-ssh':
      return say('{host} can’t be watched: there is no program `ssh` on this machine; install OpenSSH', untold);
  }
};
