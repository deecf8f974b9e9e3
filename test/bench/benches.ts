import type { Bench } from './bench.ts';
import { guardBench } from './guard.ts';
import { hostsBench } from './hosts.ts';
import { scanBench } from './scan.ts';

/** Every bench, in the order in which they run. */
export const benches: readonly Bench[] = [guardBench, scanBench, hostsBench];
