import { expect, test } from 'vitest';
import { z } from 'zod';
import { curfewEnvironment, runCurfew, startCurfew } from '../scene/curfew.ts';
import { scene } from '../scene/scene.ts';

const document = z.object({ removed: z.array(z.string()), left: z.array(z.string()), problems: z.array(z.string()) });

test(
  'what Curfew put into a home is taken out again, to the byte, and nothing else',
  scene(async (stage) => {
    const settings = `${stage.home}/.claude/settings.json`;
    const before = '{ "model": "opus" }\n';
    stage.write(settings, before);
    const env = { ...curfewEnvironment(stage), CURFEW_HOME: '' };
    for (const args of [
      ['hooks', 'install', 'claude', '--witness'],
      ['hooks', 'install', '--mcp', 'claude'],
      ['settings', 'set', 'mode', 'observe'],
      ['scan'],
    ])
      expect(await runCurfew(stage, args, { env })).toMatchObject({ code: 0 });
    expect(stage.read(settings)).not.toBe(before);
    // What is spared is kept outside of the home, too, for as long as the boot lasts.
    const name = `${encodeURIComponent(`${stage.home}/.local/state/curfew`)}.jsonl`;
    const outside = ['/run/user/0/curfew', '/tmp/curfew-0'].map((folder) => `${folder}/${name}`);
    expect(outside.some((path) => stage.has(path))).toBe(true);
    const shown = await runCurfew(stage, ['uninstall', '--dry-run'], { env });
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain(`- ${stage.home}/.config/curfew/settings.json`);
    expect((await runCurfew(stage, ['uninstall'], { env })).code).toBe(1);
    expect(stage.has(`${stage.home}/.config/curfew/settings.json`)).toBe(true);
    const { code, stdout } = await runCurfew(stage, ['uninstall', '--yes', '--json'], { env });
    expect(code).toBe(0);
    expect(document.parse(JSON.parse(stdout))).toMatchObject({ left: [], problems: [] });
    expect(stage.read(settings)).toBe(before);
    expect(outside.filter((path) => stage.has(path))).toEqual([]);
    for (const path of ['.config/curfew', '.local/state/curfew', '.claude.json'])
      expect([path, stage.has(`${stage.home}/${path}`)]).toEqual([path, false]);
  }),
);

test(
  'in a folder that holds other things too, only what is surely Curfew’s goes',
  scene(async (stage) => {
    const folder = `${stage.home}/mixed`;
    const [diary, log] = [`${folder}/diary.txt`, `${folder}/logs/mine.log`];
    stage.write(diary, 'mine');
    stage.write(log, 'mine');
    const env = { ...curfewEnvironment(stage), CURFEW_HOME: folder };
    expect((await runCurfew(stage, ['settings', 'set', 'mode', 'observe'], { env })).code).toBe(0);
    expect((await runCurfew(stage, ['uninstall', '--yes'], { env })).code).toBe(0);
    expect([stage.read(diary), stage.read(log)]).toEqual(['mine', 'mine']);
    expect(stage.has(`${folder}/ledger.db`)).toBe(false);
  }),
);

test(
  'while a Curfew watches, nothing is removed',
  scene(async (stage) => {
    const watching = await startCurfew(stage, ['watch', '--observe']);
    await stage.until('it watches', () => watching.stderr() + watching.stdout() !== '');
    const refused = await runCurfew(stage, ['uninstall', '--yes']);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('Curfew is running');
    await watching.signal('TERM');
    expect((await watching.ended()).code).toBe(0);
  }),
);
