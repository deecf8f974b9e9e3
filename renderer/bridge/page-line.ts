import { EventSourceParserStream } from 'eventsource-parser/stream';

export interface LineMessage {
  readonly event: string;
  readonly data: string;
}

/** Start of a line: the key, and the snapshot that is already here. */
export interface LineStart {
  readonly key: string;
  /** Revision of the snapshot here; null: none, so the line begins with the whole. */
  readonly have: { readonly revision: number; readonly at: string } | null;
}

export type LineEnd = 'lost' | 'signed-out';

/** Milliseconds; the server sends every 10 s: longer, it is gone, or the computer slept. */
const silenceMs = 25_000;

/**
 * Listens to the server until the line ends, and returns how. Server-sent events over fetch,
 * because an EventSource can't distinguish a missing server from a required sign-in and sends no
 * headers. `signal` ends it from this side.
 */
export const listenToLine = async (
  { key, have }: LineStart,
  signal: AbortSignal,
  heard: (message: LineMessage) => void,
): Promise<LineEnd> => {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), silenceMs);
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
      timer = setTimeout(() => silence.abort(), silenceMs);
      heard({ event: value.event ?? '', data: value.data });
    }
  } catch {
    // Refused, cut, silent for too long, or aborted here: all lead to a retry.
    return 'lost';
  } finally {
    clearTimeout(timer);
  }
};
