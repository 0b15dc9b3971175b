import type { AssistantItem } from '../../contract/assistant.ts';
import { counted, countText } from '../language/formats.ts';
import { translated, type Words } from '../language/translated.ts';
import { countedKind } from './kinds.ts';
import { permissionText } from './permissions.ts';

type AssistantNotice = Extract<AssistantItem, { kind: 'notice' }>['code'];

const english = {
  title: 'Assistant',
  open: 'Ask the assistant',
  settings: 'Open the settings',
  you: 'You',
  it: 'Assistant',
  conversation: 'Conversation',
  message: 'Message to the assistant',
  hint: 'Say what the task should do. It writes the draft, checks it and runs it dry; you decide what becomes of it.',
  send: 'Send',
  stop: 'Stop',
  retry: 'Retry',
  working: 'The assistant is working.',
  stopped: 'Stopped.',
  failed: 'The assistant could not go on.',
  lost: 'The connection is lost. It is being made again.',
  gone: 'This conversation has been deleted, or it tells what you may not read.',
  seesPersonalData: 'It may see personal data',
  seesDetail: 'Names, addresses and texts of customers are then sent to the model. Otherwise they are hidden from it.',
  sees: 'It may see personal data.',
  hides: 'Personal data is hidden from it.',
  tokens: (used: number, most: number | null) =>
    most === null ? counted(used, 'token', 'tokens') : `${countText(used)} of ${countText(most)} tokens`,
  threads: {
    show: 'Earlier',
    back: 'Back',
    fresh: 'New',
    none: 'There is no earlier conversation.',
    untitled: 'Without a message',
    closed: (missing: readonly string[]) =>
      `It may tell what you may not read: it needs ${missing.map((one) => permissionText(one)).join(', ')}.`,
    closedName: (id: number) => `Conversation ${id}`,
    ofRun: (id: number) => `about run ${id}`,
    removed: 'What it wrote in the draft stays.',
  },
  tool: {
    asked: 'Question',
    answered: 'Answer',
    written: 'What the model wrote is no JSON object:',
    whole: (length: number) => `Show all ${countText(length)} characters`,
    working: 'working',
    failed: 'refused',
    ms: (ms: number) => (ms < 10_000 ? `${countText(ms)} ms` : `${countText(Math.round(ms / 1000))} s`),
    run: (id: number) => `Run ${id}`,
  },
  notices: {
    shortened: 'Shortened',
    calls_spent: 'Ended',
    repeated: 'Ended',
    limit_reached: 'No tokens left',
    too_long: 'Too long',
    stopped: 'Stopped',
    refused: 'Refused',
    cut_off: 'Cut off',
    failed: 'Failed',
  } satisfies Record<AssistantNotice, string>,
  step: {
    byAssistant: 'Changed the draft',
    byPerson: 'You changed the draft',
    lines: (added: number, removed: number) => `+${countText(added)} −${countText(removed)} lines`,
    declared: (added: number, removed: number) => `permissions +${added} −${removed}`,
    parameters: 'parameters',
    sourceOf: (id: number) => `Changes of the source in step ${id}`,
    parametersOf: (id: number) => `Changes of the parameters in step ${id}`,
    takeBack: 'Take back',
    putBack: 'Put back',
    builtUpon: 'The draft has been changed here since.',
  },
  evidence: {
    typeChecks: 'type-checks',
    hasFaults: 'has type errors',
    unchecked: 'types not checked',
    dryRun: (id: number) => `dry run ${id}`,
    nothing: 'no change',
    changes: (kinds: Readonly<Record<string, number>>) =>
      Object.entries(kinds)
        .map(([kind, count]) => countedKind(kind, count))
        .join(', '),
    uses: (count: number) => `uses ${counted(count, 'permission', 'permissions')}`,
    standIns: 'It ran with stand-ins for the e-mail addresses of the draft: run it dry yourself, with the real ones.',
  },
  why: {
    act: 'Find out why',
    message: 'Find out why this run ended so. If its script is at fault, change the draft, and run it dry.',
    toEditor: 'Open in the editor',
    toEditorNote: 'There you can take its changes into your draft.',
  },
  describe: {
    title: 'Describe it',
    label: 'Describe what the task should do',
    hint: 'Such as: each morning, write a note on every order that is paid and not sent after three days.',
    act: 'Write a draft',
    page: 'New task, described',
    note: 'Nothing is made and nothing runs before you make a task of it.',
    draft: 'Draft',
    noDraft: 'Nothing is written yet.',
    make: 'Make a task of it',
    makeNote: 'Its first version waits until somebody approves it, because the assistant wrote it.',
    firstNote: 'Written with the assistant',
    back: 'All examples',
  },
} as const;

export type AssistantText = Words<typeof english>;
export const assistantText = translated('assistant', english);
