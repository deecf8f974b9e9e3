import { type CommandDefinition, everyCommand } from './definition.ts';

/** Windows PowerShell reads a program's output in a code page, where other signs mean others. */
const plain = (text: string): string =>
  text
    .replaceAll(/[‘’‚‛]/gu, "'")
    .replaceAll(/[“”„]/gu, '"')
    .normalize('NFD')
    .replaceAll('\u0308', 'e')
    .replaceAll(/\u00DF/gu, 'ss')
    .replaceAll('…', '...')
    .replaceAll(/[–—]/gu, '-')
    .replaceAll(/[^ -~]/gu, '?');

/**
 * In single quotes only the quote is special:
 * https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_quoting_rules
 */
const quoted = (text: string): string => `'${plain(text).replaceAll("'", "''")}'`;

const list = (words: readonly string[]): string => `@(${words.map(quoted).join(', ')})`;

/** The words of a command, each with what it means; a tool tip must not be empty. */
const wordsOf = (command: CommandDefinition): readonly string[] => {
  const commands = command.commands.map(({ name, text }) => [name, text] as const);
  const options = command.options.flatMap(({ short, long, text }) =>
    (short === null ? [long] : [short, long]).map((flag) => [flag, text] as const),
  );
  const choices = command.arguments.flatMap((argument) =>
    argument.choices.map((choice) => [choice, argument.text] as const),
  );
  return [...commands, ...options, ...choices].map(
    // The comma keeps a single pair from being taken for a list of words.
    ([word, text]) => `      ,@(${quoted(word)}, ${quoted(text === '' ? word : text)})`,
  );
};

/** The options that take a value, each with the only words allowed; none: any, or a file. */
const valuesOf = (path: readonly string[], command: CommandDefinition): readonly string[] =>
  command.options.flatMap(({ short, long, value }) =>
    value === null
      ? []
      : [long, ...(short === null ? [] : [short])].map(
          (flag) => `    ${quoted([...path, flag].join(' '))} = ${list(value.choices)}`,
        ),
  );

/**
 * Returns a completion script for PowerShell 5.1 and later, for a line of `$PROFILE`:
 * `curfew completion powershell | Out-String | Invoke-Expression`.
 * https://learn.microsoft.com/powershell/module/microsoft.powershell.core/register-argumentcompleter
 * Where it offers nothing, PowerShell offers files. All of it is ASCII.
 */
export const powershellCompletion = (program: CommandDefinition): string => {
  const all = everyCommand(program);
  const names = [program.name, `${program.name}.cmd`, `${program.name}.ps1`];
  const starting = all.flatMap(({ path, command }) => (command.startsProgram ? [path.join(' ')] : []));
  return `# ${program.name} completion for PowerShell: ${program.name} completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName ${list(names)} -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @{
${all.map(({ path, command }) => `    ${quoted(path.join(' '))} = @(\n${wordsOf(command).join('\n')}\n    )`).join('\n')}
  }
  $values = @{
${all.flatMap(({ path, command }) => valuesOf(path, command)).join('\n')}
  }
  $starting = ${list(starting)}
  $path = ''
  $previous = ''
  foreach ($element in @($commandAst.CommandElements | Select-Object -Skip 1)) {
    if ($element.Extent.EndOffset -ge $cursorPosition) { break }
    $previous = $element.Extent.Text
    # What follows -- is another program's.
    if ($previous -ceq '--' -and $starting -ccontains $path) { return }
    $next = "$path $previous".Trim()
    if ($words.ContainsKey($next)) { $path = $next }
  }
  $key = "$path $previous".Trim()
  if ($values.ContainsKey($key)) {
    foreach ($value in $values[$key]) {
      if ($value.StartsWith($wordToComplete, [System.StringComparison]::OrdinalIgnoreCase)) {
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $value)
      }
    }
    return
  }
  foreach ($word in $words[$path]) {
    if ($word[0].StartsWith($wordToComplete, [System.StringComparison]::OrdinalIgnoreCase)) {
      [System.Management.Automation.CompletionResult]::new($word[0], $word[0], 'ParameterValue', $word[1])
    }
  }
}
`;
};
