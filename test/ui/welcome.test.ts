import { test } from 'vitest';
import { inBrowser } from './support/in-browser.ts';
import { expect } from './support/patient.ts';

const size = { width: 520, height: 640 };

inBrowser('choosing what Curfew may do', ({ shown }) => {
  const open = async (hash: string) =>
    shown().open({ name: hash, query: 'scene=first-run', hash, size }, { colorScheme: 'light' });

  test('nothing is chosen at first; Start waits for a choice and then opens the popover', async () => {
    const page = await open('#/welcome');
    await expect(page.getByRole('radio', { checked: true })).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Start' })).toBeDisabled();
    await expect(
      page.getByText(
        /closed sessions after 10.min, idle jobs after 30.min, .* hard cap of 4.h\. You are told 1.min ahead/u,
      ),
    ).toBeVisible();
    await page.getByText('Only tell me').click();
    await expect(page.getByRole('radio', { name: /^Only tell me/u })).toBeChecked();
    await page.getByText('End what is overdue').click();
    await expect(page.getByRole('radio', { name: /^End what is overdue/u })).toBeChecked();
    await page.getByRole('button', { name: 'Start' }).click();
    const asked = page.getByRole('alertdialog');
    await expect(asked.getByText(/It would end \d+ jobs? now/u)).toBeVisible();
    await expect(asked.getByRole('listitem').first()).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(asked).toHaveCount(0);
    await expect(page).toHaveURL(/#\/welcome$/u);
    await page.getByRole('button', { name: 'Start' }).click();
    await asked.getByRole('button', { name: 'Enforce' }).click();
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
