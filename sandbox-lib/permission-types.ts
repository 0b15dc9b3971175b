import type { EndpointId, Endpoints } from '../contract/index.ts';
import type { TaskPermission } from '../contract/permissions.ts';
import type { Admin, files, http, llm, mail, notify, prompt, tasks } from './index.ts';

/** The type of `admin` for a task that declares these permissions: calls that the server would refuse do not compile. */
export type AdminWith<Declared extends TaskPermission> = {
  [Resource in keyof Admin]: {
    [Name in keyof Admin[Resource]]: Checked<Admin[Resource][Name], NeededBy<`${Resource}.${OperationOf<Name>}`>, Declared>;
  };
};

/** The type of `files` for a task that declares these permissions; those of `llm`, `http`, `tasks`, `prompt`, `notify` and `mail` follow. */
export type FilesWith<Declared extends TaskPermission> = {
  [Name in keyof typeof files]: Checked<(typeof files)[Name], Name extends 'write' ? 'file_download' : 'file_upload', Declared>;
};
export type LlmWith<Declared extends TaskPermission> = { [Name in keyof typeof llm]: Checked<(typeof llm)[Name], 'llm', Declared> };
export type HttpWith<Declared extends TaskPermission> = {
  [Name in keyof typeof http]: Checked<(typeof http)[Name], 'http_request', Declared>;
};
export type TasksWith<Declared extends TaskPermission> = {
  [Name in keyof typeof tasks]: Checked<(typeof tasks)[Name], 'tasks_start', Declared>;
};
export type PromptWith<Declared extends TaskPermission> = Checked<typeof prompt, 'prompt_input', Declared>;
export type NotifyWith<Declared extends TaskPermission> = Checked<typeof notify, 'admin_api.notifications.write', Declared>;
export type MailWith<Declared extends TaskPermission> = Checked<typeof mail, 'mail_send', Declared>;

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
