import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { LATEST_PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, test } from 'vitest';
import { firstAnswer, knownVersions, serverInfo } from '../../../app/mcp/first-answer.ts';
import { serverInstructions } from '../../../app/mcp/instructions.ts';

const request = (more: object = {}, params: object = {}): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 7,
    method: 'initialize',
    params: {
      protocolVersion: LATEST_PROTOCOL_VERSION,
      capabilities: { roots: { listChanged: true } },
      clientInfo: { name: 'agent', version: '1' },
      ...params,
    },
    ...more,
  });

/** What the SDK answers to a line. */
const sdkAnswer = async (line: string): Promise<unknown> => {
  const { server } = new McpServer(serverInfo('1.2.3'), { instructions: serverInstructions });
  server.registerCapabilities({ tools: {} });
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const transport = {
    start: async () => undefined,
    close: async () => undefined,
    send: async (message: JSONRPCMessage) => resolve(message),
    onmessage: (_message: JSONRPCMessage): void => undefined,
  };
  await server.connect(transport);
  transport.onmessage(JSON.parse(line) as JSONRPCMessage);
  return promise;
};

describe('the first answer', () => {
  test('knows the versions of the protocol that the SDK knows', () => {
    expect(knownVersions.toSorted()).toEqual([...SUPPORTED_PROTOCOL_VERSIONS].toSorted());
  });

  test.each(knownVersions)('is what the SDK answers to version %s', async (protocolVersion) => {
    const line = request({ id: 'a' }, { protocolVersion });
    const answer = firstAnswer(line, '1.2.3');
    expect(answer?.id).toBe('a');
    expect(answer?.text.endsWith('\n')).toBe(true);
    expect(JSON.parse(answer?.text ?? '')).toEqual(await sdkAnswer(line));
  });

  test.each([
    ['another version', request({}, { protocolVersion: '1999-01-01' })],
    ['another method', request({ method: 'tools/list' })],
    ['a notification', request({ id: undefined })],
    ['an id that is no id', request({ id: 1.5 })],
    ['no client', request({}, { clientInfo: undefined })],
    ['capabilities that are a list', request({}, { capabilities: [] })],
    ['another protocol', request({ jsonrpc: '1.0' })],
    ['no JSON', '{'],
    ['a list', '[]'],
  ])('leaves %s to the SDK', (_, line) => {
    expect(firstAnswer(line, '1.2.3')).toBeNull();
  });
});
