import { join } from 'node:path';
import { say } from '../../../app/text/say.ts';
import { type AgentHookInstaller, type AgentPlaces, folderFrom, groupedContent } from '../hooks/form/agent-hooks.ts';
import { codexHooks as form } from '../../../app/agents/codex/answers.ts';
import { type McpForm, plainServer } from '../entries/form/entry.ts';
import { parse, TomlError } from 'smol-toml';
import { z } from 'zod';
import type { ConfiguredServer } from '../../../app/agents/common/configured-server.ts';
import { once } from '../../../app/format/once.ts';
import { SmallFiles } from '../../os/files/small-file.ts';
import type { RegistryReader } from '../common/session-registry.ts';
import { CodexRecords, codexSessions as openRollouts } from './records.ts';

/** Codex's sessions: transcripts that its processes hold open, or that others name. */
export const codexSessions: RegistryReader = {
  open: ({ files }) => {
    const records = new CodexRecords(files);
    return {
      read: ({ table, folders, named, holders, probing }) => {
        const living = openRollouts(table, holders);
        const others = named.filter((id) => !living.some((one) => one.id === id));
        return {
          sessions: [...living, ...records.read(folders, others, table, probing)],
          // It keeps no registry: a session without a transcript is not known to be gone.
          complete: false,
          unclear: [],
          adoptions: [],
          kept: [],
        };
      },
      hasTranscript: 'none',
    };
  },
  showsInOpenFiles: true,
};

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

/** How a server gets into Codex CLI's `config.toml` (0.169, observed). */
export const codexMcp: McpForm = {
  agent: 'codex',
  folder: (places) => folderFrom(places, 'CODEX_HOME', '.codex'),
  file: (places) => `${folderFrom(places, 'CODEX_HOME', '.codex')}/config.toml`,
  format: 'toml',
  path: ['mcp_servers'],
  value: plainServer,
  afterwards: say(
    'The terminal of Codex runs the servers of all its sessions in one process, so whose server it is can’t be proved there, and its tools say so.',
  ),
};

const folder = (places: AgentPlaces): string => folderFrom(places, 'CODEX_HOME', '.codex');

/** How hooks get into Codex CLI's `hooks.json`, which has Claude Code's form. */
export const codexInstaller: AgentHookInstaller = {
  agent: 'codex',
  folder,
  file: (places) => `${folder(places)}/hooks.json`,
  content: groupedContent(form),
  onWindows: 'any-shell',
  afterwards: say(
    'Codex runs new hooks only after you have trusted them once: start `codex` and approve them when it asks.',
  ),
};
