import type { Answer } from '../../app/contract/answer.ts';
import type { Bridge, Connection } from '../../app/contract/bridge.ts';
import { byKey } from '../../app/format/said.ts';
import type { EventName, EventPayload } from '../../app/contract/contract.ts';
import { type PushMessage, channels } from '../shell/ipc/channels.ts';
import { contextBridge, ipcRenderer } from 'electron';

/** The used part of `ipcRenderer`. */
export interface Line {
  invoke(channel: string, ...input: readonly unknown[]): Promise<unknown>;
  send(channel: string): void;
  on(channel: string, listener: (event: unknown, told: PushMessage) => void): unknown;
}

const lost: Answer<never> = {
  ok: false,
  failure: {
    code: 'offline',
    message: byKey('Curfew did not answer.'),
    advice: byKey('It may be quitting. Start it again, then open this window from the tray.'),
    fields: [],
  },
};

/** Listening to any other name is a bug in the page; the contract's names are complete. */
const eventNames: Readonly<Record<EventName, true>> = { snapshot: true, difference: true, navigate: true };

/**
 * Returns the bridge over Electron's channels. It carries names and data, and decides nothing: the
 * main process checks sender and content. The page never gets hold of `ipcRenderer`, nor of the
 * event of a message (point 20 of https://www.electronjs.org/docs/latest/tutorial/security).
 */
export const bridgeOver = (line: Line): Bridge => {
  const listeners: { readonly event: string; readonly tell: (payload: never) => void }[] = [];
  let connection: Connection = 'connected';
  line.on(channels.tell, (_event, told) => {
    if (told.event === 'connection') connection = told.payload;
    for (const { event, tell } of listeners.slice()) if (event === told.event) tell(told.payload as never);
  });
  const listen = (event: string, tell: (payload: never) => void): (() => void) => {
    const entry = { event, tell };
    listeners.push(entry);
    return () => {
      const index = listeners.indexOf(entry);
      if (index >= 0) listeners.splice(index, 1);
    };
  };
  return {
    ask: async (name, input) => {
      try {
        return (await line.invoke(channels.ask, name, input)) as Answer<never>;
      } catch {
        return lost;
      }
    },
    on: <Name extends EventName>(name: Name, listener: (payload: EventPayload<Name>) => void) => {
      if (!Object.hasOwn(eventNames, name)) throw new TypeError('There is no such event.');
      const end = listen(name, listener);
      if (name === 'snapshot') line.send(channels.listen);
      return end;
    },
    onConnection: (listener) => {
      listener(connection);
      return listen('connection', listener);
    },
  };
};

// Runs in the sandbox before each page, where only a part of Electron can be required
// (https://www.electronjs.org/docs/latest/tutorial/sandbox#preload-scripts); it is built into one
// CommonJS file.
contextBridge.exposeInMainWorld('curfew', bridgeOver(ipcRenderer));
