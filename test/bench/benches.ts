import type { Bench } from './bench.ts';
import { commandBench } from './command.ts';
import { fleetBench } from './fleet.ts';
import { guardBench } from './guard.ts';
import { hostsBench } from './hosts.ts';
import { historyBench } from './history.ts';
import { idleBench } from './idle.ts';
import { mcpBench } from './mcp.ts';
import { overdueBench } from './overdue.ts';
import { popoverBench } from './popover.ts';
import { readyBench } from './ready.ts';
import { scanBench } from './scan.ts';
import { startBench } from './start.ts';
import { weekBench } from './week.ts';

/** All benches, in the order of their runs. */
export const benches: readonly Bench[] = [
  startBench,
  readyBench,
  commandBench,
  guardBench,
  mcpBench,
  scanBench,
  idleBench,
  weekBench,
  overdueBench,
  historyBench,
  hostsBench,
  fleetBench,
  popoverBench,
];
