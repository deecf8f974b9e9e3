import { countPrograms } from './count-programs.ts';
import { requirePidNamespace } from './namespace.ts';

// Runs before each file of the project `os`, so that none can forget it.
requirePidNamespace();
countPrograms();
