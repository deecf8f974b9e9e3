import type { RegistryReader } from '../common/session-registry.ts';
import { CopilotSessions } from './session-state.ts';

/**
 * Sessions of Copilot CLI: the state that it keeps of each in its folder, and the shells that it
 * means to outlive them.
 */
export const copilotSessions: RegistryReader = {
  open: ({ uid, files }) => {
    const known = new Map<string, CopilotSessions>();
    const statesIn = (folder: string): CopilotSessions => {
      const states = known.get(folder) ?? new CopilotSessions(uid, files);
      known.set(folder, states);
      return states;
    };
    return {
      read: ({ table, folders, named, namedInside }) => {
        const readings = folders.map((folder) => statesIn(folder).read(folder, table, named, namedInside));
        return {
          sessions: readings.flatMap(({ sessions }) => sessions),
          complete: readings.some(({ complete }) => complete),
          unclear: readings.flatMap(({ unclear }) => unclear),
          adoptions: [],
          kept: readings.flatMap(({ kept }) => kept),
        };
      },
      hasTranscript: 'none',
    };
  },
  showsInOpenFiles: false,
};
