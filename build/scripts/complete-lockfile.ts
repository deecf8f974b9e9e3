// npm run lock: updates package-lock.json from package.json and completes it. If the registry lacks
// the package of a foreign platform, npm omits it from the lock file, and `npm ci` then refuses the
// file everywhere, with "Missing: … from lock file" (https://github.com/npm/cli/issues/4828 is one
// form). An entry without a hash is enough: npm skips packages of other platforms before it fetches
// anything.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const file = join(import.meta.dirname, '../../package-lock.json');

// Records, since an object schema would put its known keys first and reorder the file.
const Entry = z.record(z.string(), z.unknown());
const Packages = z.record(z.string(), Entry);
const Names = z.record(z.string(), z.string()).default({});

const PLATFORM = /[/-](android|darwin|freebsd|linux|openharmony|win32)-([a-z0-9]+)(?:-(\w+))?$/;

const entryOf = (name: string, version: string, dev: boolean): z.infer<typeof Entry> => {
  const [, os, cpu, abi] = PLATFORM.exec(name) ?? [];
  if (os === undefined || cpu === undefined || !/^\d+\.\d+\.\d+$/.test(version)) {
    throw new Error(`${name}@${version} is missing from package-lock.json and isn't the package of a known platform`);
  }
  const libc = os === 'linux' ? { libc: [abi?.startsWith('musl') === true ? 'musl' : 'glibc'] } : {};
  return { version, cpu: [cpu], ...(dev ? { dev } : {}), ...libc, optional: true, os: [os] };
};

const lockfile = Entry.parse(JSON.parse(readFileSync(file, 'utf8')));
const packages = Packages.parse(lockfile['packages']);
const missing = Object.entries(packages).flatMap(([path, entry]) =>
  Object.entries(Names.parse(entry['optionalDependencies']))
    .filter(([name]) => !(`${path}/node_modules/${name}` in packages) && !(`node_modules/${name}` in packages))
    .map(([name, version]) => [`node_modules/${name}`, entryOf(name, version, entry['dev'] === true)] as const),
);
const complete = Object.entries({ ...packages, ...Object.fromEntries(missing) }).toSorted(([a], [b]) =>
  a.localeCompare(b, 'en'),
);
writeFileSync(file, `${JSON.stringify({ ...lockfile, packages: Object.fromEntries(complete) }, null, 2)}\n`);
console.log(`package-lock.json: ${complete.length} packages, ${missing.length} of them of other platforms added`);
