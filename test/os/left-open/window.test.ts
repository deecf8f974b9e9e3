import { expect, test } from 'vitest';
import { launchService, quick, writeSettings } from '../interface/running-service.ts';
import { FakeClaude } from '../scene/claude.ts';
import { bystander, expectGone, expectUntouched } from '../scene/innocents.ts';
import { scene } from '../scene/scene.ts';

test(
  'the window lists a session that a tool call left open, and its button ends that session alone',
  scene(async (stage) => {
    writeSettings(stage, quick);
    const claude = await FakeClaude.start(stage);
    stage.folder('/tmp/work');
    const tmux = 'tmux -S /tmp/work/tmux.sock -f /dev/null';
    await claude.foreground(`${tmux} new-session -d -s build 'sleep 4000; true'`);
    await claude.foreground(`${tmux} new-session -d -s later 'sleep 4001; true'`);
    await claude.crash();
    const rows = await Promise.all(
      ['sleep 4000', 'sleep 4001'].map((command) => stage.find(command, ({ argv }) => argv.join(' ') === command)),
    );
    const [inside, later] = rows.map(({ pid }) => stage.identity(pid));
    if (inside === undefined || later === undefined) throw new Error('the sessions are not set');
    const service = await launchService(stage);
    const window = await service.open();
    const listed = await stage.until('the session is listed', () =>
      window.snapshot.leftOpen.find(({ name }) => name === 'build'),
    );
    expect(listed).toMatchObject({ keeper: 'tmux', owner: 'gone', canEnd: true });
    const { incident } = await window.get('leftOpen.end', { id: listed.id });
    expectGone(stage, [inside]);
    expect(await window.get('history.incident', { id: incident })).toMatchObject({
      decidedBy: 'person',
      outcome: 'reaped',
    });
    await service.stop();
    expectUntouched(stage, [bystander(stage, 'what runs in the other session', later.pid)]);
  }),
);
