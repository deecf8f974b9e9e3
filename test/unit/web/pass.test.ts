import { expect, test } from 'vitest';
import { mintPass, newPassKey, PassCheck, passLifetimeMs } from '../../../main/web/pass.ts';

const now = Date.parse('2026-11-21T10:00:00Z');

test('a pass lets in once, and each is another', () => {
  const key = newPassKey();
  const check = new PassCheck(key);
  const pass = mintPass(key, now);
  expect(pass).not.toBe(mintPass(key, now));
  expect(check.redeem(pass, now)).toBe(true);
  expect(check.redeem(pass, now)).toBe(false);
  expect(check.redeem(mintPass(key, now), now)).toBe(true);
});

test('a pass expires, and stays used until then', () => {
  const key = newPassKey();
  const check = new PassCheck(key);
  const late = mintPass(key, now);
  expect(check.redeem(late, now + passLifetimeMs)).toBe(false);
  const used = mintPass(key, now);
  expect(check.redeem(used, now)).toBe(true);
  expect(check.redeem(used, now + passLifetimeMs - 1)).toBe(false);
  expect(check.redeem(used, now + passLifetimeMs)).toBe(false);
});

test('no changed character, no other key and no other shape gets in', () => {
  const key = newPassKey();
  const pass = mintPass(key, now);
  const check = new PassCheck(key);
  for (let index = 0; index < pass.length; index += 1) {
    const other = pass[index] === 'A' ? 'B' : 'A';
    expect(check.redeem(`${pass.slice(0, index)}${other}${pass.slice(index + 1)}`, now)).toBe(false);
  }
  expect(new PassCheck(newPassKey()).redeem(pass, now)).toBe(false);
  for (const wrong of ['', pass.slice(1), `${pass}A`, `${pass}\n`, ` ${pass}`])
    expect(check.redeem(wrong, now)).toBe(false);
  expect(check.redeem(pass, now)).toBe(true);
});
