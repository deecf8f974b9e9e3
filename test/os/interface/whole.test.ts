import { spoken } from '../../unit/text/spoken.ts';
import { describe, expect, test } from 'vitest';
import { FakeClaude } from '../scene/claude.ts';
import { scene } from '../scene/scene.ts';
import { launchService, quick, writeSettings } from './running-service.ts';

describe.concurrent('Curfew as a whole', () => {
  test(
    'doctor reports the true state; hooks are shown before they are written, written, tested and removed again',
    scene(async (stage) => {
      writeSettings(stage, { ...quick, noticeSeconds: 'soon' });
      const settings = `${stage.home}/.claude/settings.json`;
      const before = '{\n  "model": "opus"\n}\n';
      stage.write(settings, before);
      const claude = await FakeClaude.start(stage);
      await claude.bash('sleep 3740 | cat');
      const service = await launchService(stage);
      const window = await service.open();
      const { checks } = await window.get('doctor.run', {});
      expect(new Set(checks.map(({ code }) => code)).size).toBe(checks.length);
      const stateOf = (title: string): string | undefined => checks.find((check) => check.title === title)?.state;
      expect(stateOf('Record')).toBe('good');
      expect(stateOf('Settings')).toBe('failure');
      expect(spoken(checks.find(({ title }) => title === 'Supervisor')?.text)).toContain(
        `process ${service.identity.pid}`,
      );

      const { agents } = await window.get('hooks.status', {});
      const claudeCode = agents.find(({ agent }) => agent === 'claude-code');
      expect(claudeCode).toMatchObject({ hooks: 'absent', file: settings });
      expect(claudeCode?.changes.some(({ kind }) => kind === 'added')).toBe(true);
      expect(stage.read(settings)).toBe(before);
      expect(await window.get('hooks.install', { agent: 'claude-code' })).toMatchObject({ hooks: 'installed' });
      expect(stage.read(settings)).toContain('SessionEnd');
      expect(await window.get('hooks.uninstall', { agent: 'claude-code' })).toMatchObject({ hooks: 'absent' });
      expect(stage.read(settings)).toBe(before);
      expect(await window.refusal('hooks.install', { agent: 'aider' })).toMatchObject({ code: 'unsupported' });

      const autostart = await window.get('autostart.status', {});
      expect(autostart).toMatchObject({ state: 'unsupported' });
      expect(await window.refusal('autostart.set', { enabled: true })).toMatchObject({ code: 'refused' });
      await window.get('app.copy', { text: 'x' });
      await service.stop();
    }),
  );

  test(
    'the user’s rules and their matches can be tried before they are saved',
    scene(async (stage) => {
      writeSettings(stage, { ...quick, exemptions: [{ command: 'house-agent*' }] });
      const service = await launchService(stage);
      const window = await service.open();
      const commandLine = 'house-agent --task abcd1234';
      expect((await window.get('settings.testRule', { commandLine, rules: null })).matches).toEqual([]);
      const rules = [{ name: 'ours', argv0: 'house-agent', argv: ['--task'] }];
      const tried = await window.get('settings.testRule', { commandLine, rules });
      expect(tried).toMatchObject({ matches: [{ rule: 'ours', own: true }], exemptions: ['house-agent*'] });
      expect(window.snapshot.settings.values.rules).toEqual([]);
      await service.stop();
    }),
  );

  test(
    'an invalid question is refused with the invalid fields',
    scene(async (stage) => {
      writeSettings(stage, quick);
      const service = await launchService(stage);
      const window = await service.open();
      expect(await window.refusal('job.keep', { job: 'no id', seconds: 0 })).toMatchObject({
        code: 'invalid',
        fields: [{ path: 'job' }, { path: 'seconds' }],
      });
      expect(await window.refusal('job.details', { job: 'abcd' })).toMatchObject({ code: 'not-found' });
      await service.stop();
    }),
  );
});
