import { expect, test } from 'vitest';
import { leftInEnglish } from '../../left-in-english.ts';
import { FakeClaude } from '../scene/claude.ts';
import { jobWith, type Run, runCurfew, scan, startCurfew } from '../scene/curfew.ts';
import { type Scene, scene } from '../scene/scene.ts';

/** Everything that only speaks; what changes something comes last. For help see test/unit/cli. */
const calls = (job: string): readonly (readonly string[])[] => [
  [],
  ['--help'],
  ['scan'],
  ['scan', '--explain', '--all'],
  ['scan', '--bogus'],
  ['scan', '--host', 'bad name'],
  ['scan', '--all-hosts'],
  ['scn'],
  ['sessions'],
  ['history'],
  ['history', 'ffffff'],
  ['history', '--outcome', 'perhaps'],
  ['doctor'],
  ['settings'],
  ['settings', 'get', 'nothing'],
  ['settings', 'set', 'mode', 'maybe'],
  ['settings', 'set', 'noticeSeconds', '5x'],
  ['hooks'],
  ['hooks', 'install', 'claude', '--dry-run'],
  ['hooks', 'install', 'frobnicator'],
  ['hooks', 'status', '--mcp'],
  ['sweep', '--dry-run'],
  ['autostart'],
  ['runs'],
  ['logs', 'ffffff'],
  ['terminate', 'ffffff'],
  ['run', '--idle-after', '(', '--', 'true'],
  ['run', '--max-elapsed', '5h', '--hard-cap', '1h', '--', 'true'],
  ['run', '--', '/nonexistent/program'],
  ['metrics', '--textfile', '/nonexistent/file'],
  ['web', '--sign-out'],
  ['port', '3999'],
  ['port', '3000'],
  ['port', '99999'],
  ['wait', 'ffffff'],
  ['wait', job, '--timeout', '1s'],
  ['idle'],
  ['agent'],
  ['agent', '--memory', '1K', '--', 'true'],
  ['agent', '--', '/nonexistent/program'],
  ['init'],
  ['init', '--', 'true'],
  ['locks'],
  ['locks', '--remove'],
  ['worktrees'],
  ['worktrees', '/nonexistent'],
  ['uninstall', '--dry-run'],
  ['uninstall'],
  ['hooks', 'install', 'codex', '--mcp'],
  ['keep', 'ffffff'],
  ['keep', job, '--for', '1m'],
  ['unkeep', job],
  ['reap', '--dry-run'],
  ['reap', '--dry-run', '--max-age', '0', '--probable'],
  ['reap', '--job', 'ffffff'],
  ['reap', '--agent-pid', '4000000'],
  ['reap', '--max-age', '5x'],
];

const outputOf = ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): readonly string[] =>
  `${stdout}\n${stderr}`.split('\n').map((line) => line.trim());

const speak = async (stage: Scene, language: 'en' | 'de'): Promise<void> => {
  expect(await runCurfew(stage, ['settings', 'set', 'language', language])).toMatchObject({ code: 0 });
};

test(
  'where German is chosen every command speaks it, with the same status; documents stay as they are',
  scene(async (stage) => {
    const [dead, living] = [await FakeClaude.start(stage), await FakeClaude.start(stage)];
    const kept = await living.bash('sleep 3600 | cat');
    await dead.bash('sleep 3601 | cat');
    const server = await stage.actor({
      argv: ['node', 'server.js'],
      cwd: living.project,
      parent: living.actor,
      env: living.environment(),
      setsid: true,
    });
    await server.listen(3000);
    // What is said of them: a lock that nothing holds, and a server that is not Curfew’s.
    stage.write(`${living.project}/.git/HEAD`, 'ref: refs/heads/main\n');
    stage.write(`${living.project}/.git/index.lock`, '');
    stage.write(`${stage.home}/.codex/config.toml`, '[mcp_servers.curfew]\ncommand = "mine"\n');
    const seen = await scan(stage);
    await dead.crash();
    expect(await runCurfew(stage, ['settings', 'set', 'mode', 'observe'])).toMatchObject({ code: 0 });
    const ended = await startCurfew(stage, ['run', '--background', '--name', 'x', '--', 'sleep', '3602']);
    await ended.ended();
    const { id } = jobWith(seen, kept.shell.pid);
    const left: (readonly string[])[] = [];
    const inEnglish: Run[] = [];
    for (const args of calls(id)) inEnglish.push(await runCurfew(stage, args));
    await speak(stage, 'de');
    for (const [at, args] of calls(id).entries()) {
      const english = inEnglish[at] ?? { code: -1, stdout: '', stderr: '' };
      const german = await runCurfew(stage, args);
      expect({ args, code: german.code }).toEqual({ args, code: english.code });
      left.push(...leftInEnglish(outputOf(english), outputOf(german)).map((line) => [...args, line]));
    }
    expect(left).toEqual([]);
    const one = await runCurfew(stage, ['reap', '--job', id, '--grace', '60s']);
    expect(one.stdout).toContain('Zusammen: 1 Job beendet');
    expect(one.stderr).toMatch(/^1 Job, .*: wird beendet\.$/mu);
    expect((await runCurfew(stage, ['history'])).stdout).toMatch(/^\d\d\.\d\d\.\d{4} \d\d:\d\d {2}beendet/mu);
    const report = await runCurfew(stage, ['history', id]);
    expect(report.stdout).toContain('Was geschah');
    const documents = async (): Promise<unknown> => {
      const { stdout } = await runCurfew(stage, ['history', id, '--json']);
      return JSON.parse(stdout);
    };
    const inGerman = await documents();
    await speak(stage, 'en');
    expect(await documents()).toEqual(inGerman);
  }),
);

test(
  'as the system has it a script reads English, whatever LANG says',
  scene(async (stage) => {
    const script = await runCurfew(stage, ['scan'], { env: { LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8' } });
    expect(script.stdout).toContain('No agent has left a command running');
  }),
);
