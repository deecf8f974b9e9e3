import type { Holdings } from '../../../app/contract/claims/leftovers.ts';
import type { Language } from '../../texts/texts-context.ts';

/** At most this many ports are named. */
const maxPorts = 4;

/** Returns what jobs hold: memory, processes, ports. */
export const holdingsWords = (
  { rssBytes, processes, ports }: Omit<Holdings, 'jobs'>,
  { texts, format }: Language,
): string => {
  const { common, popover } = texts;
  const [port] = ports;
  return [
    format.bytes(rssBytes),
    common.processes(processes),
    ...(port === undefined
      ? []
      : ports.length === 1
        ? [common.port(port)]
        : ports.length <= maxPorts
          ? [common.ports(ports.join(', '))]
          : [popover.leftovers.ports(ports.length)]),
  ].join(' · ');
};

/** Returns the memory and the number of ports, for one short line. */
export const summaryOf = ({ rssBytes, ports }: Holdings, { texts, format }: Language): string =>
  [format.bytes(rssBytes), ...(ports.length === 0 ? [] : [texts.popover.leftovers.ports(ports.length)])].join(' · ');
