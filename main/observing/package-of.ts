import { kept } from '../../app/format/kept.ts';
import { parseJson } from '../../app/format/json.ts';
import { dirname, isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { dossiers } from '../../app/agents/dossiers.ts';
import { couldBeAgent } from '../../app/agents/contained-in.ts';
import type { AgentId } from '../../app/agents/common/agent-id.ts';
import { programName } from '../../app/agents/common/program-name.ts';
import { once } from '../../app/format/once.ts';
import type { Evidence } from '../../app/jobs/lineage/evidence.ts';
import type { ProcessRow } from '../../app/process/row.ts';
import { userProgramOf, type UserProgramKind } from '../../app/programs/classify.ts';
import { nameIn, programNames, programOf } from '../../app/programs/program.ts';
import type { ProcessSource } from '../os/processes/source.ts';
import { filesHere, type AgentFiles } from '../os/files/small-file.ts';

/** What is used of a package.json. https://docs.npmjs.com/cli/configuring-npm/package-json */
const packageSchema = once(() =>
  z.object({
    name: z.string().max(214).optional(),
    bin: z.union([z.string(), z.record(z.string(), z.string())]).optional(),
    dependencies: z.record(z.string(), z.string()).optional(),
    devDependencies: z.record(z.string(), z.string()).optional(),
    optionalDependencies: z.record(z.string(), z.string()).optional(),
    peerDependencies: z.record(z.string(), z.string()).optional(),
    bundledDependencies: z.union([z.boolean(), z.array(z.string())]).optional(),
  }),
);

const maxFolders = 32;

/** Runs scripts of npm packages. What another program runs can't be told by a package. */
const runsPackages = /^(?:node|nodejs|tsx)$/;

/** Programs that start no others, which tool calls leave in numbers. */
const idle = programNames('sleep cat tail tee');

/** Kinds of programs of the user that hold no agent of any kind. Editors and terminals may. */
const agentless: ReadonlySet<UserProgramKind> = new Set(['login-shell', 'multiplexer', 'shared-daemon']);

const isAgentless = (row: ProcessRow): boolean => {
  const program = userProgramOf(row, null, new Map());
  return program === null ? nameIn(programOf(row), idle) !== null : agentless.has(program.kind);
};

/** Words of packages that drive a model: one of them in a package may be any agent. */
const drivesModels =
  /(?:^|[^a-z])(?:ai|llms?|agents?|agentic|assistant|copilot|openai|anthropic|claude|gemini|genai|gpt|mcp|modelcontextprotocol|langchain|langgraph|llamaindex|ollama|mistralai|groq|bedrock|codex|opencode|acp)(?:$|[^a-z])/u;

/** Whether a name in a package is that of an agent, or of what an agent without a dossier needs. */
const isNameOf = (agent: AgentId, slug: string | null, name: string): boolean =>
  slug === null
    ? couldBeAgent(agent, { argv: [`/node_modules/${name}`], comm: '' })
    : name.toLowerCase().includes(slug) || drivesModels.test(name.toLowerCase());

/**
 * False where a process is known not to be that agent under another name: it is a shell in which
 * the user works, a daemon, or the like; or it runs a script of a package that can be read, and
 * neither the name of that package, nor its commands, nor anything it depends on, could be the
 * agent. null: can't be told.
 * @param slug what an agent without a dossier calls itself; null for all others
 * @param cwd its working folder; null: not known
 * @param uid whose files are believed
 */
export const holdsAgent = (
  row: ProcessRow,
  { agent, slug }: { readonly agent: AgentId; readonly slug: string | null },
  cwd: string | null,
  uid: number,
  files: AgentFiles = filesHere,
): boolean | null => {
  if (isAgentless(row)) return false;
  const { name, script } = programName(row);
  if (script === null || !runsPackages.test(name) || (slug === null && dossiers[agent].names.containedAs === 'none'))
    return null;
  // Modules that are loaded before the script can be anything.
  const options = row.argv.slice(
    1,
    row.argv.findIndex((argument) => argument.endsWith(script)),
  );
  if (options.some((option) => /^(?:-r|--require|--import|--loader|--experimental-loader)/.test(option))) return null;
  if (!isAbsolute(script) && cwd === null) return null;
  let folder = dirname(isAbsolute(script) ? script : join(cwd ?? '', script));
  for (let depth = 0; depth < maxFolders; depth += 1) {
    const path = join(folder, 'package.json');
    const own = files.text(path, uid);
    // What root has installed is as good.
    const file = own.state === 'unreadable' ? files.text(path, 0) : own;
    if (file.state === 'unreadable') return null;
    if (file.state === 'read') {
      const found = packageSchema().safeParse(parseJson(file.value)).data;
      if (found === undefined) return null;
      const { name: title, bin, bundledDependencies: bundled, ...lists } = found;
      // A package without a name only says how its modules are read; the one around it is it.
      if (title !== undefined) {
        const names = [
          title,
          ...(typeof bin === 'object' ? Object.keys(bin) : []),
          ...(Array.isArray(bundled) ? bundled : []),
          ...Object.values(lists).flatMap((list) => Object.keys(list ?? {})),
        ];
        return names.some((one) => isNameOf(agent, slug, one));
      }
    }
    const above = dirname(folder);
    if (above === folder) return null;
    folder = above;
  }
  return null;
};

/** What of `holdsAgent` the name of a program tells, where its packages can't be read. */
export const nameEvidence = (row: ProcessRow): false | null => (isAgentless(row) ? false : null);

/** Answers of `holdsAgent` on this machine, each worked out once for a row. */
export const packageEvidence = (
  source: Pick<ProcessSource, 'facts'>,
  uid: number,
): NonNullable<Evidence['holdsAgent']> => {
  const known = new WeakMap<ProcessRow, Map<string, boolean | null>>();
  return (row, agent, slug) => {
    const answers = kept(known, row, () => new Map<string, boolean | null>());
    return kept(answers, slug ?? agent, () =>
      holdsAgent(row, { agent, slug }, source.facts([row]).get(row.pid)?.cwd ?? null, uid),
    );
  };
};
