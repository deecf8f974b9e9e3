import type { RegistryReader } from '../common/session-registry.ts';
import { CodexRecords } from './records.ts';
import { codexSessions as openRollouts } from './rollouts.ts';

/**
 * Sessions of Codex: transcripts that its processes hold open, and transcripts of sessions that
 * other processes name.
 */
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
