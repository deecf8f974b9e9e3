import { expect, test } from 'vitest';
import { FakeClaude } from '../scene/claude.ts';
import { jobWith, runCurfew, scan } from '../scene/curfew.ts';
import { scene } from '../scene/scene.ts';

/** C1, an escape sequence, DEL, overrides, isolates, marks, separators, a tag, a filler. */
const hostile = 'x\u009B31m\u001B[2J\u007F\u202Egnp\u202C\u2066a\u2069\u200E\u200F\u061C\u2028\u2029\u{E0041}\u3164y';
const unseen = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

test(
  'a hostile command line neither moves nor misleads a terminal: scan, reap and history, in every format',
  scene(async (stage) => {
    const claude = await FakeClaude.start(stage);
    const call = await claude.bash(`: '${hostile}'; sleep 3600`);
    const { id, command } = jobWith(await scan(stage), call.shell.pid);
    expect(command).toContain(hostile);
    const documents: string[] = [];
    const tables: string[] = [];
    /** With commands cut in the middle. */
    const lists: string[] = [];
    const ask = async (into: string[], ...args: readonly string[]): Promise<void> => {
      const { code, stdout, stderr } = await runCurfew(stage, args);
      expect({ args, code, unseen: unseen.exec(stdout.replaceAll('\r\n', '\n')) }).toEqual({
        args,
        code: 0,
        unseen: null,
      });
      expect({ args, unseen: unseen.exec(stderr) }).toEqual({ args, unseen: null });
      into.push(stdout);
    };
    await ask(documents, 'scan', '--json');
    await ask(documents, 'scan', '--explain', '--all', '--json');
    await ask(tables, 'scan', '--explain', '--all');
    await ask(tables, 'keep', id);
    await ask(tables, 'unkeep', id);
    await ask(lists, 'reap', '--job', id, '--dry-run');
    await ask(documents, 'reap', '--job', id, '--dry-run', '--json');
    await ask(documents, 'reap', '--job', id, '--json');
    await ask(documents, 'history', '--json');
    await ask(tables, 'history');
    await ask(tables, 'history', '--format', 'csv');
    for (const document of documents) expect(JSON.stringify(JSON.parse(document))).toContain(hostile.slice(-4));
    for (const list of lists) expect(list).toContain('x⟨U+009B⟩31');
    for (const table of tables) expect(table).toContain('⟨U+009B⟩31m␛[2J␡⟨U+202E⟩gnp');
  }),
);
