import { expect, test } from 'vitest';
import { callLimits } from '../../../app/agents/call-limits.ts';
import { type WaitingClient, waitSeconds } from '../../../app/mcp/wait-limit.ts';

const unknown: WaitingClient = { name: 'other', environment: {}, progress: true, gaveUpAfter: null };
const first = Object.values(callLimits).find((one) => one !== 'none' && one.environment !== null);
if (first === undefined || first === 'none' || first.environment === null)
  throw new Error('the first client has a variable');
const { client: name, environment: variable } = first;

test.each<[string, Partial<WaitingClient>, number | undefined, number]>([
  ['one that shows progress', {}, undefined, 570],
  ['one that does not', { progress: false }, undefined, 50],
  ['one that waits for very long', { name }, undefined, 3600],
  ['a limit in its environment', { name, environment: { [variable]: '60000' } }, undefined, 50],
  ['a limit that makes no sense', { name, environment: { [variable]: 'soon' } }, undefined, 3600],
  ['a limit that is no limit of this client', { environment: { [variable]: '60000' } }, undefined, 570],
  ['a very short one', { name, environment: { [variable]: '1000' } }, undefined, 1],
  ['one that has given up before', { name, gaveUpAfter: 30 }, undefined, 25],
  ['a shorter time that is asked for', {}, 20, 20],
  ['a longer one', {}, 3600, 570],
])('a wait ends before the client gives up: %s', (_what, client, asked, seconds) => {
  expect(waitSeconds({ ...unknown, ...client }, asked)).toBe(seconds);
});
