import { describe, expect, test } from 'vitest';
import { callSays, containerIn, imageIn, monitorIn, type PastCall } from '../../../app/left-open/container.ts';

const id = 'e28fb6c49f5b7160b2aa364d8cfb5e639e189d12c989267c2d80f7f88541fd17';
const createdMs = Date.parse('2026-11-22T21:49:12.5Z');
const container = { id, name: 'shop-db-1', createdMs };

const call = (more: Partial<PastCall> = {}): PastCall => ({
  session: 's',
  project: '/home/mara/shop',
  command: 'podman run -d postgres',
  fromMs: createdMs - 900,
  toMs: createdMs + 4_000,
  output: `${id} `,
  ...more,
});

describe('what a past tool call says of a container', () => {
  test.each([
    ['its command starts one, it was made meanwhile, and the output names it', call()],
    ['the same by compose', call({ command: 'docker compose up -d', output: 'Container shop-db-1  Started' })],
  ])('proved: %s', (_, past) => {
    expect(callSays(container, past)).toBe('proved');
  });

  test.each([
    ['it was made before the call', call({ fromMs: createdMs + 60_000, toMs: createdMs + 61_000 })],
    ['it was made after the call', call({ fromMs: createdMs - 61_000, toMs: createdMs - 60_000 })],
    ['its command only lists', call({ command: 'podman ps --no-trunc' })],
    ['it stands in a list', call({ output: `${id}  localhost/db  2 seconds ago` })],
  ])('possible: %s', (_, past) => {
    expect(callSays(container, past)).toBe('possible');
  });

  test.each([
    ['the output names another', call({ output: id.replace('e', 'f') })],
    ['the output has its name in other words', call({ output: 'the shop-db-1 is fine' })],
    ['the output has a longer name', call({ output: 'Container shop-db-12  Started' })],
  ])('nothing: %s', (_, past) => {
    expect(callSays(container, past)).toBeNull();
  });
});

const conmon = (...more: readonly string[]): readonly string[] => ['/usr/bin/conmon', '-c', id, '-n', 'db', ...more];
const exit = (...args: readonly string[]): readonly string[] => [
  '--exit-command',
  '/usr/bin/podman',
  ...args.flatMap((word) => ['--exit-command-arg', word]),
];

describe('the image of a container, by the list of its storage', () => {
  const list = (metadata: string): string => JSON.stringify([{ id: 'other' }, { id, metadata }]);

  test('is the name in its metadata', () => {
    expect(imageIn(list('{"image-name":"localhost/boxy:latest","name":"db"}'), id)).toBe('localhost/boxy:latest');
  });

  test.each([
    ['no metadata that is JSON', list('nonsense')],
    ['no name', list('{"image-name":""}')],
    ['only others', list('{}').replaceAll(id, 'another')],
    ['no list', '{}'],
    ['half of a list', list('{}').slice(0, 20)],
  ])('is not known where there is %s', (_, text) => {
    expect(imageIn(text, id)).toBeNull();
  });
});

describe('the monitor of a container', () => {
  test('of podman names the engine with its storage', () => {
    expect(monitorIn(conmon(...exit('--root', '/x', '--syslog', 'container', 'cleanup', id)))).toEqual({
      engine: 'podman',
      container: id,
      name: 'db',
      bundle: null,
      client: ['/usr/bin/podman', '--root', '/x'],
    });
  });

  test('of Docker', () => {
    const argv = ['/usr/bin/containerd-shim-runc-v2', '-namespace', 'moby', '-id', id, '-address', '/run/x.sock'];
    expect(monitorIn(argv)).toMatchObject({ engine: 'docker', container: id });
    expect(monitorIn(argv.map((word) => (word === 'moby' ? 'k8s.io' : word)))).toBeNull();
  });

  test.each([
    ['without its engine', conmon()],
    ['of another container', conmon(...exit('container', 'cleanup', id.replace('e', 'f')))],
    ['with another engine', conmon('--exit-command', '/usr/bin/rm', '--exit-command-arg', '-rf')],
    ['in a command line that only names it', ['grep', 'conmon', '-c', id]],
    ['of nothing', []],
  ])('is none %s', (_, argv) => {
    expect(monitorIn(argv)).toBeNull();
  });
});

describe('what an engine says of a container', () => {
  const said = { Id: id, Name: '/db', Created: '2026-11-22T21:49:12.5Z', State: { Pid: 33, Running: true } };

  test('of Docker and of podman', () => {
    const docker = containerIn(JSON.stringify([{ ...said, Config: { Image: 'postgres:17' } }]));
    expect(docker).toEqual({ id, name: 'db', image: 'postgres:17', createdMs, pid: 33, running: true });
    expect(containerIn(JSON.stringify([{ ...said, ImageName: 'localhost/x' }]))?.image).toBe('localhost/x');
  });

  test.each([['[]'], ['no such container'], [JSON.stringify([said, said])], [JSON.stringify([{ ...said, Id: 'x' }])]])(
    'is unknown where it is not understood',
    (text) => {
      expect(containerIn(text)).toBeNull();
    },
  );
});
