import type { RecordName } from '../contract/endpoint.ts';
import type { Db } from './db/open.ts';

/** Row version of the record that a path points at; null: there is none, or it has another parent. */
export type FindVersion = (db: Db, params: Readonly<Record<string, string | number>>) => Promise<number | null>;

/** What a resource exports: how its records are found. */
export type RecordVersions = Partial<Record<RecordName, FindVersion>>;
