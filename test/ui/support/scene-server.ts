import { join } from 'node:path';
import { build, preview } from 'vite';
import { responseHeaders } from '../../../main/web/serve.ts';

/** The built scene under an address of this machine. */
export interface SceneServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * The page's own, but for what forbids keeping anything: tests load the scene hundreds of times,
 * and it took a minute more.
 */
const headers = Object.fromEntries(Object.entries(responseHeaders).filter(([name]) => name !== 'Cache-Control'));

/** Builds the scene and serves it on a free port, with the headers of the page. */
export const startSceneServer = async (): Promise<SceneServer> => {
  const configFile = join(import.meta.dirname, '../vite.config.ts');
  await build({ configFile, logLevel: 'error' });
  const server = await preview({
    configFile,
    logLevel: 'error',
    preview: { host: '127.0.0.1', port: 0, strictPort: false, headers },
  });
  const url = server.resolvedUrls?.local[0];
  if (url === undefined) throw new Error('the scene server has no address');
  return { url, close: async () => server.close() };
};
