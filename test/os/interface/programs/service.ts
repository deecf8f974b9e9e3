// node service.ts SOCKET: a carrier without a window. Opens the service and relays messages over a
// Unix socket, one JSON document a line: questions in, answers and events out. Ends cleanly on
// TERM; prints warnings of the service on standard error.
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { answerQuestion } from '../../../../app/contract/answerers.ts';
import { openService } from '../../../../main/interface/service.ts';
import type { ExportContent } from '../../../../main/interface/answers/surface.ts';

const [socket = ''] = process.argv.slice(2);
const done = { ok: true, value: {} } as const;

const service = await openService({
  what: 'web',
  uid: null,
  // There is no window that would be looked at.
  noticesCount: 'given',
  warn: (text) => console.error(text),
  surface: {
    kind: 'page',
    open: () => done,
    openPath: async () => ({ ok: true, value: { did: 'shown' } }),
    openPort: async () => done,
    shortcut: () => 'unsupported',
    copy: () => done,
    quit: () => done,
    save: async ({ name, pieces }: ExportContent) => {
      const path = `/tmp/${name}`;
      writeFileSync(path, '');
      for (const piece of pieces()) appendFileSync(path, piece);
      return { ok: true, value: { kind: 'file', path } };
    },
    autostart: null,
  },
}).catch((error: unknown) => {
  console.error(error instanceof Error ? `${error.name}: ${error.message}` : error);
  process.exit(1);
});

const server = createServer((connection) => {
  const say = (document: unknown): void => void connection.write(`${JSON.stringify(document)}\n`);
  say({ kind: 'snapshot', snapshot: service.snapshot() });
  const end = service.subscribe(say);
  connection.on('close', end);
  connection.on('error', end);
  createInterface({ input: connection }).on('line', (line) => {
    const { id, name, input } = JSON.parse(line) as { id: number; name: unknown; input: unknown };
    void answerQuestion(service.answerers, name, input, service.report).then((answer) =>
      say({ kind: 'answer', id, answer }),
    );
  });
});
server.listen(socket);

process.once('SIGTERM', () => {
  void service.stop().then(() => {
    rmSync(socket, { force: true });
    process.exit(0);
  });
});
