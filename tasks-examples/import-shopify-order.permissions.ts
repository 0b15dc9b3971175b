// Made from the permissions in the task's .task.json, and written anew by `backroom task push` and `pull`.
import type { AdminWith, FilesWith, HttpWith, LlmWith, MailWith, NotifyWith, PromptWith, TasksWith } from 'backroom';

type Declared =
  | "admin_api.orders.write"
  | "admin_api.products.read";

export type Admin = AdminWith<Declared>;
export type Files = FilesWith<Declared>;
export type Llm = LlmWith<Declared>;
export type Http = HttpWith<Declared>;
export type Tasks = TasksWith<Declared>;
export type Prompt = PromptWith<Declared>;
export type Notify = NotifyWith<Declared>;
export type Mail = MailWith<Declared>;
