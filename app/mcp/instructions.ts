/** What an agent is told of the whole server. */
export const serverInstructions =
  'Curfew watches what agents leave running. Ask it what of this session still runs before you start something again, and end what is not needed any more. It answers about this session only.';
