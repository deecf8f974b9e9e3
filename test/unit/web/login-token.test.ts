import { expect, test } from 'vitest';
import { mintLoginToken, newTokenKey, LoginTokens, tokenLifetimeMs } from '../../../main/web/login-token.ts';

const now = Date.parse('2026-11-21T10:00:00Z');

test('a pass lets in once, and each is another', () => {
  const key = newTokenKey();
  const check = new LoginTokens(key);
  const pass = mintLoginToken(key, now);
  expect(pass).not.toBe(mintLoginToken(key, now));
  expect(check.redeem(pass, now)).toBe(true);
  expect(check.redeem(pass, now)).toBe(false);
  expect(check.redeem(mintLoginToken(key, now), now)).toBe(true);
});

test('a pass expires, and stays used until then', () => {
  const key = newTokenKey();
  const check = new LoginTokens(key);
  const late = mintLoginToken(key, now);
  expect(check.redeem(late, now + tokenLifetimeMs)).toBe(false);
  const used = mintLoginToken(key, now);
  expect(check.redeem(used, now)).toBe(true);
  expect(check.redeem(used, now + tokenLifetimeMs - 1)).toBe(false);
  expect(check.redeem(used, now + tokenLifetimeMs)).toBe(false);
});

test('no changed character, no other key and no other shape gets in', () => {
  const key = newTokenKey();
  const pass = mintLoginToken(key, now);
  const check = new LoginTokens(key);
  for (let index = 0; index < pass.length; index += 1) {
    const other = pass[index] === 'A' ? 'B' : 'A';
    expect(check.redeem(`${pass.slice(0, index)}${other}${pass.slice(index + 1)}`, now)).toBe(false);
  }
  expect(new LoginTokens(newTokenKey()).redeem(pass, now)).toBe(false);
  for (const wrong of ['', pass.slice(1), `${pass}A`, `${pass}\n`, ` ${pass}`])
    expect(check.redeem(wrong, now)).toBe(false);
  expect(check.redeem(pass, now)).toBe(true);
});
