import { fstatSync, readSync, writeSync } from 'node:fs';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { openKnownEnds } from '../../../main/os/self-check/known-child.ts';

const opened = () => {
  const ends = openKnownEnds();
  if ('problem' in ends) throw new Error(ends.problem);
  const { pipe, client } = ends;
  if (pipe === null || client === null) throw new Error('there are no descriptors');
  return { ...ends, ...pipe, client, pipe: pipe.ends };
};

test.skipIf(process.platform === 'win32')('a pipe is a pipe until its writing end is closed', () => {
  const { pipe, closeWriting, remove } = opened();
  const room = Buffer.alloc(8);
  writeSync(pipe[1], 'hello');
  expect(readSync(pipe[0], room)).toBe(5);
  closeWriting();
  expect(readSync(pipe[0], room)).toBe(0);
  remove();
});

test.skipIf(process.platform === 'win32')(
  'the connection is accepted, the port listens, and all of it is closed',
  async () => {
    const { port, client, pipe, remove } = opened();
    expect(writeSync(client, 'hello')).toBe(5);
    await new Promise<void>((resolve, reject) => {
      const another = connect(port, '127.0.0.1', () => {
        another.destroy();
        resolve();
      });
      another.on('error', reject);
    });
    remove();
    for (const fd of [client, ...pipe]) expect(() => fstatSync(fd)).toThrow('EBADF');
  },
);
