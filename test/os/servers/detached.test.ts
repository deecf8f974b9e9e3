import { describe, expect, test } from 'vitest';
import { scan } from '../scene/curfew.ts';
import { FakeClaude } from '../scene/claude.ts';
import { bystander, expectUntouched } from '../scene/innocents.ts';
import { scene } from '../scene/scene.ts';
import { reapNow } from './expectations.ts';

/** How a hook, a plugin or a server lets a helper go. */
const shapes = {
  setsid: 'setsid sleep 4001 </dev/null >/tmp/log-1 2>&1 &',
  'double fork': '( ( setsid sleep 4002 </dev/null >/tmp/log-2 2>&1 & ) & )',
  'nohup and disown': 'nohup sleep 4003 </dev/null >/tmp/log-3 2>&1 & disown',
} as const;

describe.concurrent('a helper that a hook detached', () => {
  for (const [name, script] of Object.entries(shapes))
    test(
      `${name}: is listed with its reason while its session lives and after it, and is ended by no pass`,
      scene(async (stage) => {
        const claude = await FakeClaude.start(stage);
        await claude.actor.start({
          file: '/bin/bash',
          argv: ['bash', '-c', script],
          env: claude.environment('harness'),
          cwd: claude.project,
          setsid: true,
          fds: { 0: '/dev/null', 1: '/dev/null', 2: '/dev/null' },
        });
        const helper = await stage.find('the helper', ({ argv }) => /^sleep 400\d$/u.test(argv.join(' ')));
        await stage.until('its hook has ended', () => stage.row(helper.pid)?.ppid === stage.top.pid);
        const innocent = bystander(stage, 'the helper', helper.pid);
        const jobOf = async (words: readonly string[]) =>
          (await scan(stage, words)).jobs.find(({ members }) => members.some(({ pid }) => pid === helper.pid));
        expect(await jobOf([])).toBeUndefined();
        expect(await jobOf(['--all'])).toMatchObject({ kind: 'server', verdict: { action: 'none' } });
        await claude.crash();
        const left = await jobOf(['--all']);
        expect(left).toMatchObject({ verdict: { action: 'none' } });
        expect(left?.verdict.reasons.map(({ text }) => text).join('\n')).toContain('detached itself');
        expect((await reapNow(stage)).incidents).toEqual([]);
        expectUntouched(stage, [innocent]);
      }),
    );
});
