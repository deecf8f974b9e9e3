import { port, wholeNumber } from './arguments.ts';
import { Option } from 'commander';

const name = '--metrics-port';

/** Returns the option of a command that watches and may serve numbers for Prometheus meanwhile. */
export const metricsPort = (): Option =>
  new Option(`${name} <number>`, 'serves numbers for Prometheus on this port of this machine; 0 for any').argParser(
    port(name),
  );

/** What `--signal` is. */
export const firstSignalText = 'the first signal: TERM, INT, HUP, QUIT';

/** `--json`. */
export const json = (): Option => new Option('--json', 'one JSON document on standard output and nothing else there');
/** `--uid`. */
export const uid = (): Option =>
  new Option('--uid <id>', 'whose processes are candidates, by number; yours if left out').argParser(
    wholeNumber('--uid', 0),
  );
/** Options of most commands, as commander hands them on. */
export interface Common {
  readonly json?: true;
  readonly uid?: number;
  readonly host?: string;
}

/** Returns what most commands take of them. */
export const common = (
  options: Pick<Common, 'json' | 'uid'>,
): { readonly json: boolean; readonly uid: number | null } => ({
  json: options.json === true,
  uid: options.uid ?? null,
});
