import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canPlaceWindows, placePopover, type Box } from '../../../main/shell/windows/placement.ts';

const size = { width: 400, height: 560 };
const display = { x: 0, y: 0, width: 1920, height: 1080 };

describe('the popover’s place', () => {
  test.each([
    [
      'a menu bar at the top',
      { x: 1000, y: 0, width: 24, height: 24 },
      { ...display, y: 24, height: 1056 },
      { x: 812, y: 28 },
    ],
    [
      'a taskbar at the bottom',
      { x: 1700, y: 1044, width: 24, height: 32 },
      { ...display, height: 1040 },
      { x: 1512, y: 480 },
    ],
    [
      'a taskbar at the left',
      { x: 8, y: 900, width: 24, height: 24 },
      { ...display, x: 48, width: 1872 },
      { x: 52, y: 520 },
    ],
    [
      'a taskbar at the right',
      { x: 1880, y: 900, width: 24, height: 24 },
      { ...display, width: 1872 },
      { x: 1468, y: 520 },
    ],
    ['a bar that hides itself', { x: 1700, y: 1050, width: 24, height: 24 }, display, { x: 1512, y: 486 }],
  ] as const)('with %s', (_name, tray, workArea, place) => {
    expect(placePopover({ tray, pointer: null, workArea, placeable: true }, size)).toEqual(place);
  });

  test('is left to the system where it can’t be set, or nothing is known', () => {
    const tray = { x: 1000, y: 0, width: 24, height: 24 };
    expect(placePopover({ tray, pointer: { x: 1, y: 1 }, workArea: display, placeable: false }, size)).toBeNull();
    expect(placePopover({ tray: null, pointer: null, workArea: display, placeable: true }, size)).toBeNull();
    expect(
      placePopover(
        { tray: { x: 0, y: 0, width: 0, height: 0 }, pointer: null, workArea: display, placeable: true },
        size,
      ),
    ).toBeNull();
  });

  test('is always inside of the work area', () => {
    const box = fc.record<Box>({
      x: fc.integer({ min: -4000, max: 4000 }),
      y: fc.integer({ min: -4000, max: 4000 }),
      width: fc.integer({ min: 1, max: 200 }),
      height: fc.integer({ min: 1, max: 200 }),
    });
    const area = fc.record<Box>({
      x: fc.integer({ min: -4000, max: 4000 }),
      y: fc.integer({ min: -4000, max: 4000 }),
      width: fc.integer({ min: 400, max: 8000 }),
      height: fc.integer({ min: 560, max: 8000 }),
    });
    const pointer = fc.record({ x: fc.integer({ min: -9000, max: 9000 }), y: fc.integer({ min: -9000, max: 9000 }) });
    fc.assert(
      fc.property(fc.option(box), pointer, area, (tray, spot, workArea) => {
        const place = placePopover({ tray, pointer: spot, workArea, placeable: true }, size);
        expect(place).not.toBeNull();
        if (place === null) return;
        expect(place.x).toBeGreaterThanOrEqual(workArea.x);
        expect(place.y).toBeGreaterThanOrEqual(workArea.y);
        expect(place.x + size.width).toBeLessThanOrEqual(workArea.x + workArea.width);
        expect(place.y + size.height).toBeLessThanOrEqual(workArea.y + workArea.height);
      }),
    );
  });
});

test.each([
  ['darwin', {}, '', true],
  ['win32', { WAYLAND_DISPLAY: 'wayland-0' }, '', true],
  ['linux', {}, '', true],
  ['linux', { XDG_SESSION_TYPE: 'x11' }, '', true],
  ['linux', { XDG_SESSION_TYPE: 'wayland' }, '', false],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, '', false],
  ['linux', { XDG_SESSION_TYPE: 'wayland' }, 'x11', true],
  ['linux', { XDG_SESSION_TYPE: 'x11' }, 'wayland', false],
] as const)('on %s with %o and --ozone-platform=%s windows can be placed: %s', (platform, environment, ozone, can) => {
  expect(canPlaceWindows(platform, environment, ozone)).toBe(can);
});
