import { callOption } from '../mcp/server/call-option.ts';
import { consoleHelperArgument } from '../os/console/helper-argument.ts';
import { forgetRelativeHome } from '../os/this-system.ts';
import { keepCompiled } from './program/compile-cache.ts';

forgetRelativeHome();

const [, , command, option] = process.argv;

if (command === 'mcp' && option === undefined) {
  // Agents wait for its first answer when they start.
  const { serve } = await import('../mcp/server/serve.ts');
  await serve(async () => {
    keepCompiled();
    const { staySmall } = await import('./common/stay-small.ts');
    staySmall('waits');
  });
  // A call that is being done goes on in its own process.
  process.exit();
}
// What is loaded from here on comes out of the cache, so the command line itself is not imported
// above.
keepCompiled();
if (command === consoleHelperArgument) {
  const { runConsoleHelper } = await import('../os/console-helper.ts');
  process.exitCode = runConsoleHelper(process.argv.slice(3));
} else if (command === 'mcp' && option === callOption) {
  const { work } = await import('../mcp/worker/work.ts');
  await work();
} else await import('./command-line.ts');
