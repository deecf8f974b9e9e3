// node --import …/register.ts build/out/shell/main.js: runs the built app under plain Node, with
// the stand-in for Electron in the place of `electron`. Its events go to the socket that
// $CURFEW_STAND_IN_SOCKET names, and orders from it are carried out.
import { registerHooks } from 'node:module';
import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { desktop } from './desktop.ts';
import type { DesktopEvent, DesktopOrder } from './events.ts';
import { app } from './fake-app.ts';
import { obey } from './obey.ts';

const standIn = new URL('electron.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: standIn, shortCircuit: true } : next(specifier, context),
});

const socketPath = process.env['CURFEW_STAND_IN_SOCKET'];
if (socketPath === undefined) throw new Error('CURFEW_STAND_IN_SOCKET names no socket');

const listeners = new Set<Socket>();

const write = (socket: Socket, line: unknown): void => {
  const text = JSON.stringify(line, (_key, value: unknown) =>
    value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value,
  );
  socket.write(`${text}\n`);
};

const answer = async (
  socket: Socket,
  { id, order }: { readonly id: number; readonly order: DesktopOrder },
): Promise<void> => {
  try {
    const value = await obey(order);
    write(socket, { id, value: value ?? null });
  } catch (error) {
    write(socket, { id, error: error instanceof Error ? error.message : String(error) });
  }
};

const server = createServer((socket) => {
  for (const event of desktop.told) write(socket, { event });
  listeners.add(socket);
  socket.on('close', () => listeners.delete(socket));
  socket.on('error', () => listeners.delete(socket));
  const lines = createInterface({ input: socket });
  lines.on('error', () => listeners.delete(socket));
  lines.on('line', (line) => {
    void answer(socket, JSON.parse(line) as { readonly id: number; readonly order: DesktopOrder });
  });
});

desktop.drawnElsewhere = true;
desktop.listener = (event: DesktopEvent) => {
  for (const socket of listeners) write(socket, { event });
  if (event.kind !== 'exit') return;
  // What was written is sent first.
  for (const socket of listeners) socket.end();
  setTimeout(() => process.exit(event.code), 50);
};

// As Electron does on these signals: shell/browser/electron_browser_main_parts_posix.cc.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => app.quit());

await new Promise<void>((resolve, reject) => {
  server.once('error', reject).listen(socketPath, resolve);
});
// The socket alone does not keep the process alive: Electron's own loop does that, until the app
// exits.
