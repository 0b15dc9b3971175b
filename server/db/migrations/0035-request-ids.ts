/** Which request a webhook or a mail comes of; null: none, the server's own work, or it was made before this was kept. */
export const statements = ['ALTER TABLE webhook_deliveries ADD COLUMN request_id TEXT', 'ALTER TABLE mails ADD COLUMN request_id TEXT'];
