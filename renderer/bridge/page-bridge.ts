import { failure, type Answer, type Failure } from '../../app/contract/answer.ts';
import type { Bridge } from '../../app/contract/bridge.ts';
import type {
  EventName,
  EventPayload,
  QuestionInput,
  QuestionName,
  QuestionOutput,
} from '../../app/contract/contract.ts';
import type { SnapshotDifference } from '../../app/contract/difference/difference-schema.ts';
import type { Snapshot } from '../../app/contract/views/snapshot.ts';
import { hashOf } from '../state/route.ts';
import { pageSays } from './page-says.ts';
import { PageConnection } from './page-connection.ts';
import type { LineStart } from './page-line.ts';
import { onOtherTabsKey, storedKey, storeKey, takePass } from './page-credentials.ts';

/** `doctor` runs programs of the system, a host check uses the network. Milliseconds. */
const patienceMs = 120_000;

type Listener = (payload: never) => void;

/** Bridge of a page of `curfew web`: questions by POST, the rest by server-sent events. */
export class PageBridge implements Bridge {
  #key = storedKey();
  #entering: Promise<void>;
  readonly #connection: PageConnection;
  /** The first snapshot, requested early; the first question for it takes it. */
  #first: Promise<Answer<Snapshot>> | null;
  /** The window's snapshot: the last answered or pushed, with later differences applied. */
  #have: LineStart['have'] = null;
  readonly #listeners = new Map<EventName, Set<Listener>>();

  constructor() {
    this.#entering = this.#enter();
    const first = this.#post('snapshot.get', {});
    this.#first = first;
    this.#connection = new PageConnection({
      start: async () => {
        await this.#entering;
        await first;
        return this.#key === null ? null : { key: this.#key, have: this.#have };
      },
      heard: ({ event, data }) => {
        if (event === 'snapshot') {
          const snapshot = JSON.parse(data) as Snapshot;
          this.#have = { revision: snapshot.revision, at: snapshot.at };
          this.#tell('snapshot', snapshot);
        } else if (event === 'difference') {
          const difference = JSON.parse(data) as SnapshotDifference;
          this.#have = { revision: difference.to, at: difference.parts.at ?? this.#have?.at ?? '' };
          this.#tell('difference', difference);
        }
      },
    });
    // Pasting an address with a login token into an open tab changes only the part after `#`.
    window.addEventListener('hashchange', () => {
      this.#entering = this.#enter();
    });
    onOtherTabsKey((key) => {
      this.#key = key;
      this.#connection.retry();
    });
  }

  ask = async <Name extends QuestionName>(
    name: Name,
    input: QuestionInput<Name>,
  ): Promise<Answer<QuestionOutput<Name>>> => {
    const here = await this.#answeredHere(name, input);
    // A page's own answers are empty.
    if (here !== null) return here as Answer<QuestionOutput<Name>>;
    if (name === 'snapshot.get') {
      const first = this.#first ?? this.#post('snapshot.get', {});
      this.#first = null;
      return (await first) as Answer<QuestionOutput<Name>>;
    }
    return this.#post(name, input);
  };

  on = <Name extends EventName>(name: Name, listener: (payload: EventPayload<Name>) => void): (() => void) => {
    const listeners = this.#listeners.get(name) ?? new Set<Listener>();
    this.#listeners.set(name, listeners);
    listeners.add(listener);
    return () => listeners.delete(listener);
  };

  onConnection: Bridge['onConnection'] = (listener) => this.#connection.subscribe(listener);

  async #post<Name extends QuestionName>(
    name: Name,
    input: QuestionInput<Name>,
  ): Promise<Answer<QuestionOutput<Name>>> {
    await this.#entering;
    if (this.#key === null) return { ok: false, failure: this.#signedOut() };
    try {
      const response = await fetch(`/api/ask/${name}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Curfew-Key': this.#key },
        body: JSON.stringify(input),
        signal: AbortSignal.timeout(patienceMs),
      });
      if (response.status === 401) {
        this.#connection.signedOut();
        return { ok: false, failure: this.#signedOut() };
      }
      if (response.status === 429) return { ok: false, failure: failure('busy', pageSays.tooMany) };
      if (!response.ok) return { ok: false, failure: failure('failed', pageSays.refused) };
      // The server has checked it against the contract before sending.
      const answer = (await response.json()) as Answer<QuestionOutput<Name>>;
      if (name === 'snapshot.get' && answer.ok) {
        const { revision, at } = answer.value as Snapshot;
        this.#have = { revision, at };
      }
      return answer;
    } catch (error) {
      const late = error instanceof DOMException && error.name === 'TimeoutError';
      return late
        ? { ok: false, failure: failure('timeout', pageSays.late) }
        : { ok: false, failure: failure('offline', pageSays.offline, { advice: pageSays.offlineAdvice }) };
    }
  }

  #tell(name: EventName, payload: unknown): void {
    for (const listener of this.#listeners.get(name) ?? []) listener(payload as never);
  }

  #signedOut(): Failure {
    return failure('offline', pageSays.signedOut, { advice: pageSays.signedOutAdvice });
  }

  /** Signs in with the login token of the address, if there is one. */
  async #enter(): Promise<void> {
    const pass = takePass();
    if (pass === null) return;
    try {
      const response = await fetch('/api/enter', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ pass }),
      });
      if (!response.ok) return;
      const { key } = (await response.json()) as { readonly key: string };
      this.#key = key;
      storeKey(key);
      this.#connection.retry();
    } catch {
      // The server can't be reached. The next question finds that too and reports it.
    }
  }

  /** Questions that a page answers itself; null: all others. */
  async #answeredHere<Name extends QuestionName>(
    name: Name,
    input: QuestionInput<Name>,
  ): Promise<Answer<object> | null> {
    if (name === 'app.open') {
      window.location.hash = hashOf((input as QuestionInput<'app.open'>).place);
      return { ok: true, value: {} };
    }
    if (name !== 'app.copy') return null;
    try {
      await navigator.clipboard.writeText((input as QuestionInput<'app.copy'>).text);
      return { ok: true, value: {} };
    } catch {
      return { ok: false, failure: failure('unsupported', pageSays.noClipboard) };
    }
  }
}
