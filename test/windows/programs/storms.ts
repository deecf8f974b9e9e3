// node test/windows/programs/storms.ts CURFEW.JS: runs commands under `curfew run` that start
// others faster than a look takes, on this Windows or on one that Wine makes, and says what is left
// of them and what the history has. Ends only what it started.
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, isWine, openWindow, sum, tidy } from './tried.ts';

const curfew = resolve(process.argv[2] ?? 'build/out/cli/curfew.js');
const folder = mkdtempSync(join(tmpdir(), 'curfew-storms-'));
const beats = join(folder, 'beats');
mkdirSync(beats);

/** Starts one like itself without a console and ends, for ever; each leaves a file in passing. */
const storm = join(folder, 'storm.cjs');
writeFileSync(
  storm,
  `const { spawn } = require('node:child_process');
  const start = (name) =>
    spawn(process.execPath, [__filename, 'hop', name], { stdio: 'ignore', detached: true }).unref();
  if (process.argv[2] === 'hop') {
    require('node:fs').writeFileSync(${JSON.stringify(beats)} + '/' + process.argv[3] + '-' + process.pid + '-' + Date.now(), '');
    start(process.argv[3]);
    process.exit();
  }
  for (let one = 0; one < Number(process.argv[2]); one += 1) start(String(one));
  setInterval(() => {}, 1000);`,
);

const call = (...args: readonly string[]): { readonly status: number | null; readonly said: string } => {
  const file = join(folder, 'said.txt');
  const output = openSync(file, 'w');
  const { status } = spawnSync(process.execPath, [curfew, ...args], {
    cwd: folder,
    env: { ...process.env, CURFEW_HOME: join(folder, 'home') },
    stdio: ['ignore', output, output],
    windowsHide: true,
    timeout: 120_000,
  });
  closeSync(output);
  return { status, said: readFileSync(file, 'utf8') };
};

const passed = (): number => readdirSync(beats).length;

const window = openWindow();
await sleep(1_000);
for (const count of [1, 6]) {
  const before = passed();
  const began = performance.now();
  const { status, said } = call(
    'run',
    '--json',
    '--max-elapsed',
    '6s',
    '--grace',
    '1s',
    '--',
    process.execPath,
    storm,
    `${count}`,
  );
  const seconds = (performance.now() - began) / 1000;
  const hops = passed() - before;
  await sleep(500);
  const after = passed();
  await sleep(3_000);
  console.log(`${count} that hop: ${hops} processes in ${seconds.toFixed(1)} s`);
  expect('the storm was one', true, hops > 3 * count);
  expect('its limit holds', 124, status);
  // Wine 8 keeps no limit of processes, and one of a storm was seen to outlive its job there.
  if (isWine) console.log(`afterwards: ${passed() - after} more`);
  else expect('nothing of it goes on', after, passed());
  if (status !== 124) console.log(said);
  const end = (JSON.parse(said.slice(said.indexOf('{'), said.lastIndexOf('}') + 1)) as { end: { outcome: string } })
    .end;
  expect('the record says that it was ended', 'killed', end.outcome);
}
const { said } = call('history', '--json');
const { incidents } = JSON.parse(said) as {
  readonly incidents: readonly { readonly outcome: string; readonly freed: { readonly processes: number } }[];
};
expect(
  'the history has both',
  ['killed', 'killed'],
  incidents.map(({ outcome }) => outcome),
);
console.log(`ended by the history: ${incidents.map(({ freed }) => freed.processes).join(', ')}`);
window?.kill();
tidy(folder);
sum();
