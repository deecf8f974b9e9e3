import { runConsoleHelper } from '../../os/console-helper.ts';

// The helper of the desktop app on Windows, which Electron starts as a utility process: it enters
// the console of a process that is to be asked to end, and sends its Ctrl-C.

process.exit(runConsoleHelper(process.argv.slice(2)));
