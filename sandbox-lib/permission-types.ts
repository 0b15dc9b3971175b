import type { functionPermissions } from '../contract/host-calls.ts';
import type { EndpointId, Endpoints } from '../contract/index.ts';
import type { TaskPermission } from '../contract/permissions.ts';
import type { Admin, files, http, llm, mail, notify, prompt, tasks } from './index.ts';

/** The type of `admin` for a task that declares these permissions: calls that the server would refuse do not compile. */
export type AdminWith<Declared extends TaskPermission> = {
  [Resource in keyof Admin]: {
    [Name in keyof Admin[Resource]]: Checked<Admin[Resource][Name], NeededBy<`${Resource}.${OperationOf<Name>}`>, Declared>;
  };
};

/** The types of `files`, `llm`, `http` and `tasks` for a task that declares these permissions. */
export type FilesWith<Declared extends TaskPermission> = LibraryWith<'files', typeof files, Declared>;
export type LlmWith<Declared extends TaskPermission> = LibraryWith<'llm', typeof llm, Declared>;
export type HttpWith<Declared extends TaskPermission> = LibraryWith<'http', typeof http, Declared>;
export type TasksWith<Declared extends TaskPermission> = LibraryWith<'tasks', typeof tasks, Declared>;
export type PromptWith<Declared extends TaskPermission> = Checked<typeof prompt, NeededByFunction<'prompt'>, Declared>;
export type NotifyWith<Declared extends TaskPermission> = Checked<typeof notify, NeededByFunction<'notify'>, Declared>;
export type MailWith<Declared extends TaskPermission> = Checked<typeof mail, NeededByFunction<'mail'>, Declared>;

type LibraryWith<Name extends string, Functions, Declared extends TaskPermission> = {
  [Function in keyof Functions]: Checked<Functions[Function], NeededByFunction<`${Name}.${Function & string}`>, Declared>;
};
/** `never`: the function needs no permission. */
type NeededByFunction<Name extends string> = Name extends keyof typeof functionPermissions ? (typeof functionPermissions)[Name] : never;

/** Replaces a call whose permission is not declared. The editor's error message shows this name and the permission. */
interface PermissionNotDeclared<Needed> {
  readonly missing_permission: Needed;
}
/** Replaces a call that is not open to tasks. */
interface ClosedToTasks<Id> {
  readonly closed_to_tasks: Id;
}

type Checked<Call, Needed, Declared> = [Needed] extends [TaskPermission]
  ? Holds<Declared, Needed> extends true
    ? Call
    : PermissionNotDeclared<Needed>
  : Needed;

/** The permission that an endpoint needs, by the same rule as the server's `checkPermission`; `never` where it needs none. */
type NeededBy<Id> = Id extends EndpointId
  ? Endpoints[Id] extends { ownRun: true }
    ? ClosedToTasks<Id>
    : OpenWith<Endpoints[Id] extends { taskPermission: infer P } ? P : Endpoints[Id]['permission'], Id>
  : never;
type OpenWith<P, Id> = P extends TaskPermission ? P : ClosedToTasks<Id>;

/** The same rule as `holds` of the contract: write implies read. */
type Holds<Declared, Needed> = Needed extends Declared
  ? true
  : Needed extends `${infer Resource}.read`
    ? `${Resource}.write` extends Declared
      ? true
      : false
    : false;

/** `each` calls `list` for each page. */
type OperationOf<Name> = Name extends 'each' ? 'list' : Name extends string ? Name : never;
