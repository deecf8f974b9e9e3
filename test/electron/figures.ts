// figures.ts FILE, in a pid namespace: measures the variant of the desktop app on the real Electron
// and writes the figures into FILE (npm run measure:electron).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { createBuilder } from 'vite';
import { z } from 'zod';
import { FakeClaude } from '../os/scene/claude.ts';
import { lives, type Identity } from '../os/scene/processes.ts';
import { Scene } from '../os/scene/scene.ts';
import { layElectron, layEmptyApp, RealApp } from './support/app.ts';
import { debuggerLine } from './support/line.ts';
import { quick } from './support/on-electron.ts';
import { DesktopSession } from './support/session.ts';

const crowd = 1500;
const ended = 500;
/** Chromium and V8 free what a start took only after a while. */
const settleMs = 25_000;

/** Megabytes of a process and all below it, each shared page counted in parts (PSS). */
const memoryOf = (stage: Scene, { pid }: Identity): { readonly app: number; readonly sqlite: number } => {
  const table = stage.table();
  const below = (one: number): readonly number[] => [
    one,
    ...table.filter(({ ppid }) => ppid === one).flatMap((row) => below(row.pid)),
  ];
  let [app, sqlite] = [0, 0];
  for (const one of below(pid)) {
    const row = table.find((each) => each.pid === one);
    const kilobytes = Number(/^Pss:\s+(\d+) kB/mu.exec(stage.read(`/proc/${one}/smaps_rollup`))?.[1]);
    if (row?.argv.some((word) => word.includes('/sqlite/')) === true) sqlite += kilobytes / 1024;
    else app += kilobytes / 1024;
  }
  return { app: Math.round(app), sqlite: Math.round(sqlite) };
};

const reply = z.looseObject({
  id: z.int().optional(),
  result: z.looseObject({ result: z.looseObject({ value: z.unknown().optional() }) }).optional(),
});

/** Evaluates in the main process, through Node's own debugger. */
const mainProcess = async (stage: Scene, app: RealApp): Promise<(expression: string) => Promise<unknown>> => {
  const address = await stage.until(
    'the main process can be asked',
    () => /^Debugger listening on (?<address>\S+)$/mu.exec(app.errors())?.groups?.['address'],
  );
  const line = await debuggerLine(stage, address);
  const waiting = new Map<number, (value: unknown) => void>();
  const hear = (message: object): void => {
    const { id, result } = reply.parse(message);
    if (id !== undefined) waiting.get(id)?.(result?.result.value);
  };
  Object.assign(line, { onmessage: hear });
  return async (expression) => {
    const id = waiting.size + 1;
    const answered = new Promise((resolve) => waiting.set(id, resolve));
    line.send({ id, method: 'Runtime.evaluate', params: { expression, returnByValue: true } });
    return answered;
  };
};

const watchLoop = `(() => {
  const { monitorEventLoopDelay } = process.mainModule.require('node:perf_hooks');
  globalThis.loop = monitorEventLoopDelay({ resolution: 1 });
  globalThis.loop.enable();
})()`;

/** From now on the page asks the main process twenty times a second, and notes the longest wait. */
const watchPage = `(() => {
  globalThis.longest = 0;
  const ask = async () => {
    const at = performance.now();
    await curfew.ask('nothing', {});
    globalThis.longest = Math.max(globalThis.longest, performance.now() - at);
    setTimeout(ask, 50);
  };
  void ask();
})()`;

const measure = async (stage: Scene): Promise<Record<string, unknown>> => {
  await layElectron(stage);
  const session = await DesktopSession.open(stage, 'sni');
  const { user } = session;
  session.settings({ ...quick, scanIntervalSeconds: 1 });

  const empty = await session.start([await layEmptyApp(stage)]);
  await session.until('the empty app has a tray', async () => (await session.tip()).includes('Empty'));
  await sleep(settleMs);
  const emptyMegabytes = memoryOf(stage, empty.identity).app;
  await stage.first.signal(empty.identity.pid, 'TERM');
  await session.ended(empty.identity);

  const app = await RealApp.start(session, {}, ['--inspect=0']);
  const ask = await mainProcess(stage, app);
  await session.clickTray();
  await app.page('#/popover');
  await session.clickTray();
  await app.hides('#/popover');
  await session.until('the window is gone', async () => app.pages().length === 0);
  await sleep(settleMs);
  const idle = memoryOf(stage, app.identity);

  const many = `fork or do { sleep 99999; exit } for 1 .. ${crowd}; sleep 99999`;
  await session.start(['perl', '-e', many]);
  const claude = await FakeClaude.start(stage, { user });
  const { shell } = await claude.bash(`for n in $(seq ${ended - 1}); do sleep 36000 & done; wait`);
  const members = () => stage.table().filter((row) => lives(row) && row.sid === shell.pid);
  await stage.until('all of it runs', () => members().length >= ended && stage.table().length > crowd + ended);
  await claude.crash();
  await session.clickTray();
  const page = await app.page('#/popover');
  const end = page.getByRole('button', { name: new RegExp(`^End ${ended} processes`, 'u') });
  await end.waitFor();
  await page.evaluate(watchPage);
  await ask(watchLoop);
  await sleep(20_000);
  const longest = async (): Promise<{ readonly task: number; readonly wait: number }> => ({
    task: Math.round(Number(await ask('globalThis.loop.max / 1e6'))),
    wait: Math.round(Number(await page.evaluate('globalThis.longest'))),
  });
  const processes = stage.table().length;
  const scanning = await longest();
  await page.evaluate('globalThis.longest = 0');
  await ask('globalThis.loop.reset()');
  const load = Math.round(loadavg()[0] ?? 0);
  await end.click();
  await stage.until('all of it has ended', () => members().length === 0);
  await session.until('its end is recorded', async () =>
    (await session.history()).some(({ outcome }) => outcome === 'reaped'),
  );
  const ending = await longest();
  return {
    at: new Date().toISOString(),
    processes,
    ended,
    load,
    megabytes: { empty: emptyMegabytes, app: idle.app, sqlite: idle.sqlite },
    milliseconds: { scanning, ending },
  };
};

const [, , file = ''] = process.argv;
const configFile = join(import.meta.dirname, '../../build/electron/vite.config.ts');
const builder = await createBuilder({ configFile, logLevel: 'error' });
await builder.buildApp();
const stage = await Scene.open();
try {
  const measured = await measure(stage);
  console.log(measured);
  writeFileSync(file, `${JSON.stringify(measured, null, 2)}\n`);
} finally {
  await stage.close();
}
