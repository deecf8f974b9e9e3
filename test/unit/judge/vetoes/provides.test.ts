import { describe, expect, test } from 'vitest';
import { showsElsewhere } from '../../../../app/programs/viewed-display.ts';
import { programOf } from '../../../../app/programs/program.ts';
import { rowOf } from '../job-builder.ts';
import { vetoesOn } from './ask.ts';

const command = ['tool'];
const holding = (target: string) => vetoesOn(command, { facts: { openFiles: [{ fd: 3, target, deleted: false }] } });

describe('what a program holds open, whatever its name, that can’t be had back', () => {
  test.each([
    '/dev/kvm',
    '/dev/vhost-net',
    '/dev/vfio/12',
    '/dev/uinput',
    '/dev/fuse',
    '/dev/net/tun',
    '/dev/ppp',
    '/dev/sda',
    '/dev/nvme0n1p2',
    '/dev/mapper/backup',
    '/dev/ttyACM0',
    '/dev/bus/usb/001/004',
    '/dev/mtd0',
    '/dev/watchdog',
  ])('%s', (target) => {
    expect(holding(target)).toEqual(['shared-daemon']);
  });

  test.each(['/dev/null', '/dev/zero', '/dev/urandom', '/dev/shm/x', '/dev/dri/card0', '/home/me/dev/kvm', '/dev/tty'])(
    'not %s, which any program may hold',
    (target) => {
      expect(holding(target)).toEqual([]);
    },
  );
});

describe('a display that a viewer could reach', () => {
  const shows = (facts: Parameters<typeof showsElsewhere>[1]) =>
    showsElsewhere(programOf(rowOf(100, ['shown'])), facts);
  const served = ['/tmp/.X11-unix/X7'];
  const shown = [{ at: '/tmp/.X11-unix/X7', peer: '7' }];

  test('is told by the ports on which its program listens', () => {
    expect(shows({ listens: served, ports: [5907] })).toBe(true);
    expect(shows({ listens: ['/run/user/1000/wayland-1'], ports: [3389] })).toBe(true);
    // Of a program that serves a display itself, any port but those of X is one for viewers.
    expect(shows({ listens: served, ports: [8443] })).toBe(true);
    expect(shows({ listens: served, ports: [6007] })).toBe(false);
    expect(shows({ listens: served, ports: [] })).toBe(false);
  });

  test('is told by the ports of a program that shows another’s', () => {
    expect(shows({ ports: [5900], displays: shown })).toBe(true);
    expect(shows({ ports: [3389], displays: shown })).toBe(true);
    // The port of a driven browser.
    expect(shows({ ports: [9222], displays: shown })).toBe(false);
    expect(shows({ ports: [5900], displays: [] })).toBe(false);
  });
});
