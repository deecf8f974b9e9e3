import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { agentIds } from '../../app/agents/common/agent-id.ts';
import { filesIn, project, slashed } from './planted.ts';

/** Curfew's own two stand for no program of which anything is known. */
const ids: ReadonlySet<string> = new Set(agentIds.filter((id) => id !== 'curfew-run' && id !== 'other'));

/** The tables in which the compiler asks for a new agent. */
const tables = [
  'app/agents/answers.ts',
  'app/agents/call-limits.ts',
  'app/agents/dossiers.ts',
  'app/agents/seen-versions.ts',
  'main/agents/dossiers.ts',
];

/** Files outside the agents' folders that name one, and why. */
const excused: Readonly<Record<string, string>> = {
  'app/agents/common/agent-id.ts': 'the list of ids',
  'main/agents/hooks/form/hook-script.ts': 'the script has agents in it',
  'main/remote/host.ts': 'words of the script on the other machine',
  'renderer/example/example-jobs.ts': 'the jobs of the example are those of agents',
};

/** The agents that a source names, in a text or as a key of a table. Not in comments. */
const agentsNamedIn = (source: string): readonly string[] => {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    const isKey = ts.isIdentifier(node) && ts.isPropertyAssignment(node.parent) && node.parent.name === node;
    if ((ts.isStringLiteralLike(node) || isKey) && ids.has(node.text)) found.add(node.text);
    node.forEachChild(visit);
  };
  visit(ts.createSourceFile('source.tsx', source, ts.ScriptTarget.Latest, true));
  return [...found];
};

test('what is known of one agent stands in its folders', () => {
  const sources = filesIn(project, '{app,main,renderer}/**/*.{ts,tsx}');
  expect(sources.length).toBeGreaterThan(100);
  const naming = sources.filter((file) => {
    const [, folder = ''] = /^(?:app|main)\/agents\/([^/]+)\//u.exec(file) ?? [];
    return !ids.has(folder) && agentsNamedIn(readFileSync(join(project, file), 'utf8')).length > 0;
  });
  expect(naming.toSorted()).toEqual([...tables, ...Object.keys(excused)].toSorted());
});

test('an agent that is named is found in a text and in a table, and not in a comment', () => {
  expect(agentsNamedIn(`// codex\nif (agent === "mux") {}`)).toEqual(['mux']);
  expect(agentsNamedIn(`const words = { gemini: 1, 'claude-code': 2, aider };`)).toEqual(['gemini', 'claude-code']);
});

test('what one agent’s folder exports is imported there and in the tables only', () => {
  const imports = filesIn(project, '{app,main,renderer}/**/*.{ts,tsx}').flatMap((file) => {
    const [, own = ''] = /^(?:app|main)\/agents\/([^/]+)\//u.exec(file) ?? [];
    const { importedFiles } = ts.preProcessFile(readFileSync(join(project, file), 'utf8'), true, true);
    return importedFiles.flatMap(({ fileName }) => {
      const target = posix.join(posix.dirname(file), fileName);
      const [, agent = ''] = /^(?:app|main)\/agents\/([^/]+)\//u.exec(target) ?? [];
      return ids.has(agent) && agent !== own && !tables.includes(file) ? [`${file} imports ${target}`] : [];
    });
  });
  expect(imports).toEqual([]);
});

test('every agent has a folder of its name with what is known of it', () => {
  const without = agentIds.filter((id) => !existsSync(join(project, 'app/agents', id, 'agent.ts')));
  expect(without).toEqual([]);
});

test('the compiler asks for each part of an agent that is added', () => {
  // The compiler writes every path with `/`.
  const list = slashed(join(project, 'app/agents/common/agent-id.ts'));
  const parsed = ts.getParsedCommandLineOfConfigFile(
    join(project, 'main/tsconfig.json'),
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
        throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
      },
    },
  );
  if (parsed === undefined) throw new Error('main/tsconfig.json is not there');
  const { options, fileNames } = parsed;
  const host = ts.createCompilerHost(options);
  const read = host.readFile.bind(host);
  host.readFile = (path) => (path === list ? read(path)?.replace(`  'aider',`, `  'aider',\n  'added',`) : read(path));
  const getSourceFile = host.getSourceFile.bind(host);
  host.getSourceFile = (path, languageVersion, ...more) =>
    path === list
      ? ts.createSourceFile(path, host.readFile(path) ?? '', languageVersion, true)
      : getSourceFile(path, languageVersion, ...more);
  const app = filesIn(project, 'app/**/*.ts').map((file) => join(project, file));
  const program = ts.createProgram([...app, ...fileNames], options, host);
  const concerned = program
    .getSourceFiles()
    .filter(({ fileName, text }) => !fileName.includes('node_modules') && /\bAgentId\b/u.test(text));
  expect(concerned.length).toBeGreaterThan(30);
  const asking = concerned.filter((file) => program.getSemanticDiagnostics(file).length > 0);
  expect(asking.map(({ fileName }) => fileName.slice(project.length + 1)).toSorted()).toEqual(tables);
});
