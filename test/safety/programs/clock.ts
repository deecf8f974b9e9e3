// node --import clock.ts …, with CURFEW_TEST_CLOCK=FILE: the wall clock is ahead by the
// milliseconds in FILE, behind by negative ones. The other clocks are as they are.
import { readFileSync } from 'node:fs';

const file = process.env['CURFEW_TEST_CLOCK'] ?? '';

const aheadMs = (): number => {
  try {
    return Number(readFileSync(file, 'utf8')) || 0;
  } catch {
    return 0;
  }
};

const RealDate = Date;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, self) =>
    Reflect.construct(target, given.length === 0 ? [target.now() + aheadMs()] : given, self) as Date,
  apply: (target) => new target(target.now() + aheadMs()).toString(),
  get: (target, name, self): unknown =>
    name === 'now' ? (): number => target.now() + aheadMs() : Reflect.get(target, name, self),
});
