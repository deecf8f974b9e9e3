import { keepCompiled } from './program/compile-cache.ts';

// What is loaded from here on comes out of the cache, so the command line itself is not imported
// above.
keepCompiled();
await import('./command-line.ts');
