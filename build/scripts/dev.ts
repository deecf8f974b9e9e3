// npm run dev: the interface with hot reload, over a live supervisor from the sources. It has its
// own home (build/out/dev-home, or CURFEW_HOME) with no mode chosen, so it ends nothing on its own;
// the buttons work.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build, createServer } from 'vite';
import { z } from 'zod';

const root = join(import.meta.dirname, '../..');
const home = process.env['CURFEW_HOME'] ?? join(root, 'build/out/dev-home');
const address = z.object({ url: z.url(), port: z.int() });

// `curfew web` starts only with a built page, even if another one is served here.
if (!existsSync(join(root, 'build/out/renderer/index.html')))
  await build({ configFile: join(root, 'build/vite.config.ts'), logLevel: 'warn' });

const supervisor = spawn(
  process.execPath,
  [join(root, 'main/cli/index.ts'), 'web', '--json', '--no-open', '--port', '0', ...process.argv.slice(2)],
  { cwd: root, env: { ...process.env, CURFEW_HOME: home }, stdio: ['ignore', 'pipe', 'inherit'] },
);
supervisor.on('close', (code) => process.exit(code ?? 1));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => supervisor.kill(signal));

const { promise: told, resolve: tell } = Promise.withResolvers<z.infer<typeof address>>();
createInterface({ input: supervisor.stdout }).on('line', (line) => tell(address.parse(JSON.parse(line))));
const { url, port } = await told;

const server = await createServer({
  configFile: false,
  root: join(root, 'renderer'),
  plugins: [react()],
  server: {
    // This machine only; pages of other origins get nothing, as from `curfew web` itself.
    host: '127.0.0.1',
    cors: false,
    fs: { allow: [root] },
    // Host and Origin pass unchanged: both name the address that the user opened.
    proxy: { '/api': { target: `http://127.0.0.1:${port}`, changeOrigin: false } },
  },
});
await server.listen();
const local = server.resolvedUrls?.local[0];
if (local === undefined) throw new Error('the development server has no address');
console.log(`${local}${new URL(url).hash}`);
