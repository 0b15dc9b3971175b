// Made from the permissions in the task's .task.json, and written anew by `backroom task push` and `pull`.
import type { ScriptWith } from 'backroom';

type Declared =
  | "admin_api.vouchers.write";

export type Script = ScriptWith<Declared>;
