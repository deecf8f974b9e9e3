import type { Bridge, Connection } from '../../../app/contract/bridge.ts';
import { failure, type Answer } from '../../../app/contract/answer.ts';
import type { QuestionOutput } from '../../../app/contract/contract.ts';
import { answerQuestion } from '../../../app/contract/exchange.ts';
import { start } from '../../../renderer/start.tsx';
import { SceneEngine } from './scene-engine.ts';
import { sceneAnswers } from './scene-answers.ts';
import type { Ending } from './scene-reaping.ts';
import { sceneNames, sceneSnapshot, type SceneName } from './scenes.ts';

/** What tests can do to a scene from outside. */
export interface SceneControl {
  readonly engine: SceneEngine;
  connection(connection: Connection): void;
  /** Every question fails from now on. */
  breakEverything(): void;
}

declare global {
  interface Window {
    scene: SceneControl;
  }
}

const parameters = new URLSearchParams(window.location.search);
const name = parameters.get('scene') ?? 'busy';
if (!sceneNames.includes(name as SceneName)) throw new Error(`There is no scene "${name}".`);
const engine = new SceneEngine(
  sceneSnapshot(name as SceneName, parameters.get('surface') === 'page' ? 'page' : 'desktop', Date.now()),
);
const answers = sceneAnswers(
  engine,
  (parameters.get('ending') ?? 'reaped') as Ending,
  Number(parameters.get('history') ?? 412),
);

let broken = parameters.has('broken');
let connection: Connection = 'connected';
const connectionListeners = new Set<(connection: Connection) => void>();

const bridge: Bridge = {
  ask: async (question, input) => {
    // A little wait, as any carrier has, so that states in between are seen.
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (parameters.has('silent')) return new Promise(() => {});
    if (broken || connection === 'lost')
      return { ok: false, failure: failure('offline', 'Curfew does not answer.', { advice: 'It may be restarting.' }) };
    const answer = await answerQuestion(answers, question, structuredClone(input), (error) => {
      throw error;
    });
    return structuredClone(answer) as Answer<QuestionOutput<typeof question>>;
  },
  on: (event, listener) => engine.on(event, listener),
  onConnection: (listener) => {
    connectionListeners.add(listener);
    listener(connection);
    return () => connectionListeners.delete(listener);
  },
};

window.scene = {
  engine,
  connection: (next) => {
    connection = next;
    for (const listener of connectionListeners) listener(next);
  },
  breakEverything: () => {
    broken = true;
  },
};

if (!parameters.has('still')) {
  setInterval(() => {
    engine.look();
  }, 5000);
}
start(bridge);
