import { EventSourceParserStream } from 'eventsource-parser/stream';

/** A message that the server sent by itself. */
export interface LineMessage {
  readonly event: string;
  readonly data: string;
}

/** What a line begins with: who we are, and what we have already. */
export interface LineStart {
  readonly key: string;
  /** The snapshot that is here; null: none, then the line begins with the whole. */
  readonly have: { readonly revision: number; readonly at: string } | null;
}

/** How a line ended. */
export type LineEnd = 'lost' | 'signed-out';

/** The server speaks every 10 s; one that was silent for longer than this is gone, or the computer slept. Milliseconds. */
const silenceMs = 25_000;

/**
 * Listens to the server until the line ends, and says how. Server-sent events over fetch, because an EventSource can't tell a server that is
 * gone from one that wants a signing in, and sends no header. `signal` ends it from our side.
 */
export const listenToLine = async (
  { key, have }: LineStart,
  signal: AbortSignal,
  heard: (message: LineMessage) => void,
): Promise<LineEnd> => {
  const silence = new AbortController();
  let timer = setTimeout(() => {
    silence.abort();
  }, silenceMs);
  try {
    const response = await fetch('/api/events', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Curfew-Key': key },
      body: JSON.stringify({ have }),
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (response.status === 401) return 'signed-out';
    if (!response.ok || response.body === null) return 'lost';
    const reader = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream())
      .getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return 'lost';
      clearTimeout(timer);
      timer = setTimeout(() => {
        silence.abort();
      }, silenceMs);
      heard({ event: value.event ?? '', data: value.data });
    }
  } catch {
    // Refused, cut, silent for too long, or ended by us: all the same to whoever tries again.
    return 'lost';
  } finally {
    clearTimeout(timer);
  }
};
