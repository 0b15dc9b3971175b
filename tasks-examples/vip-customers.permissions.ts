// Made from the permissions in the task's .task.json, and written anew by `backroom task push` and `pull`.
import type { ScriptWith } from 'backroom';

type Declared =
  | "admin_api.orders.read"
  | "admin_api.access_groups.write";

export type Script = ScriptWith<Declared>;
