import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Scene } from '../../os/scene/scene.ts';

const bridge = join(import.meta.dirname, '../programs/bridge.ts');
let lines = 0;

/** Messages to and from a debugger inside a scene. */
export interface DebuggerLine {
  readonly send: (message: object) => void;
  readonly close: () => void;
  onmessage?: (message: object) => void;
  onclose?: (reason?: string) => void;
}

const connected = async (path: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = createConnection(path);
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
  });

/** Opens a line to a debugger's WebSocket in a scene, which has a network of its own. */
export const debuggerLine = async (stage: Scene, address: string): Promise<DebuggerLine> => {
  lines += 1;
  const path = `/tmp/scene/control/debugger-${lines}`;
  await stage.first.start({
    file: process.execPath,
    argv: [process.execPath, bridge, path, address],
    env: stage.userEnvironment(),
    setsid: true,
    fds: { 0: '/dev/null', 1: '/dev/null', 2: stage.write(`/tmp/scene/runs/debugger-${lines}.err`, '') },
  });
  await stage.until('the bridge to the debugger is up', () => stage.has(path));
  const socket = await connected(stage.outside(path));
  const line: DebuggerLine = {
    send: (message) => void socket.write(`${JSON.stringify(message)}\n`),
    close: () => void socket.destroy(),
  };
  createInterface({ input: socket }).on('line', (text) => line.onmessage?.(JSON.parse(text) as object));
  socket.on('error', () => undefined);
  socket.on('close', () => line.onclose?.());
  return line;
};
