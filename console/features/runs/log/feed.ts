import type { LoggedEvent } from '../../../../contract/run-events.ts';
import { follow, type StreamMessage, type StreamState } from '../../../api/events.ts';
import { eventText, isQuiet } from './event-text.ts';

type Of<Kind extends LoggedEvent['kind']> = Extract<LoggedEvent, { kind: Kind }>;
export type ResultEvent = Of<'result'> & { line: number };
export type CallEvent = Of<'admin_api'> & { line: number };
export type Progress = Pick<Of<'progress'>, 'current' | 'total' | 'label'>;

/** Many lines as one text, so that a long log has few nodes, and the browser's own find, select and copy work. */
export type LogChunk = {
  text: string;
  /** The number of each line, and where it begins in the text. */
  numbers: number[];
  starts: number[];
  /** The rows on which each line begins; a line with line breaks has several rows. */
  rows: number;
  /** Lines that only keep books, by their index: they are drawn in grey. */
  quiet: number[];
};

export const CHUNK_LINES = 500;

/** What a run has said so far, kept outside the components: a log may have 100,000 lines. */
export type RunFeed = {
  chunks: readonly LogChunk[];
  results: readonly ResultEvent[];
  calls: readonly CallEvent[];
  progress: Progress | null;
  /** What the script says that the run is about; null: it has said nothing yet. */
  description: string | null;
  /** Markdown; empty: there is none. */
  details: string;
  lines: number;
  /** The number of the last line. */
  last: number;
  state: StreamState | 'connecting';
  /** Rises with every change. */
  version: number;
  subscribe(tell: () => void): () => void;
};

/**
 * Reads the log of a run from its first line and goes on while the run does, over lost connections. `onEnd` is told once the run has
 * ended.
 */
export function followRun(path: string, signal: AbortSignal, onEnd: () => void): RunFeed {
  const listeners = new Set<() => void>();
  const chunks: LogChunk[] = [];
  const results: ResultEvent[] = [];
  const calls: CallEvent[] = [];
  const feed: RunFeed = {
    chunks,
    results,
    calls,
    progress: null,
    description: null,
    details: '',
    lines: 0,
    last: 0,
    state: 'connecting',
    version: 0,
    subscribe(tell) {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
  };
  let isTold = true;
  /** Tells at most once a frame, because lines come by the thousand. */
  function changed(): void {
    feed.version += 1;
    if (!isTold) return;
    isTold = false;
    requestAnimationFrame(() => {
      isTold = true;
      for (const tell of listeners) tell();
    });
  }

  function take({ id, event, data }: StreamMessage): void {
    if (event === 'details') {
      feed.details = String(JSON.parse(data).markdown);
      changed();
    }
    if (event !== 'event') return;
    const logged: LoggedEvent = JSON.parse(data);
    const line = Number(id);
    append(chunks, line, logged);
    if (logged.kind === 'result') results.push({ ...logged, line });
    else if (logged.kind === 'admin_api') calls.push({ ...logged, line });
    else if (logged.kind === 'progress') feed.progress = logged;
    else if (logged.kind === 'describe') feed.description = logged.description;
    feed.lines += 1;
    feed.last = line;
    changed();
  }

  void follow(path, {
    signal,
    onMessage: take,
    onState(state) {
      if (state === feed.state) return;
      feed.state = state;
      changed();
      if (state === 'ended') onEnd();
    },
  });
  return feed;
}

function append(chunks: LogChunk[], line: number, logged: LoggedEvent): void {
  let chunk = chunks.at(-1);
  if (!chunk || chunk.numbers.length >= CHUNK_LINES) {
    chunk = { text: '', numbers: [], starts: [], rows: 0, quiet: [] };
    chunks.push(chunk);
  }
  const text = eventText(logged);
  if (isQuiet(logged)) chunk.quiet.push(chunk.numbers.length);
  chunk.numbers.push(line);
  chunk.starts.push(chunk.text.length);
  chunk.text += `${text}\n`;
  chunk.rows += rowsOf(text);
}

/** On how many rows a line is shown. */
export function rowsOf(text: string): number {
  let rows = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) rows += 1;
  return rows;
}

/** The whole log as text. */
export function logText(feed: RunFeed): string {
  return feed.chunks.map(({ text }) => text).join('');
}
