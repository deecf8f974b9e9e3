import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anonymiser } from '../../../app/report/anonymise.ts';

const name = fc
  .stringMatching(/^[a-z][a-z0-9_-]{4,11}$/u)
  .filter((text) => !/^(?:user|host|mail|home|address)/u.test(text));
/** What stands before and after a name in commands, paths and prose. */
const around = fc.constantFrom(' ', '/', ':', '@', '"', "'", '=', '-', '_', '.', ',', '(', ')', '\n', '');

test('no home folder, user or host name is left, whatever stands around it', () => {
  fc.assert(
    fc.property(name, name, around, around, fc.string(), (user, host, before, after, rest) => {
      fc.pre(!user.includes(host) && !host.includes(user));
      const hide = anonymiser({ homes: [`/home/${user}`], users: [user], hosts: [host] });
      const text = `${before}${user}${after} ${before}${host}${after} ${before}/home/${user}/x${after}\n${rest}`;
      const words = hide(text)
        .toLowerCase()
        .split(/[^\p{L}\p{N}_-]+/u);
      expect(words).not.toContain(user);
      expect(words).not.toContain(host);
    }),
  );
});

test('it never throws, and a second pass changes nothing', () => {
  fc.assert(
    fc.property(name, name, fc.string({ unit: 'binary' }), (user, host, text) => {
      const identity = { homes: [`/home/${user}`], users: [user], hosts: [host] };
      const once = anonymiser(identity)(`${user} ${text} ${host}`);
      expect(anonymiser(identity)(once)).toBe(once);
    }),
  );
});
