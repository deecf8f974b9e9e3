import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { whyNoDesktop } from '../../build/scripts/desktop.ts';
import { busCall, sessionServices } from '../../build/scripts/session-bus.ts';
import { hasProgram } from '../needs.ts';

// The bus of a desktop's session, played by a dbus-daemon of its own: it sees no other.

const tray = 'org.kde.StatusNotifierWatcher';
const notifications = 'org.freedesktop.Notifications';
const uid = process.getuid?.() ?? 0;

/** Starts a bus; `services` are names that it would start a program for. Returns its address. */
const bus = async (...services: readonly string[]): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'curfew-bus-'));
  mkdirSync(join(folder, 'services'));
  for (const name of services)
    writeFileSync(join(folder, 'services', `${name}.service`), `[D-BUS Service]\nName=${name}\nExec=/bin/false\n`);
  const policy = '<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>';
  writeFileSync(
    join(folder, 'bus.conf'),
    `<busconfig><type>session</type><listen>unix:path=${folder}/bus</listen><auth>EXTERNAL</auth><servicedir>${folder}/services</servicedir><policy context="default">${policy}</policy></busconfig>`,
  );
  const daemon = spawn('dbus-daemon', [`--config-file=${folder}/bus.conf`, '--nofork', '--print-address'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    const ended = once(daemon, 'exit');
    daemon.kill();
    await ended;
    rmSync(folder, { recursive: true });
  });
  const [address] = (await once(daemon.stdout.setEncoding('utf8'), 'data')) as [string];
  return address.trim();
};

/** Owns a name on the bus until the end of the test. */
const own = async (address: string, name: string): Promise<void> => {
  const [, path = ''] = /path=([^,]+)/u.exec(address) ?? [];
  const connection = connect(path);
  onTestFinished(() => void connection.destroy());
  connection.write(`\0AUTH EXTERNAL ${Buffer.from(String(uid)).toString('hex')}\r\n`);
  await once(connection, 'data');
  connection.write(
    Buffer.concat([Buffer.from('BEGIN\r\n'), busCall(1, 'Hello', null), busCall(2, 'RequestName', name, 4)]),
  );
  let came = '';
  // The bus tells that the name is owned, after the two answers.
  while (!came.includes(`NameAcquired`) || !came.includes(name)) {
    const [bytes] = (await once(connection, 'data')) as [Buffer];
    came += bytes.toString('latin1');
  }
};

const servicesAt = (address: string) => sessionServices({ DBUS_SESSION_BUS_ADDRESS: address }, uid);

const seen = (session: Awaited<ReturnType<typeof servicesAt>>): string | null =>
  whyNoDesktop({ platform: 'linux', environment: { DISPLAY: ':0' }, uid: 1000, session });

const missing = !hasProgram('dbus-daemon');
const skipped = missing ? ' (SKIPPED: no dbus-daemon here)' : '';

describe.skipIf(missing)(`what the session of a user offers${skipped}`, () => {
  test('a desktop with a tray and notifications shows the tray app', async () => {
    const address = await bus();
    await own(address, tray);
    await own(address, notifications);
    expect(await servicesAt(address)).toEqual({ tray: true, notifications: true });
    expect(seen(await servicesAt(address))).toBeNull();
  });

  test('notifications that are started when one comes are there', async () => {
    const address = await bus(notifications);
    await own(address, tray);
    expect(await servicesAt(address)).toEqual({ tray: true, notifications: true });
  });

  test('without notifications, or without a tray, the page is started', async () => {
    const address = await bus();
    expect(await servicesAt(address)).toEqual({ tray: false, notifications: false });
    await own(address, tray);
    expect(await servicesAt(address)).toEqual({ tray: true, notifications: false });
    expect(seen(await servicesAt(address))).toContain('no notifications');
  });

  test('a bus that is not there, or is none, says nothing', async () => {
    expect(await servicesAt('unix:path=/nowhere/bus')).toBeNull();
    expect(await sessionServices({}, uid)).toBeNull();
    expect(seen(null)).toContain('does not say');
  });
});
