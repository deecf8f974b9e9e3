import { connect } from 'node:net';

/** What the user's session offers for a tray app. */
export interface SessionServices {
  /** A program shows tray icons. */
  readonly tray: boolean;
  /** A program shows notifications, or is started when one comes. */
  readonly notifications: boolean;
}

/** Shows tray icons: https://www.freedesktop.org/wiki/Specifications/StatusNotifierItem/ */
const trayName = 'org.kde.StatusNotifierWatcher';
/** Shows notifications: https://specifications.freedesktop.org/notification-spec/ */
const notificationsName = 'org.freedesktop.Notifications';

const driver = 'org.freedesktop.DBus';
const methodReturn = 2;
const methodError = 3;
const headerBytes = 16;
/** The bus answers within this time, milliseconds, or not at all. */
const answersWithinMs = 3_000;
const maxAnswerBytes = 1 << 20;

const aligned = (length: number, to: number): number => Math.ceil(length / to) * to;

/** A string as D-Bus writes it: length, text, a zero. */
const text = (value: string): Buffer => {
  const bytes = Buffer.alloc(4 + Buffer.byteLength(value) + 1);
  bytes.writeUInt32LE(Buffer.byteLength(value), 0);
  bytes.write(value, 4);
  return bytes;
};

/**
 * Returns a call of the bus itself, with one string or none, and flags behind it where it takes any
 * (https://dbus.freedesktop.org/doc/dbus-specification.html#message-protocol-messages).
 */
export const busCall = (serial: number, member: string, argument: string | null, flags?: number): Buffer => {
  const field = (code: number, type: 'o' | 's' | 'g', value: string): Buffer => {
    const signature = Buffer.from([code, 1, type.charCodeAt(0), 0]);
    // A signature has a length of one byte.
    return Buffer.concat([
      signature,
      type === 'g' ? Buffer.from([value.length, ...Buffer.from(value), 0]) : text(value),
    ]);
  };
  const fields = [
    field(1, 'o', '/org/freedesktop/DBus'),
    field(2, 's', driver),
    field(3, 's', member),
    field(6, 's', driver),
    ...(argument === null ? [] : [field(8, 'g', flags === undefined ? 's' : 'su')]),
  ];
  const array = fields.reduce((all, one) =>
    Buffer.concat([all, Buffer.alloc(aligned(all.length, 8) - all.length), one]),
  );
  const given = argument === null ? Buffer.alloc(0) : text(argument);
  const body = Buffer.alloc(flags === undefined ? given.length : aligned(given.length, 4) + 4);
  given.copy(body);
  if (flags !== undefined) body.writeUInt32LE(flags, body.length - 4);
  const head = Buffer.alloc(headerBytes);
  head.write('l');
  head.writeUInt8(1, 1);
  head.writeUInt8(1, 3);
  head.writeUInt32LE(body.length, 4);
  head.writeUInt32LE(serial, 8);
  head.writeUInt32LE(array.length, 12);
  const padding = Buffer.alloc(aligned(headerBytes + array.length, 8) - headerBytes - array.length);
  return Buffer.concat([head, array, padding, body]);
};

/** An answer of the bus: its bytes, or null for an error. */
type Answer = Buffer | null;

/** Takes whole messages from the front of what came; signals are left out. */
const answersIn = (bytes: Buffer): { readonly answers: readonly Answer[]; readonly rest: Buffer } => {
  const answers: Answer[] = [];
  let at = 0;
  while (bytes.length - at >= headerBytes) {
    const from = at + aligned(headerBytes + bytes.readUInt32LE(at + 12), 8);
    const end = from + bytes.readUInt32LE(at + 4);
    if (bytes.length < end) break;
    const kind = bytes.readUInt8(at + 1);
    if (kind === methodReturn) answers.push(bytes.subarray(from, end));
    if (kind === methodError) answers.push(null);
    at = end;
  }
  return { answers, rest: bytes.subarray(at) };
};

/** Returns the socket in an address of a bus; null where it has none that can be opened here. */
export const busSocket = (address: string): string | null => {
  for (const one of address.split(';')) {
    const [, kind, path] = /^unix:(?:[^,]*,)*(path|abstract)=([^,]+)/u.exec(one) ?? [];
    if (path !== undefined) return `${kind === 'abstract' ? '\0' : ''}${decodeURIComponent(path)}`;
  }
  return null;
};

/**
 * Asks the bus of the user's session, and gives its answers in their order; null where it does not
 * answer.
 */
const askBus = (socket: string, uid: number, calls: readonly Buffer[]): Promise<readonly Answer[] | null> =>
  new Promise((resolve) => {
    const answers: Answer[] = [];
    let came: Buffer = Buffer.alloc(0);
    let isIn = false;
    const connection = connect(socket);
    const done = (result: readonly Answer[] | null): void => {
      clearTimeout(timer);
      connection.destroy();
      resolve(result);
    };
    const timer = setTimeout(() => done(null), answersWithinMs);
    connection.on('error', () => done(null));
    connection.on('close', () => done(null));
    connection.on('connect', () => {
      connection.write(`\0AUTH EXTERNAL ${Buffer.from(String(uid)).toString('hex')}\r\n`);
    });
    connection.on('data', (bytes: Buffer) => {
      came = Buffer.concat([came, bytes]);
      if (came.length > maxAnswerBytes) return done(null);
      if (!isIn) {
        const line = came.indexOf('\r\n');
        if (line === -1) return;
        if (!came.toString('latin1', 0, line).startsWith('OK ')) return done(null);
        came = came.subarray(line + 2);
        isIn = true;
        connection.write(Buffer.concat([Buffer.from('BEGIN\r\n'), ...calls]));
      }
      const found = answersIn(came);
      answers.push(...found.answers);
      came = found.rest;
      if (answers.length >= calls.length) done(answers);
    });
  });

const isTrue = (answer: Answer | undefined): boolean =>
  answer != null && answer.length >= 4 && answer.readUInt32LE(0) === 1;

/**
 * Returns what the user's session offers, by its bus (D-Bus); null where there is none or it does
 * not answer. Node alone: no program for this is on every desktop.
 */
export const sessionServices = async (
  environment: Readonly<Record<string, string | undefined>>,
  uid: number,
): Promise<SessionServices | null> => {
  const runtime = environment['XDG_RUNTIME_DIR'];
  const address = environment['DBUS_SESSION_BUS_ADDRESS'] ?? (runtime === undefined ? '' : `unix:path=${runtime}/bus`);
  const socket = busSocket(address);
  if (socket === null) return null;
  const answers = await askBus(socket, uid, [
    busCall(1, 'Hello', null),
    busCall(2, 'NameHasOwner', trayName),
    busCall(3, 'NameHasOwner', notificationsName),
    busCall(4, 'ListActivatableNames', null),
  ]);
  if (answers === null) return null;
  const [, tray, notifications, activatable] = answers;
  return {
    tray: isTrue(tray),
    notifications: isTrue(notifications) || activatable?.includes(`\0${notificationsName}\0`) === true,
  };
};
