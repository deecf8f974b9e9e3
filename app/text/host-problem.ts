import { type Said, withTexts } from '../format/said.ts';
import { visibleText } from '../format/visible.ts';
import type { HostProblem, HostProblemCode } from '../remote/host-problem.ts';
import { bracketed, type FormWith, sayOf } from './form.ts';

interface OfHost {
  readonly host: string;
  readonly problem: HostProblem;
}

const parts = {
  host: ({ host }: OfHost) => host,
  why: ({ problem }: OfHost) => withTexts(problem.detail, visibleText),
  detail: ({ problem }: OfHost) => bracketed(withTexts(problem.detail, visibleText)),
};

const unwatched = '{host} can’t be watched: {why}';

const forms: Readonly<Record<HostProblemCode, FormWith<keyof typeof parts>>> = {
  unreachable: '{host} can’t be reached{detail}; is it running, and does `ssh {host}` work?',
  'unknown-name': 'ssh does not know {host}{detail}; is it in ~/.ssh/config, or misspelled?',
  'unknown-key': 'the host key of {host} is not known here yet; connect once with `ssh {host}` and check it',
  'changed-key':
    '{host} shows another host key than before, so nothing was done; it was reinstalled, or the connection is intercepted: find out which, then `ssh-keygen -R` removes the old one',
  denied:
    '{host} does not let Curfew in without a password{detail}; it uses your ssh keys and agent, so `ssh -o BatchMode=yes {host} true` must work',
  silent: '{host} gave no answer in time; it is overloaded, or the connection to it is stuck',
  broken: 'the connection to {host} broke off{detail}',
  senseless: unwatched,
  incapable: unwatched,
  other: unwatched,
  'same-machine': '{host} is this machine, which is watched without ssh',
  'no-ssh': '{host} can’t be watched: there is no program `ssh` on this machine; install OpenSSH',
};

/** Says in one line what happened, what it means and what to do. */
export const sayHostProblem = (host: string, problem: HostProblem): Said =>
  sayOf(forms[problem.code], parts, { host, problem });
