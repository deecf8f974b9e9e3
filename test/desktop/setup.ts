import { countPrograms } from '../os/count-programs.ts';
import { requirePidNamespace } from '../os/namespace.ts';

// These tests end processes through the app. Only Linux has pid namespaces; elsewhere the one test
// that runs ends only what it started.
if (process.platform === 'linux') requirePidNamespace();
countPrograms();
