import { parseJson } from '../format/json.ts';
import { serverInstructions } from './instructions.ts';

/**
 * The versions of the protocol that are answered without the SDK, which takes what it knows from
 * its own list (1.32.2, `SUPPORTED_PROTOCOL_VERSIONS`); it answers any other itself.
 */
export const knownVersions: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];

/** What the server says of itself. */
export const serverInfo = (
  version: string,
): { readonly name: string; readonly title: string; readonly version: string } => ({
  name: 'curfew',
  title: 'Curfew',
  version,
});

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;

/** The first request of a client, answered. */
export interface FirstAnswer {
  readonly id: string | number;
  /** One line, as the protocol has it. */
  readonly text: string;
}

/**
 * The answer to a client's first line where that is an ordinary `initialize`: the same that the SDK
 * gives to it. Null for anything else, which is the SDK's to answer. By hand and without a schema,
 * because a schema of the SDK's takes longer than all of the start.
 */
export const firstAnswer = (line: string, version: string): FirstAnswer | null => {
  const request = parseJson(line);
  const id = field(request, 'id');
  const params = field(request, 'params');
  const protocolVersion = field(params, 'protocolVersion');
  if (field(request, 'jsonrpc') !== '2.0' || field(request, 'method') !== 'initialize') return null;
  if (typeof id !== 'string' && !(typeof id === 'number' && Number.isSafeInteger(id))) return null;
  if (typeof protocolVersion !== 'string' || !knownVersions.includes(protocolVersion)) return null;
  const client = field(params, 'clientInfo');
  if (typeof field(client, 'name') !== 'string' || typeof field(client, 'version') !== 'string') return null;
  const capabilities = field(params, 'capabilities');
  if (typeof capabilities !== 'object' || capabilities === null || Array.isArray(capabilities)) return null;
  const result = {
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: serverInfo(version),
    instructions: serverInstructions,
  };
  return { id, text: `${JSON.stringify({ result, jsonrpc: '2.0', id })}\n` };
};
