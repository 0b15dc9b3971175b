import type { Statement } from '../dialect.ts';

/** Images, digital files, their use by products, and the download links of orders. The bytes are in the file store. */
export const files: readonly Statement[] = [
  `CREATE TABLE stored_objects (
    key TEXT PRIMARY KEY,
    size_bytes INTEGER NOT NULL,
    counts INTEGER NOT NULL,
    created_at TEXT NOT NULL
  ) STRICT`,
  `CREATE TABLE storage_use (
    id INTEGER PRIMARY KEY,
    key_prefix TEXT NOT NULL,
    used_bytes INTEGER NOT NULL CHECK (used_bytes >= 0)
  ) STRICT`,
  `INSERT INTO storage_use (id, key_prefix, used_bytes) VALUES (1, '', 0)`,
  `CREATE TABLE media (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    filename TEXT NOT NULL,
    filename_folded TEXT NOT NULL,
    content_type TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    alt TEXT NOT NULL,
    alt_folded TEXT NOT NULL,
    storage_key TEXT NOT NULL UNIQUE REFERENCES stored_objects (key),
    created_at TEXT NOT NULL,
    row_version INTEGER NOT NULL DEFAULT 1
  ) STRICT`,
  `CREATE INDEX media_by_created ON media (created_at, id)`,
  `CREATE TABLE files (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    original_filename TEXT NOT NULL,
    original_filename_folded TEXT NOT NULL,
    file_size INTEGER NOT NULL,
    content_type TEXT NOT NULL,
    storage_key TEXT NOT NULL UNIQUE REFERENCES stored_objects (key),
    created_at TEXT NOT NULL,
    row_version INTEGER NOT NULL DEFAULT 1,
    uploaded_by INTEGER
  ) STRICT`,
  `CREATE INDEX files_by_created ON files (created_at, id)`,
  `CREATE TABLE product_media (
    product_id INTEGER NOT NULL REFERENCES products (id) ON DELETE CASCADE,
    media_id INTEGER NOT NULL REFERENCES media (id),
    position INTEGER NOT NULL,
    PRIMARY KEY (product_id, media_id)
  ) STRICT`,
  `CREATE INDEX product_media_by_media ON product_media (media_id, product_id)`,
  `CREATE TABLE product_files (
    product_id INTEGER NOT NULL REFERENCES products (id) ON DELETE CASCADE,
    file_id INTEGER NOT NULL REFERENCES files (id),
    position INTEGER NOT NULL,
    PRIMARY KEY (product_id, file_id)
  ) STRICT`,
  `CREATE INDEX product_files_by_file ON product_files (file_id, product_id)`,
  `CREATE TABLE downloads (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    token TEXT NOT NULL UNIQUE,
    order_id INTEGER NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    order_item_id INTEGER NOT NULL REFERENCES order_items (id) ON DELETE CASCADE,
    product_id INTEGER NOT NULL,
    file_id INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    expires_at TEXT,
    remaining INTEGER CHECK (remaining >= 0),
    revoked_at TEXT,
    created_at TEXT NOT NULL,
    UNIQUE (order_item_id, file_id)
  ) STRICT`,
  `CREATE INDEX downloads_by_order ON downloads (order_id, id)`,
  `CREATE INDEX downloads_by_file ON downloads (file_id)`,
];
