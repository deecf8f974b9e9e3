import { expect as expectNow, test } from 'vitest';
import { FakeClaude } from '../os/scene/claude.ts';
import { bystander, expectGone, expectUntouched } from '../os/scene/innocents.ts';
import { expect } from '../ui/support/patient.ts';
import { RealApp } from './support/app.ts';
import { onElectron, quick } from './support/on-electron.ts';

onElectron('the app on a real Electron, killed', ({ inSession }) => {
  test(
    'in the middle of an ending it completes the record at its next start, and ends nothing twice',
    inSession('none', async (session) => {
      const { stage, user } = session;
      const living = await FakeClaude.start(stage, { user, project: `${user.home}/living` });
      const silent = await living.bash('sleep 9999 | tee /dev/null');
      const innocents = [bystander(stage, 'the silent task of a living session', silent.shell.pid)];
      const claude = await FakeClaude.start(stage, { user });
      const heard = `${user.home}/heard`;
      const { shell: deaf } = await claude.bash(`trap 'echo TERM >>${heard}' TERM; while :; do sleep 1; done`);
      const { shell: obeys } = await claude.bash('sleep 3600 | cat');
      await stage.untilDeaf(deaf.pid, 'SIGTERM');
      await claude.crash();

      const first = await RealApp.start(session);
      // No panel shows an icon here: a second start opens the popover.
      expectNow(await RealApp.startAgain(session)).toBe(0);
      const popover = await first.page('#/popover');
      const card = (text: string) => popover.getByRole('article').filter({ hasText: text });
      await card('sleep 3600').getByRole('button', { name: /^End/u }).click();
      await stage.until('the one that obeys is gone', () => !stage.lives(obeys));
      await expect(popover.getByText(/^Ended/u).first()).toBeVisible();
      await session.picture('popover-half-ended');
      await card('trap').getByRole('button', { name: /^End/u }).click();
      await stage.until('the deaf one has heard TERM', () => stage.has(heard) && stage.read(heard) !== '');
      await first.kill();
      expectNow(stage.lives(deaf)).toBe(true);

      // A busy machine needs a while to let it hear.
      session.settings({ ...quick, backgroundKillGraceSeconds: 10 });
      const next = await RealApp.start(session);
      await session.until('the record is complete', async () =>
        (await session.history()).every(({ outcome }) => outcome !== null),
      );
      const outcomes = async () =>
        (await session.history()).map(({ outcome }) => String(outcome)).toSorted((a, b) => a.localeCompare(b));
      expectNow(await outcomes()).toEqual(['interrupted', 'reaped']);
      expectNow(stage.lives(deaf)).toBe(true);
      expectNow(await RealApp.startAgain(session)).toBe(0);
      const again = await next.page('#/popover');
      await again.getByRole('article').getByRole('button', { name: /^End/u }).click();
      await stage.until('the deaf one is gone', () => !stage.lives(deaf));
      await session.until('its end is recorded', async () => (await outcomes()).includes('killed'));
      expectNow(await outcomes()).toEqual(['interrupted', 'killed', 'reaped']);
      expectNow(stage.read(heard)).toBe('TERM\nTERM\n');
      expectGone(stage, [deaf, obeys]);
      expectUntouched(stage, innocents);
      expectNow(next.complaints()).toEqual([]);
    }),
  );
});
