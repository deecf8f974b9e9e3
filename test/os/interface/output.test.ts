import { symlinkSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FakeClaude } from '../scene/claude.ts';
import { scene } from '../scene/scene.ts';
import { launchService, quick, writeSettings } from './running-service.ts';

test(
  'the output is followed as it grows, without secrets, restarts with the file, and stays available after the job has gone',
  scene(async (stage) => {
    writeSettings(stage, quick);
    const claude = await FakeClaude.start(stage);
    const call = await claude.bash('sleep 3730 | cat');
    const path = call.output ?? '';
    stage.append(path, 'first line\nAPI_TOKEN=abc123secret\n');
    const service = await launchService(stage);
    const window = await service.open();
    const { id: job } = await window.job(call.shell.pid);
    const first = await window.get('job.output', { job, fromByte: null });
    expect(first).toMatchObject({ text: 'first line\nAPI_TOKEN=***\n', fromByte: 0, restarted: false });
    expect(await window.get('job.output', { job, fromByte: first.nextByte })).toMatchObject({ text: '' });
    stage.append(path, 'naïve — 日本\nsecond\n');
    const second = await window.get('job.output', { job, fromByte: first.nextByte });
    expect(second).toMatchObject({ text: 'naïve — 日本\nsecond\n', fromByte: first.nextByte });
    stage.write(path, 'anew\n');
    expect(await window.get('job.output', { job, fromByte: second.nextByte })).toMatchObject({
      text: 'anew\n',
      restarted: true,
      fileBytes: 5,
    });
    await window.get('job.reap', { job });
    await window.until('it is gone', ({ jobs }) => jobs.every(({ id }) => id !== job));
    expect((await window.get('job.output', { job, fromByte: null })).text).toContain('anew');
    rmSync(stage.outside(path));
    symlinkSync('/etc/passwd', stage.outside(path));
    expect(await window.refusal('job.output', { job, fromByte: null })).toMatchObject({ code: 'not-found' });
    await service.stop();
  }),
);
