import { expect, test } from 'vitest';
import { accessibleInEveryLook, colourful, inPopover } from './support/accessible-looks.ts';
import { views } from './support/views.ts';

// The popover's views have a file of their own, so that two browsers share what takes longest of
// all.
accessibleInEveryLook(
  'every view and state',
  views.filter((view) => !inPopover(view)),
);

test('the views with every colour are among all views', () => {
  expect(colourful.filter((name) => !views.some((view) => view.name === name))).toEqual([]);
});
