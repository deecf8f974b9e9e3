import { join } from 'node:path';
import { Script } from 'node:vm';
import { readFileSync } from 'node:fs';
import { build } from 'vite';
import { beforeAll, describe, expect, test } from 'vitest';
import configuration from '../../../build/vite.config.ts';
import type { Bridge } from '../../../app/contract/bridge.ts';
import { events } from '../../../app/contract/contract.ts';
import { channels, type PushMessage } from '../../../main/shell/ipc/channels.ts';
import { diffSnapshot } from '../../../app/contract/difference/difference.ts';
import { watching } from './stage.ts';

const project = join(import.meta.dirname, '../../..');
const built = join(project, 'build/out/test/preload');

/** Electron as a preload has it: the lists of what may be required and what was done with it. */
const electron = () => {
  const exposed: Record<string, unknown> = {};
  const sent: unknown[][] = [];
  const listeners: ((event: unknown, told: PushMessage) => void)[] = [];
  return {
    exposed,
    sent,
    tell: (told: PushMessage) => {
      for (const listener of listeners) listener({ sender: 'ipcRenderer itself' }, told);
    },
    answer: (): Promise<unknown> => Promise.resolve({ ok: true, value: {} }),
    module: {
      contextBridge: { exposeInMainWorld: (key: string, api: unknown) => void (exposed[key] = api) },
      ipcRenderer: {
        invoke: (...given: unknown[]) => {
          sent.push(given);
          return played.answer();
        },
        send: (...given: unknown[]) => void sent.push(given),
        on: (_channel: string, listener: (event: unknown, told: PushMessage) => void) => void listeners.push(listener),
      },
    },
  };
};

let played = electron();
let required: string[] = [];

const bridge = (): Bridge => played.exposed['curfew'] as Bridge;

/** Runs the preload as it is built, as the sandbox does: one script, with a `require` that knows next to nothing. */
const run = (): void => {
  played = electron();
  required = [];
  const script = new Script(
    `(function (require, module, exports) {${readFileSync(join(built, 'main.cjs'), 'utf8')}\n})`,
  );
  const preload = script.runInThisContext() as (
    require: (name: string) => unknown,
    module: object,
    exports: object,
  ) => void;
  const require = (name: string): unknown => {
    required.push(name);
    if (name !== 'electron') throw new Error(`module not found: ${name}`);
    return played.module;
  };
  preload(require, { exports: {} }, {});
};

beforeAll(async () => {
  const { environments } = configuration;
  if (environments?.['preload']?.build === undefined)
    throw new Error('nothing in build/vite.config.ts builds a preload');
  await build({
    configFile: false,
    root: project,
    logLevel: 'error',
    build: { ...environments['preload'].build, outDir: built },
  });
}, 60_000);

describe('preload', () => {
  test('exposes the contract’s bridge as `curfew`, and nothing else', () => {
    run();
    expect(Object.keys(played.exposed)).toEqual(['curfew']);
    // All of the bridge by its type; a method that the bridge doesn't have would not compile.
    const methods = { ask: true, on: true, onConnection: true } satisfies Record<keyof Bridge, true>;
    expect(Object.keys(bridge()).toSorted()).toEqual(Object.keys(methods).toSorted());
    for (const method of Object.values(bridge())) expect(method).toBeTypeOf('function');
  });

  test('needs nothing but Electron, which is all that the sandbox gives it', () => {
    run();
    expect(required).toEqual(['electron']);
  });

  test('listens to every event of the contract, and to no other', () => {
    run();
    for (const name of Object.keys(events)) bridge().on(name as keyof typeof events, () => undefined);
    for (const name of ['connection', 'message', '__proto__'])
      expect(() => bridge().on(name as 'snapshot', () => undefined)).toThrow('There is no such event');
  });

  test('uses no channels but the app’s', async () => {
    run();
    bridge().on('snapshot', () => undefined);
    await bridge().ask('watch.pause', { seconds: 60 });
    expect(played.sent).toEqual([[channels.listen], [channels.ask, 'watch.pause', { seconds: 60 }]]);
  });

  test('hands data to the page, never the event that it came with', () => {
    run();
    const heard: unknown[][] = [];
    bridge().on('snapshot', (...given) => void heard.push(given));
    played.tell({ event: 'snapshot', payload: watching });
    expect(heard).toEqual([[watching]]);
  });

  test('tells in order, each listener its own event, and none that has ended', () => {
    run();
    const heard: string[] = [];
    const end = bridge().on('snapshot', () => void heard.push('snapshot'));
    bridge().on('difference', () => void heard.push('difference'));
    played.tell({ event: 'snapshot', payload: watching });
    played.tell({ event: 'difference', payload: diffSnapshot(watching, { ...watching, revision: 2 }) });
    end();
    end();
    played.tell({ event: 'snapshot', payload: watching });
    expect(heard).toEqual(['snapshot', 'difference']);
  });

  test('tells the connection now and whenever it changes', () => {
    run();
    const heard: string[] = [];
    bridge().onConnection((connection) => void heard.push(connection));
    played.tell({ event: 'connection', payload: 'lost' });
    bridge().onConnection((connection) => void heard.push(`later ${connection}`));
    expect(heard).toEqual(['connected', 'lost', 'later lost']);
  });

  test('answers with a failure when the main process doesn’t', async () => {
    run();
    played.answer = () => Promise.reject(new Error('No handler registered'));
    expect(await bridge().ask('snapshot.get', {})).toMatchObject({ ok: false, failure: { code: 'offline' } });
  });
});
