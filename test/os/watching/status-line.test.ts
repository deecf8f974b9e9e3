import { expect, test } from 'vitest';
import { FakeClaude } from '../scene/claude.ts';
import { runCurfew, startCurfew } from '../scene/curfew.ts';
import { scene } from '../scene/scene.ts';

test(
  'the status line is what the supervisor saw last, in the command and in Claude Code’s settings',
  scene(async (stage) => {
    const file = '/tmp/curfew-home/status-line';
    const claude = await FakeClaude.start(stage);
    await claude.bash('sleep 3600 | cat');
    // None supervises: the first call starts a look, for which it does not wait.
    expect((await runCurfew(stage, ['statusline'])).stdout).toBe('');
    await stage.until('a look was noted', () => stage.has(`${file}-looks/line`));
    expect((await runCurfew(stage, ['statusline'])).stdout).toMatch(/^1 job, [\d.]+ [kM]B\n$/u);
    const installed = await runCurfew(stage, ['hooks', 'install', '--statusline']);
    expect(installed).toMatchObject({ code: 0, stderr: '' });
    const settings = JSON.parse(stage.read(`${stage.home}/.claude/settings.json`)) as {
      readonly statusLine: { readonly command: string };
    };
    const watch = await startCurfew(stage, ['watch', '--observe', '--json']);
    await stage.until('the supervisor has noted its look', () => stage.has(file) && stage.read(file).includes('1 job'));
    expect((await runCurfew(stage, ['statusline'])).stdout).toMatch(/^1 job, [\d.]+ [kM]B\n$/u);
    const out = stage.write('/tmp/scene/line', '', 0o666);
    const shown = await stage.top.begin({
      file: '/bin/sh',
      argv: ['/bin/sh', '-c', settings.statusLine.command],
      env: stage.userEnvironment(),
      fds: { 1: out },
    });
    await stage.top.ended(shown.pid);
    expect(stage.read(out)).toMatch(/^1 job, [\d.]+ [kM]B\n$/u);
    await watch.signal('INT');
    expect((await watch.ended()).code).toBe(0);
    expect((await runCurfew(stage, ['statusline', '--json'])).stdout).toMatch(/"text":(?:null|"1 job, )/u);
    await runCurfew(stage, ['hooks', 'uninstall', '--statusline']);
    expect(stage.has(`${stage.home}/.claude/settings.json`)).toBe(false);
  }),
);
