import { consoleHelperArgument } from '../os/windows/native/console-helper-argument.ts';
import { keepCompiled } from './program/compile-cache.ts';

// What is loaded from here on comes out of the cache, so the command line itself is not imported
// above.
keepCompiled();
if (process.argv[2] === consoleHelperArgument) {
  const { runConsoleHelper } = await import('../os/windows/native/console-helper.ts');
  process.exitCode = runConsoleHelper(process.argv.slice(3));
} else await import('./command-line.ts');
