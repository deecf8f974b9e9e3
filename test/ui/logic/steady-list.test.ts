import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { steadyList, type Steady } from '../../../renderer/state/steady-list.ts';

interface Item {
  readonly id: string;
}

const lists = fc
  .uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'))
  .map((ids): readonly Item[] => ids.map((id) => ({ id })));
const idsOf = (shown: readonly Steady<Item>[]): readonly string[] => shown.map(({ item }) => item.id);

test('while the list is held, shown items keep their places as others come and go', () => {
  fc.assert(
    fc.property(lists, fc.array(lists), (first, later) => {
      let shown = steadyList<Item>([], first, false);
      for (const next of later) {
        const before = idsOf(shown);
        shown = steadyList(shown, next, true);
        expect(idsOf(shown).slice(0, before.length)).toEqual(before);
        const present = new Set<string>(next.map(({ id }) => id));
        expect(shown.map(({ item, gone }) => gone === !present.has(item.id))).not.toContain(false);
        expect(next.every(({ id }) => idsOf(shown).includes(id))).toBe(true);
      }
    }),
  );
});

test('let go, it is the list as it is now', () => {
  fc.assert(
    fc.property(lists, lists, lists, (first, second, third) => {
      const held = steadyList(steadyList<Item>([], first, false), second, true);
      expect(steadyList(held, third, false)).toEqual(third.map((item) => ({ item, gone: false })));
    }),
  );
});

test('what has left the list but not the world is not called gone', () => {
  const shown = steadyList<Item>([], [{ id: 'a' }], false);
  expect(steadyList(shown, [], true, (id) => ({ id }))).toEqual([{ item: { id: 'a' }, gone: false }]);
});
