import { expect } from 'vitest';
import type { Scene } from '../scene/scene.ts';

/** Writes down that looks saw no client of any helper for two hours. It runs in the scene. */
const writeDown = `
const { DatabaseSync } = require('node:sqlite');
const database = new DatabaseSync('/tmp/curfew-home/ledger.db');
for (const { id, body } of database.prepare('SELECT id, body FROM entry').all()) {
  const known = JSON.parse(body);
  if (known.server?.free === undefined) continue;
  known.server.free.seconds = 7300;
  database.prepare('UPDATE entry SET body = ? WHERE id = ?').run(JSON.stringify(known), id);
}
database.close();
`;

/** As if a Curfew had looked all the time for two hours and seen no client. */
export const watchedWithoutClient = async (stage: Scene): Promise<void> => {
  const script = stage.write('/tmp/work/free.cjs', writeDown);
  const node = { file: process.execPath, argv: ['node', script] as const };
  const { pid } = await stage.top.begin({ ...node, env: stage.userEnvironment(), cwd: stage.home });
  expect((await stage.top.ended(pid)).code).toBe(0);
};
