import type { Generated } from 'kysely';

/** Files and what hangs on them; written as tables.ts says. The bytes are in the file store under `storage_key`. */

export type FileTables = {
  stored_objects: StoredObjectsTable;
  storage_use: StorageUseTable;
  media: MediaTable;
  files: FilesTable;
  product_media: ProductMediaTable;
  product_files: ProductFilesTable;
  downloads: DownloadsTable;
};

/** What the file store holds for a row of another table; anything else in there is an orphan. */
type StoredObjectsTable = {
  key: string;
  size_bytes: number;
  /** 1: towards the shop's storage cap. */
  counts: number;
  created_at: string;
};

/** One row. */
type StorageUseTable = {
  id: number;
  /** Of every key that this database gives out: what else is in a folder of files is not its own. '': not chosen yet. */
  key_prefix: string;
  /** Bytes that count towards the cap. */
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
  /** The admin who did; null: a run, or it is not known. */
  uploaded_by: Generated<number | null>;
  row_version: Generated<number>;
};

type ProductMediaTable = { product_id: number; media_id: number; position: number };

type ProductFilesTable = { product_id: number; file_id: number; position: number };

/** The right of an order's customer to fetch one file of one line. */
type DownloadsTable = {
  id: Generated<number>;
  /** As it stands in the link: the order shows it to admins again and again. */
  token: string;
  order_id: number;
  order_item_id: number;
  product_id: number;
  file_id: number;
  expires_at: string | null;
  /** Fetches left; null: no limit. */
  remaining: number | null;
  /** Set while the order is cancelled. */
  revoked_at: string | null;
  created_at: string;
};
