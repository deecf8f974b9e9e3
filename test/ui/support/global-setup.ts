import type { TestProject } from 'vitest/node';
import { startSceneServer } from './scene-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the built scene is served. */
    readonly sceneUrl: string;
  }
}

/** One build and one server for all files. */
const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const server = await startSceneServer();
  project.provide('sceneUrl', server.url);
  return async () => server.close();
};

export default setup;
