import { baseName } from '../paths/path.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Programs that every user has: their names tell nothing of a user or a project. */
const programs = words(
  'astro bash bun cargo celery chrome chromium cypress deno docker dotnet electron esbuild eslint firefox flask ' +
    'gradle gunicorn java jekyll jest make mongod mvn mysqld next node nodemon npm nuxt playwright pnpm postgres ' +
    'pytest python python3 rails redis-server rollup ruby rustc sh sleep storybook tail tsc tsx turbo uvicorn vite ' +
    'vitest watchman webpack wrangler yarn zsh',
);
/** Programs that start another, named next; a word or an option may stand between. */
const starters = words('npx bunx uvx pnpx npm pnpm yarn bun uv python python3 node');
/** Scripts of a package that are called alike in all projects. */
const scripts = words('build check dev lint preview serve start storybook test typecheck watch');
const between = words('run exec dlx x -m -y --yes --');

/**
 * Returns what may be shown to all of a command: the names of programs and scripts that are called
 * alike for everyone, and nothing else of it; null where it begins with none.
 */
export const sharedCommand = (command: string): string | null => {
  const [first = '', ...rest] = command.trim().split(/\s+/u);
  const name = baseName(first);
  if (!programs.has(name) && !starters.has(name)) return null;
  if (!starters.has(name)) return name;
  const said = [name];
  for (const word of rest.slice(0, 3)) {
    if (programs.has(word) || scripts.has(word)) return [...said, word].join(' ');
    if (!between.has(word)) break;
    said.push(word);
  }
  return name;
};
