import type { EndpointId, Endpoints } from '../contract/index.ts';
import type { TaskPermission } from '../contract/permissions.ts';
import type { Admin, files, llm, prompt } from './index.ts';

/** `admin` for a task that declares these permissions: what the server would refuse cannot be called. */
export type AdminWith<Declared extends TaskPermission> = {
  [Resource in keyof Admin]: {
    [Name in keyof Admin[Resource]]: Checked<Admin[Resource][Name], NeededBy<`${Resource}.${OperationOf<Name>}`>, Declared>;
  };
};

/** `files`, `llm` and `prompt` likewise. */
export type FilesWith<Declared extends TaskPermission> = {
  [Name in keyof typeof files]: Checked<(typeof files)[Name], Name extends 'write' ? 'file_download' : 'file_upload', Declared>;
};
export type LlmWith<Declared extends TaskPermission> = { [Name in keyof typeof llm]: Checked<(typeof llm)[Name], 'llm', Declared> };
export type PromptWith<Declared extends TaskPermission> = Checked<typeof prompt, 'prompt_input', Declared>;

/** What stands in the place of a call; its name and what it lacks are the message of the editor. */
interface PermissionNotDeclared<Needed> {
  readonly missing_permission: Needed;
}
interface ClosedToTasks<Id> {
  readonly closed_to_tasks: Id;
}

type Checked<Call, Needed, Declared> = [Needed] extends [TaskPermission]
  ? Holds<Declared, Needed> extends true
    ? Call
    : PermissionNotDeclared<Needed>
  : Needed;

/** As the server finds it (`checkPermission`): never where a call needs none. */
type NeededBy<Id> = Id extends EndpointId
  ? Endpoints[Id] extends { ownRun: true }
    ? ClosedToTasks<Id>
    : OpenWith<Endpoints[Id] extends { taskPermission: infer P } ? P : Endpoints[Id]['permission'], Id>
  : never;
type OpenWith<P, Id> = P extends TaskPermission ? P : ClosedToTasks<Id>;

/** As `holds` of the contract: write implies read. */
type Holds<Declared, Needed> = Needed extends Declared
  ? true
  : Needed extends `${infer Resource}.read`
    ? `${Resource}.write` extends Declared
      ? true
      : false
    : false;

/** `each` walks the pages of `list`. */
type OperationOf<Name> = Name extends 'each' ? 'list' : Name extends string ? Name : never;
