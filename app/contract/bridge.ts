import type { Answer } from './answer.ts';
import type { EventName, EventPayload, QuestionInput, QuestionName, QuestionOutput } from './contract.ts';

/**
 * Whether the main process can be reached at this moment. `signed-out`: it could be, but doesn't know this browser (any more); only a
 * page can come to that.
 */
export type Connection = 'connecting' | 'connected' | 'lost' | 'signed-out';

/**
 * What a window has of the main process, whatever carries it (Electron's channels, the loopback page, a scene in tests).
 * `ask` never rejects: a carrier that fails answers with a failure.
 */
export interface Bridge {
  ask<Name extends QuestionName>(name: Name, input: QuestionInput<Name>): Promise<Answer<QuestionOutput<Name>>>;
  /** Begins to listen; the returned function ends it. A listener to `snapshot` is told the latest one soon. */
  on<Name extends EventName>(name: Name, listener: (payload: EventPayload<Name>) => void): () => void;
  /**
   * Tells the state of the connection now and whenever it changes. When it is `connected` again, whatever changed meanwhile since the last
   * snapshot or difference that this bridge gave is told.
   */
  onConnection(listener: (connection: Connection) => void): () => void;
}
