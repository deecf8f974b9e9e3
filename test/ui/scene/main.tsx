import type { Bridge, Connection } from '../../../app/contract/bridge.ts';
import { failure, type Answer } from '../../../app/contract/answer.ts';
import type { QuestionOutput } from '../../../app/contract/contract.ts';
import { answerQuestion } from '../../../app/contract/answerers.ts';
import { start } from '../../../renderer/start.tsx';
import { SceneEngine } from './scene-engine.ts';
import { sceneAnswers } from './scene-answers.ts';
import { ScenePace } from './scene-pace.ts';
import type { Ending } from './scene-reaping.ts';
import { sceneNames, sceneSnapshot, type SceneName } from './scenes.ts';
import { SettledPage } from './settled-page.ts';

/** What tests can do to a scene from outside. */
export interface SceneControl {
  readonly engine: SceneEngine;
  /** Resolves once no answer is awaited and the page draws nothing new. */
  settled(): Promise<void>;
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
/** Nothing advances on its own: for tests and screenshots. */
const still = parameters.has('still');
const engine = new SceneEngine(
  sceneSnapshot(name as SceneName, parameters.get('surface') === 'page' ? 'page' : 'desktop', Date.now()),
  new ScenePace(still),
);
if (parameters.has('news')) Object.assign(engine.told, { version: '0.0.9', week: '1', 'week-notice': '1' });
const chosenLanguage = parameters.get('language');
if (chosenLanguage === 'de' || chosenLanguage === 'en') {
  const { settings } = engine.snapshot;
  engine.change({ settings: { ...settings, values: { ...settings.values, language: chosenLanguage } } });
}
const page = new SettledPage();
const answers = sceneAnswers(
  engine,
  (parameters.get('ending') ?? 'reaped') as Ending,
  Number(parameters.get('history') ?? 412),
);

let broken = parameters.has('broken');
let connection: Connection = 'connected';
const connectionListeners = new Set<(connection: Connection) => void>();

const answerTo: Bridge['ask'] = async (question, input) => {
  // A little wait, as any carrier has, so that states in between are seen.
  await new Promise((resolve) => setTimeout(resolve, 20));
  if (broken || connection === 'lost')
    return { ok: false, failure: failure('offline', 'Curfew does not answer.', { advice: 'It may be restarting.' }) };
  const answer = await answerQuestion(answers, question, structuredClone(input), (error) => {
    throw error;
  });
  return structuredClone(answer) as Answer<QuestionOutput<typeof question>>;
};

const bridge: Bridge = {
  ask: (question, input) =>
    parameters.has('silent') ? new Promise(() => {}) : page.awaiting(answerTo(question, input)),
  on: (event, listener) => engine.on(event, listener),
  onConnection: (listener) => {
    connectionListeners.add(listener);
    listener(connection);
    return () => connectionListeners.delete(listener);
  },
};

window.scene = {
  engine,
  settled: () => page.settled(),
  connection: (next) => {
    connection = next;
    for (const listener of connectionListeners) listener(next);
  },
  breakEverything: () => {
    broken = true;
  },
};

if (!still) {
  setInterval(() => {
    engine.look();
  }, 5000);
}
start(bridge);
