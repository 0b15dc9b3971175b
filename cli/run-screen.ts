import type { LoggedEvent } from '../contract/run-events.ts';
import type { Run } from '../contract/runs.ts';
import { showProgress } from './progress-bar.ts';
import type { RemoteShop } from './remote-shop.ts';
import { coloursFor, type Output, oneLine, plain, print } from './screen.ts';

const MAX_RESULTS_SHOWN = 10;

/** `onEvent` is called with every event after it is shown, one after the other. */
type Options = { signal?: AbortSignal; onEvent?: (event: LoggedEvent) => Promise<void> };

/** Shows the events of a run as they come, a bar for its progress and how it ended. */
export async function showRun(
  shop: RemoteShop,
  taskId: number,
  runId: number,
  output: Output,
  { onEvent, signal }: Options = {},
): Promise<Run> {
  const { bold, dim, green, red } = coloursFor(output);
  const bar = showProgress(output);
  let calls = 0;
  let results = 0;
  const line = (text: string): void => bar.line(`  ${text}`);
  const show = async (event: LoggedEvent): Promise<void> => {
    if (event.kind === 'progress') bar.update(oneLine(event.label), event.total > 0 ? event.current / event.total : 1);
    else if (event.kind === 'admin_api') calls += 1;
    else if (event.kind === 'describe') bar.line(bold(oneLine(event.description)));
    else if (event.kind === 'log') line(plain(event.line).replaceAll('\n', '\n    '));
    else {
      results += 1;
      if (results <= MAX_RESULTS_SHOWN)
        line(`${green(oneLine(event.status))} ${oneLine(event.item)} ${dim(plain(JSON.stringify(event.details)))}`);
      if (results === MAX_RESULTS_SHOWN + 1) line(dim('… more results: they are all in the log of the run'));
    }
    await onEvent?.(event);
  };
  const end = await shop.followRun(taskId, runId, show, signal).finally(() => bar.end());
  const run = await shop.client.ai_tasks.get_run(taskId, runId);
  const took = run.finished_at === null ? '' : ` in ${((Date.parse(run.finished_at) - Date.parse(run.started_at)) / 1000).toFixed(1)} s`;
  const attempts = run.attempts === null ? '' : `, attempt ${run.attempt} of ${run.attempts}`;
  const outcome = end.status === 'success' ? green(end.status) : red(end.status);
  print(
    output,
    `  ${bold(outcome)}${took}${attempts}, ${calls} calls of the API, ${results} results${end.error === null ? '' : `\n  ${red(plain(end.error).replaceAll('\n', '\n  '))}`}\n`,
  );
  if (run.details !== null) print(output, `  ${bold('details')}\n  ${shorten(plain(run.details), output).replaceAll('\n', '\n  ')}\n`);
  if (run.result !== null)
    print(output, `  ${bold('result')} ${shorten(plain(JSON.stringify(run.result, null, 2)), output).replaceAll('\n', '\n  ')}\n`);
  return run;
}

const MAX_LINES = 30;

/** Shortens a text to its first lines for a terminal; a pipe or file gets all of it. */
export function shorten(text: string, output: Output): string {
  const lines = text.split('\n');
  if (!output.isTTY || lines.length <= MAX_LINES) return text;
  return [...lines.slice(0, MAX_LINES), `… ${lines.length - MAX_LINES} more lines`].join('\n');
}
