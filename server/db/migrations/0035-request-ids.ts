/** Id of the request that caused a webhook or a mail; null: the server's own work caused it, or it is older than this column. */
export const statements = ['ALTER TABLE webhook_deliveries ADD COLUMN request_id TEXT', 'ALTER TABLE mails ADD COLUMN request_id TEXT'];
