import { expect, test } from 'vitest';
import { launchService, quick, writeSettings } from '../interface/running-service.ts';
import { bystander, expectGone, expectUntouched } from '../scene/innocents.ts';
import { scene } from '../scene/scene.ts';
import { setAgents } from './agents.ts';

test(
  'the window lists an agent out of reach, and its button ends that agent alone',
  scene(async (stage) => {
    writeSettings(stage, quick);
    const agents = await setAgents(stage, ['hung-up', 'terminal-lives']);
    const service = await launchService(stage);
    const window = await service.open();
    const { pid } = agents['hung-up'];
    const listed = await stage.until('the agent is listed', () =>
      window.snapshot.agents.find((agent) => agent.pid === pid),
    );
    expect(listed).toMatchObject({ state: 'unreachable', canEnd: true });
    expect(window.snapshot.agents.map((agent) => agent.pid)).toEqual([pid]);
    await window.get('job.reap', { job: listed.job ?? '' });
    await stage.until('the agent is ended', () => !stage.lives(agents['hung-up']));
    expectGone(stage, [agents['hung-up']]);
    await stage.until('it is listed no more', () => window.snapshot.agents.length === 0);
    await service.stop();
    expectUntouched(stage, [bystander(stage, 'the agent that a user is at', agents['terminal-lives'].pid)]);
  }),
);
