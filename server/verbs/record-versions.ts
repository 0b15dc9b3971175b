import type { RecordName } from '../../contract/index.ts';
import type { Db } from '../db/open.ts';
import type { Ctx } from './context.ts';

type Params = Readonly<Record<string, string | number>>;

/**
 * Row version of the record that a path points at; null: there is none, or it has another parent. A text, without dots, where
 * one record may take another's place at the same path, so that a number alone would come again.
 */
export type FindVersion = (db: Db, params: Params) => Promise<number | string | null>;

/**
 * What a record shows of other records or of the time. No row version counts it; its ETag tells it behind a dot (decisions.md
 * §2, Concurrency). undefined: nothing at present, or more than a write may be held up by.
 */
export type FindDerived = (ctx: Ctx, params: Params, answers: Answered) => Promise<unknown>;

/** What the ETag goes with. */
export type Answered = 'read' | 'write';

export type VersionedRecord = { version: FindVersion; derived: FindDerived };

/** What a resource exports: how its records are found. */
export type RecordVersions = Partial<Record<RecordName, FindVersion | VersionedRecord>>;

/** All of them, where the kind of record is known at run time alone. */
export type RecordFinders = Readonly<Record<string, FindVersion | VersionedRecord>>;
