import { z } from 'zod';
import { toldOnce } from '../../../app/contract/app-questions.ts';
import type { Answerers } from '../../../app/contract/answerers.ts';
import { once } from '../../../app/format/once.ts';
import { readJsonFile } from '../../store/files/json-file.ts';
import { writeWholeFile } from '../../store/files/whole-file.ts';

const storedSchema = once(() => z.partialRecord(z.enum(toldOnce), z.string().max(100)));

/**
 * Returns what answers what was told last, from a file of the home: a restart or another browser
 * tells nothing again. One that is missing or damaged says that nothing was told yet.
 */
export const toldAnswer =
  (path: string): Answerers['app.told'] =>
  ({ what, now, seen }) => {
    const file = readJsonFile(path);
    const told = (file.kind === 'value' ? storedSchema().safeParse(file.value).data : undefined) ?? {};
    const before = told[what] ?? null;
    if (before === null || (seen && now !== before))
      writeWholeFile(path, `${JSON.stringify({ ...told, [what]: now })}\n`);
    return { ok: true, value: { before } };
  };
