import { type Outcome, outcomes } from '../../../app/history/incident.ts';
import type { AgentId } from '../../../app/agents/common/agent-id.ts';
import { agentNamed, offeredAgentNames } from '../../../app/agents/names.ts';
import { parseDuration } from '../../../app/settings/duration.ts';
import { isHostName, localHost } from '../../../app/remote/host-list.ts';
import { jobKinds, type JobKind } from '../../../app/model/job.ts';
import { firstSignalNames, type FirstSignalName } from '../../../app/process/signal.ts';
import { type WrongCall, wrongCall } from './exit-status.ts';

const notAllowed = (option: string, text: string, choices: readonly string[]): WrongCall =>
  wrongCall('{option} {text}: allowed are {choices}', {
    option,
    text: JSON.stringify(text),
    choices: choices.join(', '),
  });

/**
 * Returns a parser of a duration option, in seconds.
 * @throws WrongCall
 */
export const seconds =
  (option: string) =>
  (text: string): number => {
    const duration = parseDuration(text);
    if (duration.ok) return duration.seconds;
    throw wrongCall('{option} {text}: a duration is 90 or 90s, 30m, 4h or 2d', { option, text: JSON.stringify(text) });
  };

/**
 * Parses an amount of memory, of at least 1 GiB: below that ordinary builds are ended.
 * @throws WrongCall
 */
export const memoryAmount = (text: string): string => {
  const [, count, unit] = /^([1-9]\d{0,6})([MGT])$/u.exec(text.toUpperCase()) ?? [];
  if (count !== undefined && (unit !== 'M' || Number(count) >= 1024)) return `${count}${unit ?? ''}`;
  throw wrongCall('--memory {text}: an amount is 8G, 2048M or 1T, and at least 1G', { text: JSON.stringify(text) });
};

const units: Readonly<Record<string, number>> = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };

/** Nothing starts in less. */
const minBytes = 16 * 2 ** 20;

/**
 * Parses a size, in bytes.
 * @throws WrongCall
 */
export const sizeBytes =
  (option: string) =>
  (text: string): number => {
    const [, count, unit = ''] = /^([1-9]\d{0,15})([KMGT]?)$/u.exec(text.toUpperCase()) ?? [];
    const bytes = Number(count) * (units[unit] ?? 1);
    if (Number.isSafeInteger(bytes) && bytes >= minBytes) return bytes;
    throw wrongCall('{option} {text}: a size is 512M, 8G or 1T, and at least 16M', {
      option,
      text: JSON.stringify(text),
    });
  };

/**
 * Parses a signal option, with or without SIG.
 * @throws WrongCall
 */
export const signalName = (text: string): FirstSignalName => {
  const name = text.toUpperCase().replace(/^SIG/u, '');
  const known = firstSignalNames.find((one) => one === name);
  if (known !== undefined) return known;
  throw notAllowed('--signal', text, firstSignalNames);
};

/**
 * Parses an agent by its id or a common name.
 * @throws WrongCall, which lists the known ones
 */
export const agentOption = (text: string): AgentId => {
  const agent = agentNamed(text);
  if (agent !== null) return agent;
  throw wrongCall('there is no agent {name}; there are {known}', {
    name: JSON.stringify(text),
    known: offeredAgentNames.join(', '),
  });
};

/** The outcomes by the words of the tables: what records call `reaped` is shown as ended. */
export const offeredOutcomes = outcomes.map((outcome) => (outcome === 'reaped' ? 'ended' : outcome));

/**
 * Returns an outcome by the word that tables show, or by its name in records.
 * @throws WrongCall
 */
export const outcomeOption = (text: string): Outcome => {
  const found = outcomes.find((outcome, at) => text === outcome || text === offeredOutcomes[at]);
  if (found !== undefined) return found;
  throw wrongCall('there is no outcome {name}; there are {known}', {
    name: JSON.stringify(text),
    known: offeredOutcomes.join(', '),
  });
};

/**
 * Returns a parser of a whole number option of at least `min`.
 * @throws WrongCall
 */
export const wholeNumber =
  (option: string, min: number) =>
  (text: string): number => {
    const value = Number(text);
    if (/^\d+$/u.test(text) && Number.isSafeInteger(value) && value >= min) return value;
    throw wrongCall('{option} {text}: a whole number of at least {min} is allowed', {
      option,
      text: JSON.stringify(text),
      min,
    });
  };

const maxPort = 65_535;

/**
 * Returns a parser of an option that names a port; 0 is any.
 * @throws WrongCall
 */
export const port =
  (option: string) =>
  (text: string): number => {
    const value = wholeNumber(option, 0)(text);
    if (value <= maxPort) return value;
    throw wrongCall('{option} {text}: a port is at most {max}', { option, text: JSON.stringify(text), max: maxPort });
  };

/** Collects a repeatable option. */
export const collected = (text: string, before: readonly string[]): readonly string[] => [...before, text];

/**
 * Returns the machine that `--host` names; null for this one.
 * @throws WrongCall for an invalid name
 */
export const otherHost = ({ host, uid }: { readonly host?: string; readonly uid?: number }): string | null => {
  if (host === undefined || host === localHost) return null;
  if (!isHostName(host))
    throw wrongCall('--host {host}: a name from ~/.ssh/config or user@host is allowed', { host: JSON.stringify(host) });
  if (uid === undefined) return host;
  throw wrongCall('--uid is for this machine; on another one the user is who ssh logs in as: --host user@host');
};

/**
 * Collects the kinds of jobs of a repeatable option.
 * @throws WrongCall
 */
export const kindsFrom = (text: string, before: readonly JobKind[]): readonly JobKind[] => {
  const kind = jobKinds.find((one) => one === text);
  if (kind === undefined) throw notAllowed('--kind', text, jobKinds);
  return [...before, kind];
};
