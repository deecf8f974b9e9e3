import { posix } from 'node:path';
import ts from 'typescript';

const isExported = (node: ts.Node): boolean =>
  ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

const isDocumented = (node: ts.Node): boolean => ts.getJSDocCommentsAndTags(node).some((part) => ts.isJSDoc(part));

const functionsOf = (statement: ts.Statement): readonly { readonly name: string; readonly node: ts.Node }[] => {
  if (ts.isFunctionDeclaration(statement)) return [{ name: statement.name?.text ?? 'default', node: statement }];
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations
      .filter(({ initializer }) => initializer !== undefined && ts.isFunctionLike(initializer))
      .map((declaration) => ({ name: declaration.name.getText(), node: declaration }));
  }
  return [];
};

/** Returns the names of the exported functions in `source` that have no docstring. */
export const undocumentedFunctions = (source: string): string[] => {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.ESNext, true);
  return file.statements
    .filter(isExported)
    .flatMap(functionsOf)
    .filter(({ node }) => !isDocumented(node))
    .map(({ name }) => name);
};

const namedImports = /\b(?:import|export)\s+\{([^}]*)\}\s+from\s+'(\.[^']+)'/gu;

/** Returns what a file imports from other folders, each as `path: name`. */
export const importsFromElsewhere = (file: string, source: string): readonly string[] =>
  [...source.matchAll(namedImports)].flatMap(([, names = '', from = '']) => {
    const path = posix.join(posix.dirname(file), from);
    if (posix.dirname(path) === posix.dirname(file)) return [];
    return names.split(',').flatMap((name) => {
      const told = name.trim().split(' as ')[0] ?? '';
      return told === '' || told.startsWith('type ') ? [] : [`${path}: ${told}`];
    });
  });
