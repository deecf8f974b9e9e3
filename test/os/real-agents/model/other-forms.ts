import { type Answer, type Form, listOf, type StreamEvent, toolOf, turnsOf } from './form.ts';
import type { Call } from './step.ts';

/** https://docs.anthropic.com/en/api/messages */
export const anthropic: Form = {
  path: /\/v1\/messages$/u,
  read: (body) => ({
    turns: turnsOf(body['messages']),
    tools: listOf(body['tools']).map((tool) => toolOf(tool['name'], tool['input_schema'])),
  }),
  answer: (what, unique) => {
    const usage = { input_tokens: 1, output_tokens: 1 };
    const common = { type: 'message', role: 'assistant', model: 'stand-in', stop_sequence: null, usage };
    const message = { id: `msg_${unique}`, ...common };
    const block =
      typeof what === 'string'
        ? { type: 'text', text: what }
        : { type: 'tool_use', id: `toolu_${unique}`, name: what.name, input: what.input };
    const delta =
      typeof what === 'string'
        ? { type: 'text_delta', text: what }
        : { type: 'input_json_delta', partial_json: JSON.stringify(what.input) };
    const empty = typeof what === 'string' ? { ...block, text: '' } : { ...block, input: {} };
    const reason = typeof what === 'string' ? 'end_turn' : 'tool_use';
    const named = (type: string, data: object): StreamEvent => [type, { type, ...data }];
    return {
      whole: { ...message, content: [block], stop_reason: reason },
      events: [
        named('message_start', { message: { ...message, content: [], stop_reason: null } }),
        named('content_block_start', { index: 0, content_block: empty }),
        named('content_block_delta', { index: 0, delta }),
        named('content_block_stop', { index: 0 }),
        named('message_delta', { delta: { stop_reason: reason, stop_sequence: null }, usage }),
        named('message_stop', {}),
      ],
    };
  },
};

/** Gemini CLI first asks, without a stream, which model is to answer. */
const choice = JSON.stringify({
  reasoning: 'ok',
  model_choice: 'flash',
  complexity_reasoning: 'ok',
  complexity_score: 1,
});

/** https://ai.google.dev/api/generate-content */
export const google: Form = {
  path: /:(?:streamG|g)enerateContent$/u,
  read: (body) => ({
    turns: turnsOf(body['contents']),
    tools: listOf(body['tools']).flatMap((tool) =>
      listOf(tool['functionDeclarations']).map((one) =>
        toolOf(one['name'], one['parametersJsonSchema'] ?? one['parameters']),
      ),
    ),
  }),
  answer: (what): Answer => {
    const answer = (said: string | Call): object => ({
      candidates: [
        {
          index: 0,
          content: {
            role: 'model',
            parts: [
              typeof said === 'string' ? { text: said } : { functionCall: { name: said.name, args: said.input } },
            ],
          },
          finishReason: 'STOP',
        },
      ],
      usageMetadata: { promptTokenCount: 1, totalTokenCount: 2 },
    });
    return { whole: answer(what === 'ok' ? choice : what), events: [[null, answer(what)]] };
  },
};
