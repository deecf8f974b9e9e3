import type { RegistryReader } from '../common/session-registry.ts';
import { adoptionsByOpenFiles, ClaudeAdoptions } from './adoptions.ts';
import { pidDomainOf } from './pid-domain.ts';
import { ClaudeRegistry } from './registry.ts';
import { ClaudeTranscripts } from './transcripts.ts';

/**
 * Sessions of Claude Code: its registry, the daemon's notes of sessions that went to the
 * background, transcripts and open files.
 */
export const claudeCodeSessions: RegistryReader = {
  open: (machine) => {
    const { uid, files } = machine;
    const registry = new ClaudeRegistry(uid, pidDomainOf(machine), files);
    const adoptions = new ClaudeAdoptions(uid, files);
    const transcripts = new ClaudeTranscripts(files);
    return {
      read: ({ table, folders, holders, opaque, nowMs, namedInside }) => {
        const { sessions, complete, unclear } = registry.read(folders, table, namedInside);
        const adopted = [...adoptionsByOpenFiles(table, holders), ...adoptions.byRoster(folders, table)];
        const kept = adoptions.handedOver(folders, nowMs);
        return {
          sessions,
          complete: complete && !opaque,
          unclear: [...unclear, ...adoptions.unclear],
          adoptions: adopted,
          kept,
        };
      },
      hasTranscript: (folders, session) => transcripts.has(folders, session),
    };
  },
  showsInOpenFiles: true,
};
