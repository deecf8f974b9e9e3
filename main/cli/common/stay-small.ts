import { setFlagsFromString } from 'node:v8';
import { saveCode } from './kept-code.ts';

/** What the process does besides waiting: nothing, or serving a page, worth compiling. */
type Occupation = 'waits' | 'serves';

/** V8's flags for each occupation. */
export const smallFlags: Readonly<Record<Occupation, readonly string[]>> = {
  waits: ['--optimize-for-size', '--no-opt', '--no-maglev', '--flush-baseline-code', '--semi-space-growth-factor=1'],
  serves: ['--optimize-for-size', '--no-opt'],
};

/**
 * Makes V8 prefer memory over speed, for a process that waits nearly all of its life. Idle among
 * 480 processes `curfew watch` took 97 MB resident without and 69 MB with these flags (a bare node:
 * 43 MB). Sparkplug then saves a fifth of a look, for 0.5 MB (3 MB with 50 jobs). Looks every 5 s
 * are too rare for the optimising compilers: maglev takes 10 MB more and saves no more. `curfew
 * web` keeps it: 6 to 20 MB less than without, and as much processor time. Where little is
 * allocated, the room for young objects that the first look took is not given back: 1 to 3 MB, once
 * 13, so it does not grow. Call it before anything else is loaded.
 */
export const staySmall = (occupation: Occupation): void => {
  saveCode();
  for (const flag of smallFlags[occupation]) setFlagsFromString(flag);
};

/**
 * What a command that looks once does not earn back: code that is optimised when all is done, and
 * marking garbage of a heap that ends with it.
 */
const onceFlags = ['opt', 'maglev', 'incremental-marking'] as const;

/**
 * Makes V8 neither optimise nor mark garbage in the background, for a command that looks once and
 * ends: a sixth of the processor time of `curfew scan`. Call it when the command is loaded: Node's
 * and our own compiled code is taken only under the flags that it was kept under.
 */
export const lookOnce = (): void => {
  // The module behind `performance` is loaded when it is first asked: 2 ms later, 1 ms here.
  performance.now();
  for (const flag of onceFlags) setFlagsFromString(`--no-${flag}`);
  process.prependOnceListener('exit', () => {
    for (const flag of onceFlags) setFlagsFromString(`--${flag}`);
  });
};
