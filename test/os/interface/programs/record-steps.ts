// node --import record-steps.ts PROGRAM: appends the calls that led to each step of a walk to the
// file $CURFEW_TEST_WALK, a JSON document a line: the step, and the files of the calls, outermost
// first. The steps are functions of the sources, `FILE#FUNCTION`, in $CURFEW_TEST_STEPS.
import { appendFileSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const project = join(import.meta.dirname, '../../../..');
const { CURFEW_TEST_WALK: record = '', CURFEW_TEST_STEPS: steps = '' } = process.env;
const stepsOf = Map.groupBy(steps.split(' '), (step) => step.slice(0, step.indexOf('#')));

/** Files of the project's calls, outermost first; `async` calls that wait are among them. */
const callsOf = (stack: string): readonly string[] =>
  [...stack.matchAll(/file:\/\/(\/[^:\s)]+)/gu)]
    .map(([, path = '']) => path)
    .filter((path) => path.startsWith(`${project}/`))
    .map((path) => path.slice(project.length + 1))
    .filter((file) => /^(?:app|main)\//u.test(file))
    .toReversed();

const seen = new Set<string>();

Object.assign(globalThis, {
  curfewStep(step: string): void {
    Error.stackTraceLimit = Infinity;
    const line = JSON.stringify({ step, calls: callsOf(new Error(step).stack ?? '') });
    if (!seen.has(line)) appendFileSync(record, `${line}\n`);
    seen.add(line);
  },
});

/** The body of the function with this name; undefined where there is none. */
const bodyOf = (source: ts.SourceFile, name: string): ts.Node | undefined => {
  let found: ts.Node | undefined;
  const visit = (node: ts.Node): void => {
    const made = ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node) ? node.initializer : node;
    const named = 'name' in node ? (node.name as ts.Node | undefined)?.getText(source) : undefined;
    const isIt = named === name || named === `'${name}'`;
    if (isIt && made !== undefined && ts.isFunctionLike(made) && 'body' in made) found ??= made.body as ts.Node;
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
};

const withStep = (text: string, step: string): string => {
  const source = ts.createSourceFile(step, text, ts.ScriptTarget.Latest, true);
  const body = bodyOf(source, step.slice(step.indexOf('#') + 1));
  if (body === undefined) throw new Error(`there is no function ${step}`);
  const [start, end] = [body.getStart(source), body.getEnd()];
  const told = `curfewStep(${JSON.stringify(step)})`;
  const inside = text.slice(start, end);
  const said = ts.isBlock(body) ? `{${told};${inside.slice(1)}` : `(${told}, (${inside}))`;
  return text.slice(0, start) + said + text.slice(end);
};

registerHooks({
  load: (url, context, next) => {
    const file = url.startsWith(`file://${project}/`) ? fileURLToPath(url).slice(project.length + 1) : '';
    const here = stepsOf.get(file);
    if (here === undefined) return next(url, context);
    const source = here.reduce(withStep, readFileSync(join(project, file), 'utf8'));
    return { format: 'module-typescript', source, shortCircuit: true };
  },
});
