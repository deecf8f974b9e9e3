import { join } from 'node:path';
import { z } from 'zod';
import type { Actor } from '../scene/actor.ts';
import { curfewEnvironment, curfewFile } from '../scene/curfew.ts';
import type { Identity } from '../scene/processes.ts';
import type { Scene } from '../scene/scene.ts';

const answerSchema = z.object({
  result: z.object({
    content: z.array(z.object({ type: z.literal('text'), text: z.string() })),
    structuredContent: z.looseObject({}).optional(),
    isError: z.boolean().optional(),
  }),
});

/** What a tool answered. */
export interface Told {
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
  readonly refused: boolean;
}

/** A running server with its client. */
export interface Asking {
  readonly client: Identity;
  readonly server: Identity;
  readonly call: (name: string, given?: object) => Promise<Told>;
  /** Begins a call and does not wait. */
  readonly begin: (name: string, given?: object) => { readonly answer: () => Promise<Told> };
  readonly written: (name: string) => Promise<string>;
  readonly close: () => void;
}

let folders = 0;

/** Starts a client with a server of its own, as an agent does with this environment. */
export const startAsking = async (
  stage: Scene,
  parent: Actor,
  env: Readonly<Record<string, string>> = {},
): Promise<Asking> => {
  const folder = stage.folder(`/tmp/scene/asking/${(folders += 1)}`);
  const said = stage.write(`${folder}/said`, '', 0o666);
  const client = await parent.begin({
    file: process.execPath,
    argv: [process.execPath, join(import.meta.dirname, 'programs/client.ts'), curfewFile, folder],
    env: { ...curfewEnvironment(stage), ...env },
    cwd: stage.home,
    fds: { 1: said, 2: said },
  });
  await stage.until('the server lists its tools', () => stage.has(`${folder}/server`));
  let calls = 0;
  const begin: Asking['begin'] = (name, given = {}) => {
    const number = (calls += 1);
    stage.write(`${folder}/part`, JSON.stringify([name, given]));
    stage.move(`${folder}/part`, `${folder}/${number}.call`);
    return {
      answer: async () => {
        await stage.until(`${name} answers`, () => stage.has(`${folder}/${number}.answer`));
        const read = answerSchema.safeParse(JSON.parse(stage.read(`${folder}/${number}.answer`)));
        if (!read.success) throw new Error(`${name}: ${stage.read(`${folder}/${number}.answer`)}${stage.read(said)}`);
        const { content, structuredContent = {}, isError = false } = read.data.result;
        return { text: content[0]?.text ?? '', structured: structuredContent, refused: isError };
      },
    };
  };
  return {
    client,
    server: stage.identity(Number(stage.read(`${folder}/server`))),
    begin,
    call: async (name, given) => begin(name, given).answer(),
    written: async (name) => {
      await stage.until(`the client writes ${name}`, () => stage.has(`${folder}/${name}`));
      return stage.read(`${folder}/${name}`);
    },
    close: () => void stage.write(`${folder}/close`, ''),
  };
};

const workSchema = z.object({
  proof: z.object({ proved: z.boolean(), why: z.string().nullable(), session: z.string().nullable() }),
  work: z.array(
    z.looseObject({ job: z.string(), command: z.string(), kind: z.string(), keptBecause: z.string().nullable() }),
  ),
});

/** What `list_my_background_work` lists. */
export const listed = async ({ call }: Asking): Promise<z.infer<typeof workSchema>> =>
  workSchema.parse((await call('list_my_background_work')).structured);

/** The id of the only listed job whose command contains this. */
export const jobListed = async (asking: Asking, command: string): Promise<string> => {
  const { work } = await listed(asking);
  const found = work.filter((one) => one.command.includes(command));
  if (found.length !== 1 || found[0] === undefined) throw new Error(`${command}: ${JSON.stringify(work)}`);
  return found[0].job;
};
