import { z } from 'zod';

/**
 * What two providers' servers are asked and how they answer, streamed, as their documentation says: OpenAI's chat completions
 * (platform.openai.com/docs/api-reference/chat) and Anthropic's Messages (platform.claude.com/docs/en/api/messages).
 */

/** A text as an input is one that is not the JSON it should be. */
export type ModelCall = { name: string; input: Record<string, unknown> | string };
export type ModelTurn = {
  text?: string;
  calls?: readonly ModelCall[];
  finish?: 'length' | 'refusal';
  usage?: { prompt_tokens: number; completion_tokens: number };
  /** `cut`: the connection ends before the answer does; `end`: the answer ends as if it were whole; `overloaded`: an error comes instead. */
  breaks?: 'cut' | 'end' | 'overloaded' | 'silent';
};
export type ModelError = 'busy' | 'overloaded' | 'unauthorized' | 'no_credit' | 'too_long' | 'invalid' | 'broken' | 'unknown_model';
export type ModelFault = { error: ModelError; retryAfter?: number; message?: string; param?: string };

/** One message of what was asked, of either provider. */
export type Said = {
  role: 'user' | 'assistant';
  text: string;
  calls: { id: string; name: string; input: unknown }[];
  answers: { id: string; text: string; isError: boolean }[];
};
export type Asked = { model: string; system: string; said: Said[]; tools: string[]; maxTokens: number };

export type Protocol = {
  path: string;
  keyHeader: string;
  keyOf(key: string): string;
  /** Throws where the provider answers 400. */
  asked(body: unknown): Asked;
  /** The texts of the events, in their order. */
  events(turn: Required<Pick<ModelTurn, 'usage'>> & ModelTurn, model: string): string[];
  overloaded: string;
  fault(error: ModelError): { status: number; body: object };
};

const CallSent = z.object({
  id: z.string().min(1),
  type: z.literal('function'),
  function: z.object({ name: z.string(), arguments: z.string() }),
});
const OpenAiMessage = z.discriminatedUnion('role', [
  z.object({ role: z.literal('system'), content: z.string().min(1) }),
  z.object({ role: z.literal('user'), content: z.string() }),
  z.object({ role: z.literal('assistant'), content: z.string().nullish(), tool_calls: z.array(CallSent).min(1).optional() }),
  z.object({ role: z.literal('tool'), tool_call_id: z.string().min(1), content: z.string() }),
]);
const OpenAiBody = z.strictObject({
  model: z.string(),
  messages: z.array(OpenAiMessage).min(1),
  tools: z
    .array(
      z.object({
        type: z.literal('function'),
        function: z.object({
          name: z.string().regex(/^[\w-]{1,64}$/),
          description: z.string(),
          parameters: z.record(z.string(), z.unknown()),
        }),
      }),
    )
    .min(1)
    .optional(),
  stream: z.literal(true),
  stream_options: z.object({ include_usage: z.literal(true) }),
  max_tokens: z.int().min(1).optional(),
  max_completion_tokens: z.int().min(1).optional(),
});

function saidOpenAi(message: z.infer<typeof OpenAiMessage>): Said[] {
  if (message.role === 'system') return [];
  const none = { text: '', calls: [], answers: [] };
  if (message.role === 'user') return [{ ...none, role: 'user', text: message.content }];
  if (message.role === 'tool')
    return [{ ...none, role: 'user', answers: [{ id: message.tool_call_id, text: message.content, isError: false }] }];
  const calls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: input } }) => ({
    id,
    name,
    input: JSON.parse(input) as unknown,
  }));
  return [{ ...none, role: 'assistant', text: message.content ?? '', calls }];
}

export const openAiProtocol: Protocol = {
  path: '/v1/chat/completions',
  keyHeader: 'authorization',
  keyOf: (key) => `Bearer ${key}`,
  asked(given) {
    const body = OpenAiBody.parse(given);
    const [first] = body.messages;
    const said = joined(body.messages.flatMap(saidOpenAi));
    checkAnswers(said);
    return {
      model: body.model,
      system: first?.role === 'system' ? first.content : '',
      said,
      tools: (body.tools ?? []).map((tool) => tool.function.name),
      maxTokens: body.max_tokens ?? body.max_completion_tokens ?? 0,
    };
  },
  events({ text = '', calls = [], finish, usage }, model) {
    const chunk = (choices: object[], more = {}): string =>
      `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model, choices, ...more })}\n\n`;
    const delta = (given: object, finish_reason: string | null = null): string => chunk([{ index: 0, delta: given, finish_reason }]);
    const written = calls.map(({ name, input }, index) => {
      const begin = { index, id: `call_${name}_${crypto.randomUUID().slice(0, 8)}`, type: 'function', function: { name, arguments: '' } };
      return [begin, ...pieces(asText(input)).map((piece) => ({ index, function: { arguments: piece } }))];
    });
    const reason = finish === 'refusal' ? 'content_filter' : (finish ?? (calls.length > 0 ? 'tool_calls' : 'stop'));
    return [
      delta({ role: 'assistant', content: '' }),
      ...pieces(text).map((content) => delta({ content })),
      // The deltas of parallel calls may come in any order.
      ...inTurns(written).map((call) => delta({ tool_calls: [call] })),
      delta({}, reason),
      chunk([], { usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens } }),
      'data: [DONE]\n\n',
    ];
  },
  overloaded: `data: ${JSON.stringify({ error: { message: 'The server had an error.', type: 'server_error', code: 'rate_limit_exceeded' } })}\n\n`,
  fault(error) {
    const [status, message, type, code = null] = {
      busy: [429, 'Rate limit reached for requests.', 'requests', 'rate_limit_exceeded'] as const,
      overloaded: [503, 'The engine is currently overloaded, please try again later.', 'server_error'] as const,
      unauthorized: [401, 'Incorrect API key provided.', 'invalid_request_error', 'invalid_api_key'] as const,
      no_credit: [
        429,
        'You exceeded your current quota, please check your plan and billing details.',
        'insufficient_quota',
        'insufficient_quota',
      ] as const,
      too_long: [
        400,
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
        'invalid_request_error',
        'context_length_exceeded',
      ] as const,
      invalid: [400, 'Invalid value.', 'invalid_request_error', 'invalid_value'] as const,
      broken: [500, 'The server had an error while processing your request.', 'server_error'] as const,
      unknown_model: [
        404,
        'The model does not exist or you do not have access to it.',
        'invalid_request_error',
        'model_not_found',
      ] as const,
    }[error];
    return { status, body: { error: { message, type, param: null, code } } };
  },
};

const Block = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string().regex(/\S/, 'text content blocks must contain non-whitespace text') }),
  z.object({ type: z.literal('tool_use'), id: z.string().regex(/^[\w-]+$/), name: z.string(), input: z.record(z.string(), z.unknown()) }),
  z.object({
    type: z.literal('tool_result'),
    tool_use_id: z.string().regex(/^[\w-]+$/),
    content: z.string(),
    is_error: z.boolean().optional(),
  }),
]);
const AnthropicBody = z.strictObject({
  model: z.string(),
  max_tokens: z.int().min(1),
  system: z.array(
    z.object({ type: z.literal('text'), text: z.string().min(1), cache_control: z.object({ type: z.literal('ephemeral') }).optional() }),
  ),
  messages: z.array(z.object({ role: z.enum(['user', 'assistant']), content: z.union([z.string().min(1), z.array(Block).min(1)]) })).min(1),
  tools: z.array(
    z.strictObject({
      name: z.string().regex(/^[\w-]{1,64}$/),
      description: z.string(),
      input_schema: z.looseObject({ type: z.literal('object') }),
    }),
  ),
  stream: z.literal(true),
});

function saidAnthropic({ role, content }: z.infer<typeof AnthropicBody>['messages'][number]): Said {
  const said: Said = { role, text: '', calls: [], answers: [] };
  if (typeof content === 'string') return { ...said, text: content };
  for (const block of content) {
    if (block.type === 'text') said.text += block.text;
    else if (block.type === 'tool_use') said.calls.push({ id: block.id, name: block.name, input: block.input });
    else said.answers.push({ id: block.tool_use_id, text: block.content, isError: block.is_error ?? false });
  }
  return said;
}

export const anthropicProtocol: Protocol = {
  path: '/v1/messages',
  keyHeader: 'x-api-key',
  keyOf: (key) => key,
  asked(given) {
    const { model, max_tokens: maxTokens, system, messages, tools } = AnthropicBody.parse(given);
    if (messages[0]?.role !== 'user') throw new Error('messages: first message must use the "user" role');
    const said = joined(messages.map(saidAnthropic));
    checkAnswers(said);
    return { model, system: system.map(({ text }) => text).join('\n'), said, tools: tools.map(({ name }) => name), maxTokens };
  },
  events({ text = '', calls = [], finish, usage }, model) {
    const event = (type: string, data: object): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
    const block = (index: number, begin: object, deltas: object[]): string[] => [
      event('content_block_start', { index, content_block: begin }),
      ...deltas.map((delta) => event('content_block_delta', { index, delta })),
      event('content_block_stop', { index }),
    ];
    const words =
      text === '' ? [] : [[{ type: 'text', text: '' }, pieces(text).map((piece) => ({ type: 'text_delta', text: piece }))] as const];
    const uses = calls.map(({ name, input }) => {
      const begin = { type: 'tool_use', id: `toolu_${crypto.randomUUID().slice(0, 8)}`, name, input: {} };
      return [begin, ['', ...pieces(asText(input))].map((partial_json) => ({ type: 'input_json_delta', partial_json }))] as const;
    });
    const stop_reason = finish === 'length' ? 'max_tokens' : (finish ?? (calls.length > 0 ? 'tool_use' : 'end_turn'));
    const { prompt_tokens: input_tokens, completion_tokens: output_tokens } = usage;
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model, content: [], stop_reason: null, stop_sequence: null };
    return [
      event('message_start', {
        message: {
          ...message,
          usage: { input_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: input_tokens - 1, output_tokens: 1 },
        },
      }),
      event('ping', {}),
      ...[...words, ...uses].flatMap(([begin, deltas], index) => block(index, begin, [...deltas])),
      event('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { input_tokens: null, output_tokens } }),
      event('message_stop', {}),
    ];
  },
  overloaded: `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })}\n\n`,
  fault(error) {
    const [status, type, message] = {
      busy: [429, 'rate_limit_error', 'This request would exceed your organization’s rate limit.'] as const,
      overloaded: [529, 'overloaded_error', 'Overloaded'] as const,
      unauthorized: [401, 'authentication_error', 'invalid x-api-key'] as const,
      no_credit: [400, 'invalid_request_error', 'Your credit balance is too low to access the Anthropic API.'] as const,
      too_long: [400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'] as const,
      invalid: [400, 'invalid_request_error', 'Invalid value.'] as const,
      broken: [500, 'api_error', 'Internal server error'] as const,
      unknown_model: [404, 'not_found_error', 'model: nothing'] as const,
    }[error];
    return { status, body: { type: 'error', error: { type, message }, request_id: 'req_1' } };
  },
};

/** Both providers take messages of one side that follow each other as one. */
function joined(all: readonly Said[]): Said[] {
  const said: Said[] = [];
  for (const { role, text, calls, answers } of all) {
    const last = said.at(-1);
    if (last?.role !== role) said.push({ role, text, calls: [...calls], answers: [...answers] });
    else {
      if (answers.length > 0 && last.text !== '') throw new Error('an answer of a tool stands behind a text');
      last.text += text;
      last.calls.push(...calls);
      last.answers.push(...answers);
    }
  }
  return said;
}

/** Both refuse a conversation in which a call has no answer, or an answer no call. */
function checkAnswers(said: readonly Said[]): void {
  for (const [n, { role, answers }] of said.entries()) {
    const calls = role === 'user' ? (said[n - 1]?.calls ?? []) : [];
    const [asked, answered] = [calls.map(({ id }) => id), answers.map(({ id }) => id)];
    if (new Set(asked).size !== asked.length) throw new Error('ids of calls must be unique');
    if (asked.toSorted().join() !== answered.toSorted().join())
      throw new Error(`message ${n} answers ${answered.join() || 'nothing'}, not ${asked.join()}`);
  }
  if (said.at(-1)?.role !== 'user') throw new Error('the last message is not of the user');
}

const asText = (input: ModelCall['input']): string => (typeof input === 'string' ? input : JSON.stringify(input));

/** In pieces that cut words, escapes and characters in two. */
function pieces(text: string): string[] {
  return Array.from({ length: Math.ceil(text.length / PIECE) }, (_, n) => text.slice(n * PIECE, (n + 1) * PIECE));
}
const PIECE = 37;

function inTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, n) => lists.flatMap((list) => list.slice(n, n + 1))).flat();
}
