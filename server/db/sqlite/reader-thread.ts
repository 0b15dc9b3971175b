import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { COMMON_PRAGMAS, connect } from './sqlite-connection.ts';

/** The code of the threads in reader-threads.ts: one connection for reads, one statement at a time. */

const Statement = z.object({ sql: z.string(), parameters: z.array(z.unknown()) });

const { path } = z.object({ path: z.string() }).parse(workerData);
const connection = connect(path, COMMON_PRAGMAS, { readonly: true });

parentPort?.on('message', (message: unknown) => {
  const { sql, parameters } = Statement.parse(message);
  try {
    const statement = connection.prepare(sql);
    if (statement.reader) return parentPort?.postMessage({ rows: statement.all(parameters) });
    statement.run(parameters);
    parentPort?.postMessage({ rows: [] });
  } catch (error) {
    // An error loses its `code` when it is sent to another thread.
    const failure = error instanceof Error ? error : new Error(String(error));
    parentPort?.postMessage({ failure: failure.message, code: 'code' in failure ? String(failure.code) : '' });
  }
});
