import { codeOf } from '../../app/format/error-message.ts';
import { closeSync, constants, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { agentIds, type AgentId } from '../../app/agents/common/agent-id.ts';
import { once } from '../../app/format/once.ts';
import { readBoundedFile } from '../os/files/bounded-read.ts';
import { openRegularFile } from '../os/files/own-file.ts';
import type { Places } from './places.ts';

/** About 50,000 lines. A longer file is not read, so what it says is unknown. Bytes. */
const maxBytes = 8 * 1024 * 1024;

const lineSchema = once(() => z.object({ agent: z.enum(agentIds), seen: z.string().max(4096) }));

/** Something of an agent's that a look saw. */
interface Seen {
  readonly agent: AgentId;
  readonly seen: string;
}

/** Stands for folders beyond the limit of what is remembered: where they are is unknown. */
export const furtherFolders = '/dev/null/further';

const keyOf = ({ agent, seen }: Seen): string => `${agent} ${seen}`;

/** What was ever seen of agents, in a growing file to which processes add, losing nothing. */
export class SeenList {
  readonly #path: string;
  readonly #added = new Set<string>();

  constructor(path: string) {
    this.#path = path;
  }

  /** What was seen; null: unknown, because the file is there and can't be read. */
  read(): readonly Seen[] | null {
    try {
      const file = readBoundedFile(this.#path, maxBytes);
      if (file.kind !== 'read') return null;
      return file.bytes
        .toString('utf8')
        .split('\n')
        .flatMap((line) => {
          try {
            return [lineSchema().parse(JSON.parse(line))];
          } catch {
            // The end of a line that a full disk cut off: who wrote it writes it again.
            return [];
          }
        });
    } catch (error) {
      return codeOf(error) === 'ENOENT' ? [] : null;
    }
  }

  /** Adds what is new. Never throws: what can't be written is tried again next time. */
  add(all: readonly Seen[]): void {
    const fresh = all.filter((one) => !this.#added.has(keyOf(one)));
    if (fresh.length === 0) return;
    const known = new Set(this.read()?.map(keyOf) ?? []);
    const missing = fresh.filter((one) => !known.has(keyOf(one)));
    try {
      if (missing.length > 0)
        // The line feed in front ends a line that was cut off.
        this.#append(missing.map((one) => `\n${JSON.stringify(one)}\n`).join(''));
    } catch {
      return;
    }
    for (const one of fresh) this.#added.add(keyOf(one));
  }

  #append(text: string): void {
    const { O_WRONLY, O_APPEND, O_CREAT } = constants;
    const descriptor = openRegularFile(this.#path, O_WRONLY | O_APPEND | O_CREAT, 0o600);
    try {
      writeFileSync(descriptor, text);
    } finally {
      closeSync(descriptor);
    }
  }
}

/** Every folder in which an agent was seen to keep its sessions, but the usual one. */
export const seenFolders = ({ state }: Pick<Places, 'state'>): SeenList =>
  new SeenList(join(state, 'seen-folders.jsonl'));

/** Every session with outputs whose transcript was seen. */
export const seenTranscripts = ({ state }: Pick<Places, 'state'>): SeenList =>
  new SeenList(join(state, 'seen-transcripts.jsonl'));
