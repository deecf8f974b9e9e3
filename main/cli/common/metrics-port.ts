import { Option } from 'commander';
import { port } from './arguments.ts';

const name = '--metrics-port';

/** Returns the option of a command that watches and may serve numbers for Prometheus meanwhile. */
export const metricsPort = (): Option =>
  new Option(`${name} <number>`, 'serves numbers for Prometheus on this port of this machine; 0 for any').argParser(
    port(name),
  );
