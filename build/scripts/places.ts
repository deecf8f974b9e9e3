// npm run test:places [-- PLACE…]: tries `npm ci && npm test` on the last commit at each place
// where a user's checkout may lie (places-table.ts), one after the other; of the tests those that
// depend on the place, with CURFEW_TEST_PLACES=whole all. What only reads (types, lint) runs at one
// of them. Needs Linux, and root for the other user.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { dependent, type Place, places } from './places-table.ts';

const checkout = join(import.meta.dirname, '../..');
const logs = join(checkout, 'build/out/places');
const user = 'curfew-places';
const isWhole = process.env['CURFEW_TEST_PLACES'] === 'whole';
const files = isWhole ? [] : dependent;
/** The node and npm of this machine, not the one that npm ci brings. */
const path = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter);

const must = (command: string, ...args: readonly string[]): void => {
  const { status, error, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${[command, ...args].join(' ')}: ${error?.message ?? stderr}`);
};

/** Makes the other user; returns its home. */
const makeUser = (): string => {
  must('useradd', '--create-home', '--key', 'HOME_MODE=0700', user);
  // Else newuidmap gives it further ids.
  for (const table of ['/etc/subuid', '/etc/subgid']) spawnSync('sed', ['-i', `/^${user}:/d`, table]);
  return join('/home', user);
};

/** Makes folders that lead from `root` to `path`, with these modes. */
const makeWay = (root: string, to: string, modes: readonly number[]): void => {
  let folder = root;
  for (const [index, name] of to.split('/').entries()) {
    folder = join(folder, name);
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, modes[index] ?? 0o755);
  }
};

/** Runs it once; returns whether it passed, and says how it ended. */
const tryOnce = async (name: string, place: Place, root: string): Promise<boolean> => {
  const { folder, modes = [], temporary, umask = 0o022, environment = {}, byAnother } = place;
  const to = join(root, folder);
  if (folder.includes('/')) makeWay(root, dirname(folder), modes);
  must('git', 'clone', '--quiet', '--no-hardlinks', checkout, to);
  if (temporary !== undefined) makeWay(root, temporary, modes);
  if (byAnother) must('chown', '-R', `${user}:`, to);
  const as = byAnother ? ['setpriv', '--reuid', user, '--regid', user, '--init-groups'] : ['env'];
  const asked = 'umask "$1" && cd "$2" && shift 2 && npm ci --no-audit --no-fund && npm test -- "$@"';
  const [command = '', ...args] = [...as, 'bash', '-c', asked, 'bash', umask.toString(8), to, ...files];
  const log = join(logs, `${name}.log`);
  const output = openSync(log, 'w');
  const startedAtMs = performance.now();
  const child = spawn(command, args, {
    stdio: ['ignore', output, output],
    env: {
      PATH: path,
      HOME: byAnother ? root : process.env['HOME'],
      USER: byAnother ? user : process.env['USER'],
      LANG: process.env['LANG'] ?? 'C.UTF-8',
      ...(temporary === undefined ? {} : { TMPDIR: join(root, temporary) }),
      ...(isWhole || name === 'odd' ? {} : { CURFEW_TEST_ALONE: '1' }),
      ...environment,
    },
  });
  closeSync(output);
  const status = await new Promise<number | null>((resolve) => {
    child.on('error', () => resolve(null));
    child.on('close', resolve);
  });
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
  const told = lines.filter((line) => /^(?:FAILED|FLAKY|flaky|skipped|== parts| {3}Not installed)/u.test(line));
  const minutes = ((performance.now() - startedAtMs) / 60_000).toFixed(1);
  const end = status === 0 ? 'passed' : `FAILED, see ${log}`;
  console.log([`== ${name}: ${end}, ${minutes} min`, ...told, lines.at(-1)].join('\n'));
  return status === 0;
};

const tryPlace = async (name: string, place: Place): Promise<boolean> => {
  const work = mkdtempSync('/var/tmp/curfew-places-');
  chmodSync(work, 0o711);
  try {
    const root = place.byAnother ? makeUser() : work;
    const { atOnce = 1 } = place;
    if (atOnce === 1) return await tryOnce(name, place, root);
    const all = Array.from({ length: atOnce }, (_, at) => ({ ...place, folder: `${place.folder}-${at}` }));
    return (await Promise.all(all.map(async (each) => tryOnce(each.folder, each, root)))).every(Boolean);
  } finally {
    if (place.byAnother) spawnSync('userdel', ['--remove', user]);
    rmSync(work, { recursive: true, force: true });
  }
};

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(places);
const unknown = wanted.find((name) => places[name] === undefined);
if (unknown !== undefined) {
  console.error(`test:places: there is no place ${unknown}; there are ${Object.keys(places).join(', ')}`);
  process.exit(2);
}
mkdirSync(logs, { recursive: true });
for (const name of wanted) {
  const place = places[name];
  if (place === undefined) continue;
  if (place.byAnother && process.getuid?.() !== 0) console.log(`== ${name}: SKIPPED, only root can make a user`);
  else if (!(await tryPlace(name, place))) process.exitCode = 1;
}
