// Plays worlds on a Windows, one after the other: node play-lane.ts LANE.json. Run by a Windows
// Node; what came of each world is a line of results.jsonl in the lane's folder.
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bindWindows } from '../worlds/native.ts';
import type { Lane } from '../worlds/plan.ts';
import { playWorld } from '../worlds/play-world.ts';

const lane = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Lane;
const calls = bindWindows(lane.curfew);
const results = join(lane.folder, 'results.jsonl');

for (const world of lane.worlds) {
  if (Date.now() > lane.until) break;
  appendFileSync(results, `${JSON.stringify(await playWorld(world, calls, lane))}\n`);
}
process.exit(0);
