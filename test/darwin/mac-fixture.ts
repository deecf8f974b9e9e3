import { z } from 'zod';
import { decode, textAt, type Decoded } from '../../main/os/darwin/kernel/decode.ts';
import {
  coalitionsLayout,
  folderPath,
  foldersLayout,
  pipeLayout,
  taskLayout,
  uniqueIdsLayout,
  type Layout,
} from '../../main/os/darwin/kernel/layouts.ts';

const fixture = z.object({
  doctor: z.unknown(),
  answers: z.array(
    z.object({
      pid: z.int(),
      fd: z.int().nullable(),
      flavor: z.int(),
      bytes: z.int(),
      errno: z.int(),
      hex: z.string(),
    }),
  ),
});

const launchd = 1;
/** Of a pipe's status (sys/pipe.h): nothing more comes. */
const pipeAtEnd = 0x80;

/**
 * Compares what a Mac said with what is read of it: sizes, and what `build/macos/report.sh` made so
 * that it is known. Returns what differs.
 */
export const differencesOf = (text: string): readonly string[] => {
  const { answers } = fixture.parse(JSON.parse(text));
  const found: string[] = [];
  const told = <One extends Layout>(layout: One, flavor: number, fd: number | null = null) =>
    answers.flatMap((one) => {
      if (one.flavor !== flavor || one.fd !== fd || one.errno !== 0) return [];
      const bytes = Buffer.from(one.hex, 'hex');
      const fields: Decoded<One> | null = decode(layout, bytes);
      if (fields === null) found.push(`flavor ${flavor}: ${bytes.length} bytes and not ${layout.size}, or no number`);
      return fields === null ? [] : [{ pid: one.pid, bytes, fields }];
    });
  const check = (what: string, isRight: boolean): void => void (isRight || found.push(what));

  const ids = told(uniqueIdsLayout, 17);
  const numbers = new Map<number, number>();
  for (const { pid, fields } of ids) {
    check('a process has one unique id for its life', (numbers.get(pid) ?? fields.uniqueId) === fields.uniqueId);
    numbers.set(pid, fields.uniqueId);
  }
  check(
    'unique ids are told, and each is one process’s',
    numbers.size > 1 && new Set(numbers.values()).size === numbers.size,
  );
  const exec = ids.filter(({ pid }, at) => ids[at - 1]?.pid === pid || ids[at + 1]?.pid === pid);
  check(
    'what executes another program has another version',
    exec.length > 1 && exec[0]?.fields.version !== exec[1]?.fields.version,
  );

  const coalitions = told(coalitionsLayout, 20);
  const ofLaunchd = coalitions.find(({ pid }) => pid === launchd)?.fields.resource;
  const others = coalitions.filter(({ pid }) => pid !== launchd).map(({ fields }) => fields.resource);
  check('what launchd started is in another coalition', others.length > 0 && !others.includes(ofLaunchd ?? 0));

  const folders = told(foldersLayout, 9).map(({ bytes }) => textAt(bytes, folderPath.offset, folderPath.length));
  check('a folder has a path', folders.length > 0 && folders.every((path) => path?.startsWith('/') === true));

  const counted = told(taskLayout, 4);
  const last = counted.at(-1);
  const before = counted.findLast((one) => one !== last && one.pid === last?.pid);
  check(
    'counters of a process only grow',
    last !== undefined && before !== undefined && last.fields.switches >= before.fields.switches,
  );

  const [open, closed] = told(pipeLayout, 6, 0);
  check('a pipe that is written to has another end', open !== undefined && open.fields.peer !== 0n);
  check(
    'one of which that end is closed has none, and is at its end',
    closed !== undefined && closed.fields.peer === 0n && (closed.fields.status & pipeAtEnd) !== 0,
  );
  return found;
};
