import type { EndpointId, Endpoints } from '../contract/index.ts';
import type { TaskPermission } from '../contract/permissions.ts';
import type { ScriptLibrary, ScriptName } from '../contract/script-library.ts';
import type { Admin } from './admin-types.ts';

type Library = typeof import('./index.ts');

/** The types of the library's names for a task that declares these permissions: calls that the server would refuse do not compile. */
export type ScriptWith<Declared extends TaskPermission> = {
  [Name in ScriptName]: Name extends 'admin' ? AdminWith<Declared> : Narrowed<Library[Name], ScriptLibrary[Name], Declared>;
};

type Narrowed<Value, Needs, Declared> = Needs extends null
  ? Value
  : Needs extends string
    ? Checked<Value, Needs, Declared>
    : { [Name in keyof Value]: Name extends keyof Needs ? Checked<Value[Name], Needs[Name], Declared> : Value[Name] };

type AdminWith<Declared extends TaskPermission> = {
  [Resource in keyof Admin]: {
    [Name in keyof Admin[Resource]]: Checked<Admin[Resource][Name], NeededBy<`${Resource}.${OperationOf<Name>}`>, Declared>;
  };
};

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
