import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hookInstallers } from '../../../main/agents/dossiers.ts';

const main = join(import.meta.dirname, '../../../main');
const from = (file: string, names: string): string =>
  `const { ${names} } = await import(${JSON.stringify(join(main, file))});`;
const folders = `${from('agents/hooks/form/folders.ts', 'hookFolders')}
  const folders = hookFolders({ hooks: FOLDER + '/hooks', lock: FOLDER + '/supervisor.lock' });`;
const hookCalled = (event: string): string => `${folders} ${from('agents/hooks/form/hook-script.ts', 'writeHookScript')}
  writeHookScript(folders, { command: [process.execPath, '/none'], environment: {} }, 'linux');
  sh([folders.script, 'gemini', '${event}'], '{}');`;
const databased = `${from('store/history/history-design.ts', 'historyPlace')} ${from('store/database/lasting-database.ts', 'withDatabase, readDatabase')}
  const place = historyPlace(FILE, Date.now, () => undefined);`;

interface Use {
  readonly file: string;
  readonly work: string;
  readonly quiet?: true;
  readonly setAside?: true;
}

/** The file of each agent into which hooks go. */
const installations: readonly (readonly [string, Use])[] = hookInstallers.map((installer) => [
  `hooks are installed into what ${installer.agent} reads`,
  {
    file: installer.file({ home: 'home', environment: {} }),
    quiet: true,
    work: `${folders}
      ${from('agents/hooks/installation/hook-installation.ts', 'agentHooks, changeHooks, hookInstallerOf')}
      const installer = hookInstallerOf('${installer.agent}');
      const installation = { places: { home: FOLDER + '/home', environment: {} }, folders,
        program: { command: ['/usr/bin/node', '/none'], environment: {} }, platform: 'linux', now: () => 0 };
      agentHooks(installation, installer);
      if (changeHooks(installation, installer, 'install').ok) console.log('they were installed');`,
  },
]);

/**
 * What Curfew, or a script of its, does with a file of its own; what the file is called below the
 * folder. `quiet`: where it is no file, that is as if it were missing. `setAside`: what is no
 * database may be moved aside, like a damaged one.
 */
const uses: Readonly<Record<string, Use>> = {
  ...Object.fromEntries(installations),
  'the log is written': {
    file: 'curfew.log',
    work: `${from('store/files/log.ts', 'RotatingFile')} new RotatingFile(FILE, { bytes: 1000, files: 2 }).append('x');`,
  },
  'the status line is written': {
    file: 'status-line',
    work: `${from('store/files/whole-file.ts', 'writeWholeFile')} writeWholeFile(FILE, 'x');`,
  },
  'the status line is shown': {
    file: 'status-line',
    quiet: true,
    work: `${from('agents/status-line/script.ts', 'statusLineScript, writeStatusLineScript')}
      writeStatusLineScript(FOLDER, FILE, { command: ['node', 'no-program'], environment: {} }); sh([statusLineScript(FOLDER)]);`,
  },
  'settings are read': {
    file: 'settings.json',
    quiet: true,
    work: `${from('store/settings/settings-file.ts', 'SettingsFile')}
      new SettingsFile({ path: FILE, claudePath: FILE, machinePath: null, now: Date.now }).load();`,
  },
  'the settings of Claude Code are read': {
    file: 'claude/settings.json',
    quiet: true,
    work: `${from('store/settings/settings-file.ts', 'SettingsFile')}
      new SettingsFile({ path: FOLDER + '/settings.json', claudePath: FILE, machinePath: FILE, now: Date.now }).load();`,
  },
  'a pause is read': {
    file: 'pause.json',
    quiet: true,
    work: `${from('supervisor/pause.ts', 'Pause')} new Pause(FILE, Date.now).until;`,
  },
  'a pause is written': {
    file: 'pause.json',
    work: `${from('supervisor/pause.ts', 'Pause')} new Pause(FILE, Date.now).begin(60);`,
  },
  'what is spared is read': {
    file: 'spared',
    quiet: true,
    work: `${from('store/spared/spared-file.ts', 'SparedCopy')} try { new SparedCopy(FILE).read(); } catch {}`,
  },
  'a folder that a look saw is noted': {
    file: 'seen-folders.jsonl',
    quiet: true,
    work: `${from('store/seen-list.ts', 'seenFolders')} seenFolders({ state: FOLDER }).add([{ agent: 'codex', what: '/x' }]);`,
  },
  'a lock is asked for': {
    file: 'supervisor.lock.wanted',
    work: `${from('store/supervisor-lock.ts', 'requestLock')} requestLock(FOLDER + '/supervisor.lock');`,
  },
  'a lock is taken': {
    file: 'supervisor.lock',
    work: `${from('store/database/file-lock.ts', 'lockFile')} lockFile(FILE, 'exclusive', 0)?.release();`,
  },
  'a database is written': {
    file: 'history.db',
    quiet: true,
    setAside: true,
    work: `${databased} try { withDatabase(place, () => 0); } catch {}`,
  },
  'a database is read': {
    file: 'history.db',
    quiet: true,
    setAside: true,
    work: `${databased} try { readDatabase(place, () => 0); } catch {}`,
  },
  ...Object.fromEntries(
    ['-journal', '-wal', '-shm'].map((companion): [string, Use] => [
      `a database is read, beside ${companion}`,
      {
        file: `history.db${companion}`,
        quiet: true,
        // Made elsewhere: a new one clears its place of what lies there.
        work: `${from('store/history/history-design.ts', 'historyPlace')} ${from('store/database/database.ts', 'openDatabase')}
          ${from('store/database/lasting-database.ts', 'readDatabase')}
          const { mkdirSync, renameSync } = await import('node:fs');
          const place = (path) => historyPlace(path, Date.now, () => undefined);
          mkdirSync(FOLDER + '/made');
          openDatabase(place(FOLDER + '/made/history.db')).close();
          renameSync(FOLDER + '/made/history.db', FOLDER + '/history.db');
          try { readDatabase(place(FOLDER + '/history.db'), () => 0); console.log('it was opened'); }
          catch (error) { if (!error.message.includes(FILE + ') is not a regular file')) console.log(error.message); }`,
      },
    ]),
  ),
  'members of a run are noted': {
    file: 'run/seen.json.new',
    work: `${from('run/record/run-folder.ts', 'RunFolder')} new RunFolder(FOLDER, 'run').writeMembers({ members: [] });`,
  },
  'a signal of a run is noted': {
    file: 'run/signals.jsonl',
    work: `${from('run/record/run-folder.ts', 'RunFolder')} new RunFolder(FOLDER, 'run').note({});`,
  },
  'the exit code of a run is written': {
    file: 'run/exit_code',
    work: `${from('run/record/run-folder.ts', 'RunFolder')} const run = new RunFolder(FOLDER, 'run'); run.readExitCode(); run.writeExitCode(1);`,
  },
  'the sessions of hooks are noted': {
    file: 'hooks/sessions.json',
    quiet: true,
    work: `${folders} ${from('agents/hooks/inbox/hooked-sessions.ts', 'HookedSessions')}
      ${from('agents/hooks/inbox/drop-event.ts', 'dropEvent, eventText')}
      const caller = { agent: 'claude-code', event: 'session-end', ancestors: [], declaredPid: null };
      const told = '{"session_id":"11111111-1111-4111-8111-111111111111","cwd":"/x"}';
      dropEvent(folders, { pid: 1, startTicks: 1 }, eventText(told, caller));
      const hooked = new HookedSessions({ folders, uid: process.geteuid(), takes: true });
      const table = { rows: new Map(), takenAtMs: Date.now(), bootId: 'boot', uid: 0, self: 1 };
      if (hooked.read(table).ended.length !== 1) console.log('the event was not read');`,
  },
  'hooks are installed with --witness': {
    file: 'hooks/witnessed/shells',
    work: `${folders} ${from('agents/hooks/form/witness-shell.ts', 'writeWitness')} writeWitness(folders, 'claude-code');`,
  },
  'a tool shell notes itself': {
    file: 'hooks/witnessed/shells',
    quiet: true,
    work: `${folders} ${from('agents/hooks/form/witness-shell.ts', 'lineScript, writeWitness')}
      try { writeWitness(folders, 'claude-code'); } catch {}
      sh(['/bin/bash', lineScript(folders)]);`,
  },
  'a hook looks for a supervisor': { file: 'supervisor.lock.json', quiet: true, work: hookCalled('tool') },
  'a hook notes tool shells': {
    file: 'hooks/witnessed/shells',
    quiet: true,
    work: `${hookCalled('session-start')} sh([folders.script, 'claude-code', 'stop'], '{}');`,
  },
  'a hook starts a pass': { file: 'hooks/pass.starting', quiet: true, work: hookCalled('session-end') },
  'a hook takes what a session is told': {
    file: 'hooks/notices/project/.notice',
    quiet: true,
    work: `process.env.CLAUDE_PROJECT_DIR = '/project'; ${hookCalled('session-start')}`,
  },
};

/** What lies there instead, made by a command with FILE and FOREIGN. */
const things: Readonly<Record<string, readonly string[]>> = {
  'a pipe': ['mkfifo', 'FILE'],
  'a link to a file of something else': ['ln', '-s', 'FOREIGN', 'FILE'],
  'a socket': ['perl', '-MSocket', '-e', 'socket S, AF_UNIX, SOCK_STREAM, 0; bind S, sockaddr_un shift or die', 'FILE'],
  'a folder': ['mkdir', 'FILE'],
  'a link to a device that never ends': ['ln', '-s', '/dev/zero', 'FILE'],
};

/** Far above what any of them takes, and what a wait for a pipe exceeds. Milliseconds. */
const patience = 60_000;

const foreignText = 'what another program keeps\n';

const prelude = `
const { spawnSync } = await import('node:child_process');
const sh = ([file, ...args], input = '') => {
  const { signal } = spawnSync(file, args, { input, timeout: ${patience / 2}, killSignal: 'SIGKILL' });
  if (signal !== null) console.log('a script did not end');
};`;

/** One use, as code that says what became of it. */
const step = (what: string, path: string, folder: string, work: string): string =>
  `{ const FILE = ${JSON.stringify(path)}, FOLDER = ${JSON.stringify(folder)};
    try { ${work} console.log('done'); } catch (error) { console.log(error.message); }
    console.log(${JSON.stringify(`== ${what}`)}); }`;

const played = (steps: readonly string[]): SpawnSyncReturns<string> =>
  spawnSync(
    process.execPath,
    ['--no-warnings', '--input-type=module-typescript', '-e', `${prelude}${steps.join('\n')}`],
    { encoding: 'utf8', timeout: patience, killSignal: 'SIGKILL' },
  );

describe.concurrent('in the place of a file of Curfew’s', () => {
  test.each(Object.entries(things))(
    '%s holds up nothing, is not written through, and is named where it keeps something from being done',
    (_, make) => {
      const root = mkdtempSync(join(tmpdir(), 'curfew-in-place-'));
      try {
        const steps = Object.entries(uses).map(([what, { file, work }], index) => {
          const [folder, foreign] = [join(root, String(index)), join(root, `foreign-${index}`)];
          const path = join(folder, file);
          mkdirSync(dirname(path), { recursive: true });
          writeFileSync(foreign, foreignText);
          const [command = '', ...args] = make.map((word) =>
            word === 'FILE' ? path : word === 'FOREIGN' ? foreign : word,
          );
          // From its folder: the path of a socket may not be long.
          const place = args.map((word) => (word === path && command === 'perl' ? file : word));
          expect(spawnSync(command, place, { cwd: folder }).status).toBe(0);
          const text = step(what, path, folder, work);
          return { what, path, foreign, text, type: lstatSync(path).mode };
        });
        const { stdout, stderr } = played(steps.map(({ text }) => text));
        const said = stdout.split(/^== .*\n/mu);
        const seen = steps.map(({ what, path, foreign, type }, index) => ({
          what,
          isNamed: uses[what]?.quiet === true || (said[index] ?? '').includes('not a regular file'),
          said: uses[what]?.quiet === true ? (said[index] ?? '').replace('done\n', '') : '',
          is: uses[what]?.setAside === true || lstatSync(path, { throwIfNoEntry: false })?.mode === type,
          foreign: readFileSync(foreign, 'utf8'),
        }));
        expect({ stderr, seen }).toEqual({
          stderr: '',
          seen: steps.map(({ what }) => ({ what, isNamed: true, said: '', is: true, foreign: foreignText })),
        });
      } finally {
        rmSync(root, { recursive: true });
      }
    },
  );

  // Read as a whole it would be refused by Node, or take this much memory.
  test('a file of 8 GB is not read whole, and installs no hooks', () => {
    const root = mkdtempSync(join(tmpdir(), 'curfew-huge-'));
    try {
      const steps = Object.entries(uses).map(([what, { file, work }], index) => {
        const folder = join(root, String(index));
        const path = join(folder, file);
        mkdirSync(dirname(path), { recursive: true });
        expect(spawnSync('truncate', ['-s', '8G', path]).status).toBe(0);
        return step(what, path, folder, work);
      });
      const { status, stdout, stderr } = played([...steps, `console.log(process.resourceUsage().maxRSS);`]);
      const [kilobytes, ...said] = stdout.trimEnd().split('\n').toReversed();
      expect({ status, stderr, said: said.filter((line) => line === 'they were installed') }).toEqual({
        status: 0,
        stderr: '',
        said: [],
      });
      expect(said.filter((line) => line.startsWith('== '))).toHaveLength(steps.length);
      expect(Number(kilobytes)).toBeLessThan(1_000_000);
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});
