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
