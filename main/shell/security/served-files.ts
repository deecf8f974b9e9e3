import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { isOwnUrl, responseHeaders } from './policy.ts';

/** File types of the windows' build. Others are not served. */
const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const refused = (status: number): Response => new Response(null, { status, headers: responseHeaders });

/**
 * Returns a handler for requests of pages at `app://curfew` from a folder of built files. The files
 * are listed once: a path that is not in the list can't be reached, however it is written, and only
 * GET and HEAD are answered. Point 18 of https://www.electronjs.org/docs/latest/tutorial/security.
 * @throws the file system's error when the folder can't be listed
 */
export const servedFiles = (folder: string): ((request: Pick<Request, 'method' | 'url'>) => Response) => {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = new Map(
    entries.flatMap((entry) => {
      const path = join(entry.parentPath, entry.name);
      const type = mediaTypes[extname(path)];
      const name = `/${relative(folder, path).split(sep).join('/')}`;
      return type === undefined ? [] : [[name, { path, type }] as const];
    }),
  );
  return ({ method, url }) => {
    if (method !== 'GET' && method !== 'HEAD') return refused(405);
    const parsed = URL.parse(url);
    if (parsed === null || !isOwnUrl(url)) return refused(404);
    const file = files.get(parsed.pathname);
    if (file === undefined) return refused(404);
    const body = method === 'HEAD' ? null : new Uint8Array(readFileSync(file.path));
    return new Response(body, { status: 200, headers: { ...responseHeaders, 'Content-Type': file.type } });
  };
};
