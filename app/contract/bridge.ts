import type { Answer } from './answer.ts';
import type { EventName, EventPayload, QuestionInput, QuestionName, QuestionOutput } from './contract.ts';

/** If the main process is reachable. `signed-out`: yes, but not by this browser; pages only. */
export type Connection = 'connecting' | 'connected' | 'lost' | 'signed-out';

/**
 * A window's access to the main process, over any carrier (Electron's channels, the loopback page,
 * a scene in tests). `ask` never rejects: a carrier that fails answers with a failure.
 */
export interface Bridge {
  ask<Name extends QuestionName>(name: Name, input: QuestionInput<Name>): Promise<Answer<QuestionOutput<Name>>>;
  /** Starts listening; the returned function stops it. For `snapshot` the latest soon follows. */
  on<Name extends EventName>(name: Name, listener: (payload: EventPayload<Name>) => void): () => void;
  /**
   * Reports the connection state now and on every change. After a reconnect the changes since the
   * last snapshot or difference of this bridge are delivered.
   */
  onConnection(listener: (connection: Connection) => void): () => void;
}
