// npm start: builds, then starts the tray app; without Electron or a display it says so in one line
// and starts the same interface as a loopback page. Arguments after `--` go to the one that starts.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';
import { sessionServices } from './session-bus.ts';
import { cannotStart, findElectron, whyNoDesktop } from './desktop.ts';

const root = join(import.meta.dirname, '../..');
const shell = join(root, 'build/out/shell/main.js');
const curfew = join(root, 'build/out/cli/curfew.js');
const given = process.argv.slice(2);
const environment = {
  ...process.env,
  PATH: [join(root, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter),
};

/** Runs a command with our terminal until it ends; signals reach it. */
const run = async (command: string, args: readonly string[]): Promise<number> => {
  const child = spawn(command, args, { cwd: root, env: environment, stdio: 'inherit' });
  // A terminal's Ctrl-C reaches the child directly; signals to this process only are passed on.
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  process.on('SIGHUP', () => child.kill('SIGHUP'));
  process.on('SIGINT', () => undefined);
  const { promise, resolve } = Promise.withResolvers<number>();
  child.on('error', (error) => {
    console.error(`npm start: ${command} could not be started: ${error.message}`);
    resolve(3);
  });
  child.on('close', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  return promise;
};

const trayProgram = async (): Promise<{ readonly program: string } | { readonly reason: string }> => {
  const uid = process.getuid?.() ?? null;
  const asks = process.platform === 'linux' && uid !== null;
  const reason = whyNoDesktop({
    platform: process.platform,
    environment: process.env,
    uid,
    session: asks ? await sessionServices(process.env, uid) : null,
  });
  if (reason !== null) return { reason };
  if (!existsSync(shell)) return { reason: 'the tray app was not built' };
  return findElectron();
};

const built = spawnSync('vite', ['build', '--app', '--config', 'build/vite.config.ts', '--logLevel', 'warn'], {
  cwd: root,
  env: environment,
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
if (built.status === 0) {
  const tray = await trayProgram();
  // The folder, not the file: package.json names the app's entry, and the app locates itself by it.
  const status = 'program' in tray ? await run(tray.program, [root, ...given]) : null;
  const reason = 'program' in tray ? cannotStart(status) : tray.reason;
  if (reason === null) process.exitCode = status ?? 3;
  else {
    console.error(`npm start: no tray app here (${reason}), so the same interface comes as a page:`);
    process.exitCode = await run(process.execPath, [curfew, 'web', ...given]);
  }
} else process.exitCode = built.status ?? 3;
