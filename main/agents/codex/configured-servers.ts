import { join } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import { z } from 'zod';
import type { ConfiguredServer } from '../../../app/agents/common/configured-server.ts';
import { once } from '../../../app/format/once.ts';
import { SmallFiles } from '../../os/files/small-file.ts';

const settings = once(() => z.object({ mcp_servers: z.record(z.string(), z.unknown()) }));
const server = once(() => z.object({ command: z.string().min(1), args: z.array(z.string()).default([]) }));

const serversIn = (text: string): readonly ConfiguredServer[] | null => {
  let read: unknown;
  try {
    read = parse(text);
  } catch (error) {
    if (error instanceof TomlError) return null;
    throw error;
  }
  const { success, data } = settings().safeParse(read);
  if (!success) return [];
  // Those with a URL are no processes of Codex.
  return Object.values(data.mcp_servers).flatMap((one) => server().safeParse(one).data ?? []);
};

/**
 * Reads the MCP servers that `~/.codex/config.toml` names (`CODEX_HOME` moves the folder), again
 * whenever it has changed. A file that can't be read names none.
 */
export const codexConfiguredServers = (home: string, uid: number): (() => readonly ConfiguredServer[]) => {
  const files = new SmallFiles(uid, serversIn);
  const path = join(process.env['CODEX_HOME'] ?? join(home, '.codex'), 'config.toml');
  return () => {
    const file = files.read(path, Date.now());
    return file.state === 'read' ? file.value : [];
  };
};
