import { type Form, listOf, type StreamEvent, toolOf, turnsOf } from './form.ts';

const tokens = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };

/** Messages and calls are items of one list there. */
const isCall = (item: unknown): boolean => String((item as { readonly type?: unknown }).type).endsWith('_call');

/** https://platform.openai.com/docs/api-reference/responses */
export const responses: Form = {
  path: /\/responses$/u,
  read: (body) => ({
    turns:
      typeof body['input'] === 'string'
        ? [{ by: 'user', said: body['input'] }]
        : turnsOf(listOf(body['input']).map((item) => (isCall(item) ? { ...item, role: 'assistant' } : item))),
    tools: listOf(body['tools']).map(({ name, parameters }) => toolOf(name, parameters)),
  }),
  answer: (what, unique) => {
    const item =
      typeof what === 'string'
        ? {
            id: `m${unique}`,
            type: 'message',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: what, annotations: [] }],
          }
        : {
            id: `fc${unique}`,
            type: 'function_call',
            status: 'completed',
            call_id: `call_${unique}`,
            name: what.name,
            arguments: JSON.stringify(what.input),
          };
    const usage = { ...tokens, input_tokens_details: null, output_tokens_details: null };
    const response = { id: `resp_${unique}`, object: 'response', status: 'completed', output: [item], usage };
    const named = (type: string, data: object): StreamEvent => [type, { type, ...data }];
    return {
      whole: response,
      events: [
        named('response.created', { response: { id: response.id } }),
        named('response.output_item.added', { output_index: 0, item }),
        named('response.output_item.done', { output_index: 0, item }),
        named('response.completed', { response }),
      ],
    };
  },
};

/** https://platform.openai.com/docs/api-reference/chat */
export const chat: Form = {
  path: /\/chat\/completions$/u,
  read: (body) => ({
    turns: turnsOf(body['messages']),
    tools: listOf(body['tools']).map((tool) => {
      const { name, parameters } = (tool['function'] ?? {}) as {
        readonly name?: unknown;
        readonly parameters?: unknown;
      };
      return toolOf(name, parameters);
    }),
  }),
  answer: (what, unique) => {
    const common = { id: `chat_${unique}`, model: 'stand-in', created: 1 };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const call = (name: string, input: object): object => ({
      index: 0,
      id: `call_${unique}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    });
    const message =
      typeof what === 'string'
        ? { role: 'assistant', content: what }
        : { role: 'assistant', content: null, tool_calls: [call(what.name, what.input)] };
    const choice = { index: 0, finish_reason: typeof what === 'string' ? 'stop' : 'tool_calls' };
    const chunk = { ...common, object: 'chat.completion.chunk' };
    return {
      whole: { ...common, object: 'chat.completion', choices: [{ ...choice, message }], usage },
      events: [
        [null, { ...chunk, choices: [{ index: 0, finish_reason: null, delta: message }] }],
        [null, { ...chunk, choices: [{ ...choice, delta: {} }], usage }],
        [null, '[DONE]'],
      ],
    };
  },
};
