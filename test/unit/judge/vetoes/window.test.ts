import { expect, test } from 'vitest';
import { vetoesOn } from './ask.ts';

const shown = (peer: string | null) => ({ facts: { displays: [{ at: '/tmp/.X11-unix/X0', peer }] } });

test('what is connected to a display is spared, also where nothing tells which', () => {
  expect(vetoesOn(['evince', 'plan.pdf'], shown('91'))).toEqual(['window']);
  expect(vetoesOn(['evince', 'plan.pdf'], shown(null))).toEqual(['window']);
});

test('what is connected to none is not', () => {
  expect(vetoesOn(['evince', 'plan.pdf'], { facts: { displays: [] } })).toEqual([]);
  expect(vetoesOn(['evince', 'plan.pdf'])).toEqual([]);
});

test('a display that the job brought itself, or another leftover, is no user’s', () => {
  expect(vetoesOn(['evince'], { ...shown('91'), context: { harmlessSockets: new Set(['91']) } })).toEqual([]);
  expect(vetoesOn(['evince'], { ...shown('91'), context: { harmlessSockets: new Set(['92']) } })).toEqual(['window']);
});

test('the windows of a browser that a program drives are no user’s', () => {
  expect(vetoesOn(['chrome', '--headless', '--remote-debugging-pipe'], shown('91'))).toEqual([]);
});
