/**
 * For finding products and variants by SKU or label. The texts that are there already are folded in their ASCII letters; others are folded
 * when they are next written. The indexes contain all that a search compares.
 */
export const statements: readonly string[] = [
  `ALTER TABLE variants ADD COLUMN sku_folded TEXT NOT NULL DEFAULT ''`,
  `ALTER TABLE variants ADD COLUMN label_folded TEXT NOT NULL DEFAULT ''`,
  `UPDATE variants SET sku_folded = upper(sku), label_folded = upper(label)`,
  `CREATE INDEX variants_by_sku ON variants (sku_folded, id)`,
  `DROP INDEX variants_by_product`,
  `CREATE INDEX variants_by_product ON variants (product_id, position, id, active, sku_folded, label_folded)`,
  `DROP INDEX products_by_name`,
  `CREATE INDEX products_by_name ON products (name_folded, id, status)`,
];
