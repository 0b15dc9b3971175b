import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import SqliteDatabase from 'better-sqlite3';
import { z } from 'zod';
import { print } from './queue-child.ts';

/**
 * Child process of api-peers.ts: answers the three questions with node:http and the statements that they need on a file with Backroom's
 * schema. It knows no tokens, permissions, filters or validation, and keeps no audit entry but the one that Backroom writes.
 */
const [file = ''] = process.argv.slice(2);
const database = new SqliteDatabase(file);
for (const pragma of ['journal_mode = WAL', 'synchronous = NORMAL', 'cache_size = -32000', 'foreign_keys = ON']) database.pragma(pragma);

const listed = database.prepare(
  `SELECT id, status, payment_status, customer_name, customer_email, total, created_at, public_id, is_test, delivery_date,
          internal_status_id, customer_id, shipping_country, currency
     FROM orders WHERE is_test = 0 ORDER BY created_at DESC, id DESC LIMIT 100`,
);
const counted = database.prepare('SELECT count(*) FROM orders WHERE is_test = 0').pluck();
const order = database.prepare('SELECT * FROM orders WHERE id = ?');
const items = database.prepare('SELECT * FROM order_items WHERE order_id = ? ORDER BY position, id');
const insertNote = database.prepare(
  `INSERT INTO customer_notes (customer_id, author, body, created_at) VALUES (?, 'bench', ?, ?) RETURNING *`,
);
const insertEntry = database.prepare(
  `INSERT INTO audit_log (at, actor_type, actor_id, action, resource_type, resource_id, changes, request_id, ip, customer_id)
   VALUES (?, 'admin', 1, 'customers.create_note', 'customer_note', ?, ?, '', '', ?)`,
);
const addNote = database.transaction((customerId: number, body: string) => {
  const now = new Date().toISOString();
  const note = z.looseObject({ id: z.int() }).parse(insertNote.get(customerId, body, now));
  insertEntry.run(now, note.id, JSON.stringify({ body: [null, body] }), customerId);
  return note;
});

async function answer(request: IncomingMessage): Promise<unknown> {
  const [, resource, id] = request.url?.split('/') ?? [];
  if (resource === 'notes') return addNote(Number(id), z.object({ body: z.string() }).parse(JSON.parse(await text(request))).body);
  if (id === undefined) return { data: listed.all(), total: counted.get() };
  return Object.assign({ items: items.all(id) }, order.get(id));
}

function send(response: ServerResponse, status: number, value: unknown): void {
  const body = JSON.stringify(value);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
}

const server = createServer((request, response) => {
  answer(request).then(
    (value) => send(response, 200, value),
    (error) => send(response, 500, { error: String(error) }),
  );
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  print(typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : null);
});
process.stdin.resume().once('end', () => process.exit());
