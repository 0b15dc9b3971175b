import type { Generated } from 'kysely';

/** Files and the records that use them, in the form that tables.ts describes. The bytes are in the file store under `storage_key`. */

export type FileTables = {
  stored_objects: StoredObjectsTable;
  storage_use: StorageUseTable;
  media: MediaTable;
  files: FilesTable;
  product_media: ProductMediaTable;
  product_files: ProductFilesTable;
  downloads: DownloadsTable;
};

/** Every file in the file store that a row of another table uses; any other file there is an orphan. */
type StoredObjectsTable = {
  key: string;
  size_bytes: number;
  /** 1: the file counts towards the shop's storage cap. */
  counts: number;
  created_at: string;
};

/** The table has exactly one row. */
type StorageUseTable = {
  id: number;
  /**
   * Prefix of every storage key that this database creates; files with other keys in the same folder belong to others. '': not chosen yet.
   */
  key_prefix: string;
  /** Bytes that count towards the storage cap. */
  used_bytes: number;
};

type MediaTable = {
  id: Generated<number>;
  filename: string;
  filename_folded: string;
  content_type: string;
  size_bytes: number;
  width: number;
  height: number;
  alt: string;
  alt_folded: string;
  storage_key: string;
  created_at: string;
  row_version: Generated<number>;
};

type FilesTable = {
  id: Generated<number>;
  original_filename: string;
  original_filename_folded: string;
  file_size: number;
  content_type: string;
  storage_key: string;
  created_at: string;
  /** The admin who uploaded the file; null: a run did, or it is not known. */
  uploaded_by: Generated<number | null>;
  row_version: Generated<number>;
};

type ProductMediaTable = { product_id: number; media_id: number; position: number };

type ProductFilesTable = { product_id: number; file_id: number; position: number };

/** The right of an order's customer to download one file for one order line. */
type DownloadsTable = {
  id: Generated<number>;
  /** Stored in clear, because admins can see the link of an order at any time. */
  token: string;
  order_id: number;
  order_item_id: number;
  product_id: number;
  file_id: number;
  expires_at: string | null;
  /** Downloads left; null: no limit. */
  remaining: number | null;
  /** Set while the order is cancelled. */
  revoked_at: string | null;
  created_at: string;
};
