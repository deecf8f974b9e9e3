import { inEnglish } from '../../../app/text/say.ts';
import { join } from 'node:path';
import { createBuilder } from 'vite';
import type { CurfewService } from '../../../main/interface/curfew-service.ts';
import { Downloads, readPageFiles } from '../../../main/web/page-files.ts';
import { freshAddress } from '../../../main/web/endpoint.ts';
import { newTokenKey } from '../../../main/web/login-token.ts';
import { servePage } from '../../../main/web/serve.ts';
import { sceneAnswers } from '../scene/scene-answers.ts';
import { SceneEngine } from '../scene/scene-engine.ts';
import { sceneSnapshot, type SceneName } from '../scene/scenes.ts';

const root = join(import.meta.dirname, '../../..');

/**
 * The product's own page, served as `curfew web` serves it, over a scene instead of a supervisor.
 */
export interface ScenePage {
  readonly engine: SceneEngine;
  /** A fresh address that signs one browser in. */
  readonly address: () => string;
  readonly close: () => Promise<void>;
}

const build = async (): Promise<void> => {
  const builder = await createBuilder({ configFile: join(root, 'build/vite.config.ts'), logLevel: 'error' });
  const { renderer } = builder.environments;
  if (renderer === undefined) throw new Error('build/vite.config.ts has no environment "renderer"');
  await builder.build(renderer);
};

/** Builds the page and serves it on a free port. */
export const startScenePage = async (scene: SceneName): Promise<ScenePage> => {
  await build();
  const files = readPageFiles(join(root, 'build/out/renderer'));
  if (files === null) throw new Error('the page was not built');
  const engine = new SceneEngine(sceneSnapshot(scene, 'page', Date.now()));
  const service: CurfewService = {
    snapshot: () => engine.snapshot,
    subscribe: (listener) => engine.on('difference', (difference) => listener({ kind: 'difference', difference })),
    answerers: sceneAnswers(engine, 'reaped', 412),
    report: (error) => console.error(error),
    awaitsNotice: () => false,
    noticesSeen: () => undefined,
    stop: () => Promise.resolve(),
  };
  const tokenKey = newTokenKey();
  const server = await servePage({
    service,
    files,
    downloads: new Downloads(),
    tokenKey,
    port: 0,
    browsers: { read: () => [], isThere: () => true, write: () => true },
    entered: () => undefined,
    words: inEnglish,
  });
  return {
    engine,
    address: () => freshAddress({ port: server.port, tokenKey }, Date.now()).url,
    close: server.close,
  };
};
