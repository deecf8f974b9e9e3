import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FakeClaude } from '../scene/claude.ts';
import { jobWith, reap, runCurfew, scan, startCurfew } from '../scene/curfew.ts';
import { gitIn } from '../scene/git.ts';
import { type Scene, scene } from '../scene/scene.ts';

/** Each in another form, and none of them real. Commands that start with `:` do nothing. */
const lines: readonly (readonly [secret: string, command: string])[] = [
  ['hunter2-nested-quotes', `python3 -c "import os; os.environ['API_KEY']='hunter2-nested-quotes'"`],
  ['hunter2-with-blanks', `: 'password = "hunter2-with-blanks"'`],
  ['hunter2-second-word', ': pulumi config set --secret dbPassword hunter2-second-word'],
  ['hunter2-of-a-user', ': redis-cli AUTH default hunter2-of-a-user'],
  ['hunter2-in-sql', `: psql -c "ALTER USER app PASSWORD 'hunter2-in-sql'"`],
  ['aB3xK9mQ7rT2wY5zC8vN', ': deploy zz_aB3xK9mQ7rT2wY5zC8vN4pL6sD1'],
  ['hunter2/of#an-address', ": psql 'postgresql://app:hunter2/of#an-address@db.internal/shop'"],
  ['hunter2-in-netrc', `: "machine h login me password hunter2-in-netrc"`],
];

/** Names that an agent gave in a repository: of a branch, a worktree, a reason to lock. */
const nameInGit = async (stage: Scene, folder: string): Promise<readonly string[]> => {
  const tree = "'../password=hunter2-of-a-tree'";
  const all = [
    'git init -q && git commit -q --allow-empty -m one',
    `git worktree add -q -b token=hunter2-of-a-branch ${tree}`,
    `git worktree lock --reason 'password=hunter2-of-a-lock' ${tree}`,
    'touch .git/worktrees/password=hunter2-of-a-tree/index.lock',
  ].join(' && ');
  await gitIn(stage, folder, all);
  return ['hunter2-of-a-branch', 'hunter2-of-a-tree', 'hunter2-of-a-lock'];
};

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Every output of the command line, by the words that make it. */
const outputs = async (stage: Scene): Promise<Readonly<Record<string, string>>> => {
  const said: Record<string, string> = {};
  for (const words of [
    ['scan'],
    ['scan', '--all', '--explain'],
    ['scan', '--all', '--explain', '--json'],
    ['sessions', '--json'],
    ['history'],
    ['history', '--json'],
    ['history', '--format', 'csv'],
    ['report'],
    ['runs'],
    ['runs', '--json'],
    ['metrics'],
    ['statusline'],
    ['scan', '--share'],
    ['doctor', '--json'],
    ['worktrees'],
    ['worktrees', '--json'],
    ['locks'],
    ['locks', '--json'],
    ['sweep', '--dry-run'],
    ['sweep', '--dry-run', '--json'],
  ]) {
    const { stdout, stderr } = await runCurfew(stage, words);
    said[words.join(' ')] = stdout + stderr;
  }
  return said;
};

test(
  'what is hidden in one output is hidden in all, and in every file that Curfew keeps',
  scene(async (stage) => {
    // The agent names folders by it, where a sign becomes a dash.
    const claude = await FakeClaude.start(stage, { project: `${stage.home}/token=hunter2_project` });
    const calls = [];
    for (const [, command] of lines) calls.push(await claude.bash(`${command}; sleep 3600 | cat`));
    const how = ['--background', '--name', 'x --token hunter2-of-a-name'];
    const asked = ['sh', '-c', 'sleep 3600', 'x', '--password', 'hunter2-of-a-run'];
    const run = await startCurfew(stage, ['run', ...how, '--', ...asked]);
    await run.ended();
    const watch = await startCurfew(stage, ['watch', '--json', '--observe']);
    await stage.until('it looked', () => watch.stdout().includes('sleep 3600 | cat'));
    const found = await scan(stage, ['--all']);
    const ids = calls.map(({ shell }) => jobWith(found, shell.pid).id);
    const ended = await reap(stage, [...ids.slice(0, 5).flatMap((id) => ['--job', id]), '--grace', '60s']);
    expect(ended.incidents).toHaveLength(5);
    const inGit = await nameInGit(stage, claude.project);
    const said = await outputs(stage);
    await watch.signal('TERM');
    await watch.ended();
    const kept = filesBelow(stage.outside('/tmp/curfew-home')).map((file): readonly [string, string] => [
      file,
      readFileSync(file, 'latin1'),
    ]);
    expect(Object.entries(said).flatMap(([name, text]) => (text.includes('hunter2_') ? [name] : []))).toEqual([]);
    const all: readonly (readonly [string, string])[] = [
      ...Object.entries(said),
      ['reap --json', JSON.stringify(ended)],
      ['watch --json', watch.stdout() + watch.stderr()],
      ...kept,
    ];
    const secrets = [...lines.map(([secret]) => secret), 'hunter2-of-a-name', 'hunter2-of-a-run', ...inGit];
    const shown = all.flatMap(([name, text]) =>
      secrets.filter((secret) => text.includes(secret)).map((secret) => `${name}: ${secret}`),
    );
    expect(shown).toEqual([]);
    // Every output did speak of these commands, and files were there.
    for (const name of ['scan', 'scan --all --explain --json', 'history --json', 'history --format csv', 'worktrees'])
      expect([name, Object.fromEntries(all)[name]]).toEqual([name, expect.stringContaining('***')]);
    expect(kept.some(([file, text]) => file.endsWith('.db') && text.includes('***'))).toBe(true);
  }),
);
