import { countPrograms } from './count-programs.ts';
import { requirePidNamespace } from './namespace.ts';

// Runs before each file of the project `os`, so that no file can omit it.
requirePidNamespace();
countPrograms();
