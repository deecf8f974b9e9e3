import type { Bench } from './bench.ts';
import { scanBench } from './scan.ts';

/** Every bench, in the order in which they run. */
export const benches: readonly Bench[] = [scanBench];
