import type { Statement } from '../dialect.ts';

/** By which record what an order or a customer went through is found, newest first. */
export const statements: readonly Statement[] = [
  `ALTER TABLE audit_log ADD COLUMN order_id INTEGER`,
  `UPDATE audit_log SET order_id = (SELECT order_id FROM payments WHERE payments.id = audit_log.resource_id) WHERE resource_type = 'payment'`,
  `UPDATE audit_log SET order_id = (SELECT order_id FROM shipments WHERE shipments.id = audit_log.resource_id)
    WHERE resource_type = 'shipment'`,
  `DROP INDEX audit_log_by_customer`,
  `CREATE INDEX audit_log_by_customer ON audit_log (customer_id, id) WHERE customer_id IS NOT NULL`,
  `CREATE INDEX audit_log_by_order ON audit_log (order_id, id) WHERE order_id IS NOT NULL`,
  `ALTER TABLE mails ADD COLUMN customer_id INTEGER`,
  `UPDATE mails SET customer_id = CASE resource_type
      WHEN 'customer' THEN resource_id
      WHEN 'order' THEN (SELECT customer_id FROM orders WHERE orders.id = mails.resource_id)
      WHEN 'inquiry' THEN (SELECT customer_id FROM inquiries WHERE inquiries.id = mails.resource_id)
    END WHERE resource_id IS NOT NULL AND template NOT IN ('order_placed', 'inquiry_received')`,
  `DROP INDEX mails_by_resource`,
  `CREATE INDEX mails_by_resource ON mails (resource_type, resource_id, id) WHERE resource_id IS NOT NULL`,
  `CREATE INDEX mails_by_customer ON mails (customer_id, id) WHERE customer_id IS NOT NULL`,
  `CREATE INDEX payments_by_creation ON payments (order_id, id)`,
  `CREATE INDEX entitlements_of_customer ON entitlements (customer_id, id)`,
  `DROP INDEX inquiries_by_customer`,
  `CREATE INDEX inquiries_by_customer ON inquiries (customer_id, created_at, id)`,
];
