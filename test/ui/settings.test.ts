import { test } from 'vitest';
import { inBrowser } from './support/in-browser.ts';
import { expect } from './support/patient.ts';

const size = { width: 860, height: 900 };

inBrowser('the settings window', ({ shown }) => {
  const open = async (section: string) =>
    shown().open({ name: section, query: 'scene=busy', hash: `#/settings/${section}`, size }, { colorScheme: 'light' });

  test('a limit that makes no sense is refused at its field, in words, and can’t be saved', async () => {
    const page = await open('limits');
    const field = page.getByRole('textbox', { name: 'Overdue after' });
    await field.fill('soon');
    await expect(page.getByText('Enter a duration like 90 s, 30 min, 4 h or 1 d.')).toBeVisible();
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await field.fill('9 h');
    await expect(page.getByText(/Not longer than the hard cap of 4.h/u)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Save changes' })).toBeDisabled();
  });

  test('the picture moves with the values, and what would change is shown before it is saved', async () => {
    const page = await open('limits');
    const picture = page.getByRole('img', { name: /within its time up to 30.min/u });
    await expect(picture).toBeVisible();
    await page.getByRole('textbox', { name: 'Overdue after' }).fill('5 min');
    await expect(page.getByRole('img', { name: /within its time up to 5.min/u })).toBeVisible();
    await expect(page.getByText('These limits would change 2 running jobs:')).toBeVisible();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByRole('button', { name: 'Save changes' })).toBeHidden();
    await expect(page.getByRole('textbox', { name: 'Overdue after' })).toHaveValue('5 min');
  });

  test('the days after which an idle agent is ended are off, and saved by a button of their own', async () => {
    const page = await open('limits');
    const field = page.getByRole('textbox', { name: 'End an idle agent after (days)' });
    await expect(field).toHaveValue('0');
    await field.fill('400');
    await expect(page.getByText('A whole number of days from 0 to 365.')).toBeVisible();
    await field.fill('7');
    await page.getByRole('button', { name: 'Save changes', disabled: false }).click();
    await expect.poll(() => page.evaluate(() => window.scene.engine.snapshot.settings.values.idleAgentDays)).toBe(7);
  });

  test('unsaved limits outlive a look at another section, and are marked until they are saved or dropped', async () => {
    const page = await open('limits');
    const field = page.getByRole('textbox', { name: 'Notice' });
    await field.fill('90 s');
    await page.getByRole('tab', { name: 'General' }).click();
    await expect(page.getByRole('tab', { name: /^Limits.*Unsaved changes/u })).toBeVisible();
    await page.getByRole('tab', { name: /^Limits/u }).click();
    await expect(field).toHaveValue('90 s');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(field).toHaveValue('1 min 30 s');
    await expect(page.getByText('Unsaved changes')).toHaveCount(0);
  });

  test('a field that is refused moves no other field', async () => {
    const page = await open('limits');
    const places = async () =>
      Promise.all((await page.getByRole('textbox').all()).map(async (field) => (await field.boundingBox())?.y));
    const before = await places();
    await page.getByRole('textbox', { name: 'Overdue after' }).fill('soon');
    await expect(page.getByText('Enter a duration like')).toBeVisible();
    expect(await places()).toEqual(before);
  });

  test('a max elapsed of 30 s from the command line never keeps another limit from being saved', async () => {
    const page = await open('limits');
    await page.evaluate(() => {
      const { settings } = window.scene.engine.snapshot;
      const values = { ...settings.values, backgroundMaxElapsedSeconds: 30 };
      window.scene.engine.change({ settings: { ...settings, values } });
    });
    await expect(page.getByRole('textbox', { name: 'Overdue after' })).toHaveValue('30 s');
    await page.getByRole('textbox', { name: 'Wait before KILL' }).fill('20 s');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByRole('button', { name: 'Save changes' })).toBeHidden();
    await expect(page.getByRole('textbox', { name: 'Wait before KILL' })).toHaveValue('20 s');
  });

  test('at 320 px the bar covers no field that has the focus', async () => {
    const page = await shown().open(
      { name: 'limits', query: 'scene=busy', hash: '#/settings/limits', size: { width: 320, height: 568 } },
      { colorScheme: 'light' },
    );
    await page.getByRole('textbox', { name: 'Overdue after' }).fill('5 min');
    const save = page.getByRole('button', { name: 'Save changes' });
    await expect(save).toBeInViewport();
    for (const field of await page.getByRole('textbox').all()) {
      await field.focus();
      const [box, bar] = [await field.boundingBox(), await save.boundingBox()];
      expect((box?.y ?? 999) + (box?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
    }
  });

  test('arrow keys move a limit in sensible steps and stop at its range', async () => {
    const page = await open('limits');
    const field = page.getByRole('textbox', { name: 'Wait before KILL' });
    await field.focus();
    await page.keyboard.press('ArrowUp');
    await expect(field).toHaveValue('15 s');
    for (let press = 0; press < 5; press += 1) await page.keyboard.press('ArrowDown');
    await expect(field).toHaveValue('0 s');
  });

  test('what will be written into an agent is shown before, and Enter on the fresh dialog writes nothing', async () => {
    const page = await open('agents');
    await page.getByRole('button', { name: 'Install hooks into Claude Code…' }).click();
    const dialog = page.getByRole('alertdialog');
    await expect(dialog.getByText('/home/mara/.claude/settings.json')).toBeVisible();
    await expect(dialog.getByText(/curfew hook session-start/u)).toBeVisible();
    // Until it has the focus, Enter is the button's behind it.
    await expect(dialog.locator(':focus')).toHaveCount(1);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(page.getByText('No hooks', { exact: true }).first()).toBeVisible();
    await page.getByRole('button', { name: 'Install hooks into Claude Code…' }).click();
    await dialog.getByRole('button', { name: 'Install hooks' }).click();
    await expect(page.getByRole('button', { name: 'Remove hooks from Claude Code' })).toBeVisible();
  });

  test('the guard is off by default, and each of its rules has a mode', async () => {
    const page = await open('agents');
    const guard = page.getByRole('switch', { name: 'Check commands before they run' });
    await expect(guard).not.toBeChecked();
    await expect(page.getByText('Off. After switching it on, reinstall the hooks above.')).toBeVisible();
    await guard.click();
    await expect(guard).toBeChecked();
    await expect(page.getByText('On. Reinstall the hooks above')).toBeVisible();
    const rule = page.getByRole('combobox', { name: 'No time limit' });
    await expect(rule).toHaveText('Warn the agent');
    await rule.click();
    await page.getByRole('option', { name: 'Give it a time limit' }).click();
    await expect(rule).toHaveText('Give it a time limit');
    await page.getByRole('combobox', { name: 'Ends the agent' }).click();
    await expect(page.getByRole('option')).toHaveText(['Off', 'Warn the agent', 'Refuse the command']);
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Time limit', exact: true }).click();
    await page.getByRole('option', { name: '1 h' }).click();
    await expect(page.getByRole('combobox', { name: 'Time limit', exact: true })).toHaveText(/1.h/u);
  });

  test('an exemption needs something to exempt, is added, and is removed', async () => {
    const page = await open('rules');
    await page.getByRole('button', { name: 'Add an exemption' }).click();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(page.getByText('Enter at least a project, a command or a port.')).toBeVisible();
    await page.getByRole('textbox', { name: 'Port' }).fill('3000');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(page.getByText('port 3000')).toBeVisible();
    await page.getByRole('button', { name: 'Remove the exemption for port 3000' }).click();
    await expect(page.getByText('port 3000')).toHaveCount(0);
  });

  test('the tester tells what a command line is', async () => {
    const page = await open('rules');
    const field = page.getByRole('textbox', { name: 'Command line' });
    await field.fill("/bin/bash -c source x && eval 'npm run dev'");
    await page.getByRole('button', { name: 'Test' }).click();
    await expect(page.getByText('Claude Code, claude-shell')).toBeVisible();
  });

  test('notifications are switched one by one', async () => {
    const page = await open('notifications');
    const first = page.getByRole('switch').first();
    const last = page.getByRole('switch').last();
    const before = [await first.isChecked(), await last.isChecked()];
    await first.click();
    await expect(first).toBeChecked({ checked: !before[0] });
    await expect(last).toBeChecked({ checked: before[1] === true });
    await expect(page.getByRole('alert')).toHaveCount(0);
  });

  test('German is one choice away, holds at once, and changes what the engine says, too', async () => {
    const page = await open('general');
    await page.getByRole('combobox', { name: 'Language' }).click();
    await page.getByRole('option', { name: 'Deutsch' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Allgemein' })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
    await page.evaluate(() => {
      window.location.hash = '#/popover';
    });
    await page.getByRole('button', { name: /^Mehr über npx/u }).click();
    await expect(page.getByText(/alt, über der Höchstdauer von/u).first()).toBeVisible();
  });

  test('sections are walked with the arrow keys', async () => {
    const page = await open('general');
    await page.getByRole('tab', { name: 'General' }).focus();
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('heading', { level: 1, name: 'Limits' })).toBeVisible();
  });
});
