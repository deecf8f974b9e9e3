import { environmentNames } from '../../app/agents/signatures.ts';
import type { Terms } from '../../app/judge/context.ts';
import { asPid } from '../../app/process/identity.ts';
import type { RemoteHead } from '../../app/remote/head.ts';
import type { Settings } from '../../app/settings/settings.ts';
import { SessionReader } from '../agents/session-directory.ts';
import { evidenceFrom } from '../observing/evidence.ts';
import type { LedgerMemory } from '../observing/observer-tools.ts';
import { Observer } from '../observing/observer.ts';
import { RemoteAgentFiles } from './answers/agent-files.ts';
import { RemoteSource } from '../os/recorded/source.ts';

export interface HostSessionTools {
  readonly settings: () => Settings;
  readonly ledger: LedgerMemory;
  readonly terms?: Terms;
  readonly announces?: boolean;
  readonly allServers?: boolean;
}

export interface HostSession {
  head: RemoteHead;
  readonly source: RemoteSource;
  readonly observer: Observer;
  files: RemoteAgentFiles;
  outputBytes: ReadonlyMap<string, number>;
  /** Reads processes as the latest look judged them; null before the first. */
  judged: ReturnType<RemoteSource['reader']> | null;
}

/**
 * Returns the state of the boot of a machine that answered with this head, before its first look.
 */
export const openHostSession = (head: RemoteHead, tools: HostSessionTools): HostSession => {
  const source = new RemoteSource(head, environmentNames);
  const { settings, ledger, terms, announces, allServers } = tools;
  const latest = (): HostSession => session;
  const sessions = new SessionReader({
    source,
    home: head.home,
    uid: head.uid,
    elsewhere: {
      nowMs: () => latest().head.time,
      machineId: head.id,
      files: {
        stamp: (path) => latest().files.stamp(path),
        text: (path) => latest().files.text(path),
        names: (path, most) => latest().files.names(path, most),
      },
    },
  });
  const observer = new Observer({
    source,
    evidence: evidenceFrom(
      source,
      () => settings().rules,
      () => source.scan().rows,
    ),
    readSessions: (table) => sessions.read(table),
    ledger,
    settings,
    now: Date.now,
    fileBytes: (path) => latest().outputBytes.get(path) ?? null,
    freeBytes: () => null,
    numberIn: () => null,
    ownPid: () => asPid(latest().head.self),
    ...(terms === undefined ? {} : { terms }),
    ...(announces === true ? { announces } : {}),
    ...(allServers === true ? { allServers } : {}),
  });
  const session: HostSession = {
    head,
    source,
    observer,
    files: new RemoteAgentFiles([], []),
    outputBytes: new Map(),
    judged: null,
  };
  return session;
};
