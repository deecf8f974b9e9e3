import { test } from 'vitest';
import { inBrowser } from './support/in-browser.ts';
import { expect } from './support/patient.ts';

const size = { width: 520, height: 640 };

inBrowser('choosing what Curfew may do', ({ shown }) => {
  const open = async (hash: string) =>
    shown().open({ name: hash, query: 'scene=first-run', hash, size }, { colorScheme: 'light' });

  test('nothing is chosen at first; the button waits for a choice, asks, and leads to the setup and the popover', async () => {
    const page = await open('#/welcome');
    await expect(page.getByRole('radio', { checked: true })).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Continue' })).toBeDisabled();
    await expect(
      page.getByText(
        /leftovers 10.min after their session closed, idle jobs after 30.min, .* hard cap of 4.h, with 1.min warning/u,
      ),
    ).toBeVisible();
    await page.getByText('Observe', { exact: true }).click();
    await expect(page.getByRole('radio', { name: /^Observe/u })).toBeChecked();
    await page.getByText('Enforce', { exact: true }).click();
    await expect(page.getByRole('radio', { name: /^Enforce/u })).toBeChecked();
    await page.getByRole('button', { name: 'Continue' }).click();
    const asked = page.getByRole('alertdialog');
    await expect(asked.getByText(/It would end \d+ jobs? now/u)).toBeVisible();
    await expect(asked.getByRole('listitem').first()).toBeVisible();
    // The question takes the focus once it is open.
    await shown().settled();
    await page.keyboard.press('Enter');
    await expect(asked).toHaveCount(0);
    await expect(page).toHaveURL(/#\/welcome$/u);
    await page.getByRole('button', { name: 'Continue' }).click();
    await asked.getByRole('button', { name: 'Enforce' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Two minutes to set up' })).toBeFocused();
    await page.getByRole('button', { name: 'Install hooks into Claude Code…' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Install hooks' }).click();
    await expect(page.getByText('Hooks installed').first()).toBeVisible();
    const login = page.getByRole('switch', { name: 'Start at login' });
    await login.click();
    await expect(login).not.toBeChecked();
    await expect(page.getByRole('switch', { name: 'Notify before a job is ended' })).toBeChecked();
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(page).toHaveURL(/#\/popover$/u);
  });

  test('what is left over on this machine is said before the choice, and other machines are left out', async () => {
    const page = await open('#/welcome');
    const now = page.getByRole('region', { name: 'On this machine now' });
    await expect(now.getByRole('listitem')).toHaveCount(4);
    await expect(now).not.toContainText('ends in');
    await page.evaluate(() => {
      const { engine } = window.scene;
      const [first, second, ...rest] = engine.snapshot.jobs;
      if (first === undefined || second === undefined) throw new Error('the scene has too few jobs');
      const elsewhere = {
        ...first,
        id: 'ffff',
        host: 'build-box',
        command: 'make on another machine' as typeof first.command,
      };
      const probable = { ...second, verdict: { ...second.verdict, state: 'probable' as const, endsAt: null } };
      engine.change({ jobs: [elsewhere, probable, ...rest] });
    });
    await expect(now.getByRole('listitem')).toHaveCount(3);
    await expect(now).not.toContainText('make on another machine');
    await expect(now.getByRole('listitem').first()).toContainText('probably left over');
    await expect(now.getByText(/^1 leftover holds .* \(0 proved, 1 probable\)\. 2 other jobs\.$/u)).toBeVisible();
  });

  test('two clicks after the address the leftovers of a newcomer are being ended, whatever is chosen later', async () => {
    const page = await shown().open(
      { name: 'newcomer', query: 'scene=first-run&surface=page', hash: '', size: { width: 1280, height: 800 } },
      { colorScheme: 'light' },
    );
    await page.getByRole('button', { name: /^End all… 1 leftovers?/u }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'End 1 job' }).click();
    await expect.poll(() => page.evaluate(() => window.scene.engine.snapshot.reapings.length)).toBe(1);
    expect(await page.evaluate(() => window.scene.engine.snapshot.modeChosen)).toBe(false);
  });

  test('the first page that is opened asks, too; “Decide later” leads to the jobs and is not asked again', async () => {
    const page = await shown().open(
      { name: 'first', query: 'scene=first-run&surface=page', hash: '', size: { width: 1280, height: 800 } },
      { colorScheme: 'light' },
    );
    await expect(page).toHaveURL(/#\/welcome$/u);
    await page.getByRole('button', { name: 'Decide later' }).click();
    await expect(page).toHaveURL(/#\/popover$/u);
  });

  test('the settings mark nothing before the choice, and the choice after it', async () => {
    const page = await open('#/settings/general');
    await expect(page.getByRole('radio')).toHaveCount(2);
    await expect(page.getByRole('radio', { checked: true })).toHaveCount(0);
    await page.getByRole('radio').first().click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Enforce' }).click();
    await expect(page.getByRole('radio').first()).toBeChecked();
  });
});
