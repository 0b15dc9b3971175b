import type { RecordName } from '../../contract/index.ts';
import type { Db } from '../db/open.ts';
import type { Actor, Ctx } from './context.ts';

type Params = Readonly<Record<string, string | number>>;

/**
 * Finds the row version of the record that a path names; null if there is none, if it has another parent, or if it is private to others than
 * the actor. A text without dots is used if one record can replace another at the same path, because a number alone could then come again.
 */
export type FindVersion = (db: Db, params: Params, actor: Actor) => Promise<number | string | null>;

/**
 * Finds what a record shows of other records or of the time. The row version does not count it; its digest follows a dot in the ETag
 * (spec ET4). undefined: there is nothing at present, or a write must not wait for it.
 */
export type FindDerived = (ctx: Ctx, params: Params, answers: Answered) => Promise<unknown>;

/** Whether the ETag goes with the answer to a read or to a write. */
export type Answered = 'read' | 'write';

export type VersionedRecord = { version: FindVersion; derived: FindDerived };

/** What a resource exports: how the versions of its records are found. */
export type RecordVersions = Partial<Record<RecordName, FindVersion | VersionedRecord>>;

/** All finders, for code that knows the kind of record only at run time. */
export type RecordFinders = Readonly<Record<string, FindVersion | VersionedRecord>>;
