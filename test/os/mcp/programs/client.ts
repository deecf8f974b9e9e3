/**
 * A client of `curfew mcp`, as an agent's process would be: `client.ts CURFEW FOLDER`. Starts the
 * server, and begins the calls that are put into FOLDER as `<n>.call` (a name, its arguments) in
 * their order; what came is `<n>.answer`. The file `close` ends the server's input. With
 * CURFEW_TEST_HELD, a path, the input is a named pipe there, which another process holds open, too.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createWriteStream, existsSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const [curfew = '', folder = '.'] = process.argv.slice(2);
const { CURFEW_TEST_HELD: held, ...env } = process.env;
if (held !== undefined) {
  spawnSync('mkfifo', [held]);
  const holds = ['-c', 'exec 9<>"$0"; exec sleep 3600', held, 'held open'];
  spawn('bash', holds, { detached: true, stdio: 'ignore' }).unref();
  await sleep(500);
}
const input = held === undefined ? 'pipe' : openSync(held, 'r+');
const server = spawn(process.execPath, [curfew, 'mcp'], { env, stdio: [input, 'pipe', 'inherit'] });
const toServer = server.stdin ?? createWriteStream('', { fd: openSync(held ?? '', 'w') });
if (server.stdout === null) throw new Error('it has no output');
const waiting = new Map<number, (message: unknown) => void>();
let read = '';
server.stdout.setEncoding('utf8').on('data', (text: string) => {
  const lines = (read + text).split('\n');
  read = lines.pop() ?? '';
  for (const line of lines) {
    const message = JSON.parse(line) as { readonly id?: number };
    if (message.id !== undefined) waiting.get(message.id)?.(message);
  }
});
server.on('exit', (code, signal) => put('ended', { code, signal }));

let asked = 0;
const send = (message: object): void => void toServer.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const ask = async (method: string, params: unknown): Promise<unknown> => {
  const id = (asked += 1);
  const { promise, resolve } = Promise.withResolvers<unknown>();
  waiting.set(id, resolve);
  send({ id, method, params });
  return promise;
};
const put = (name: string, value: unknown): void => {
  writeFileSync(join(folder, `${name}.part`), JSON.stringify(value));
  renameSync(join(folder, `${name}.part`), join(folder, name));
};

const client = { name: 'test', version: '1' };
put('first.answer', await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: client }));
send({ method: 'notifications/initialized' });
put('tools.answer', await ask('tools/list', {}));
put('server', server.pid);
for (let number = 1; !existsSync(join(folder, 'close'));) {
  const path = join(folder, `${number}.call`);
  if (!existsSync(path)) {
    await sleep(20);
    continue;
  }
  const [name, given] = JSON.parse(readFileSync(path, 'utf8')) as [string, unknown];
  const call = number;
  void ask('tools/call', { name, arguments: given }).then((answer) => put(`${call}.answer`, answer));
  number += 1;
}
toServer.end();
