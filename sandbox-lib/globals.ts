/** Declares the names of index.ts as globals. In index.ts itself the global declarations would conflict with its exports. */

type Names = typeof import('./index.ts');

declare global {
  const parameters: Names['parameters'];
  const last_checkpoint: Names['last_checkpoint'];
  const shop: Names['shop'];
  const admin_api: Names['admin_api'];
  const admin: Names['admin'];
  const AdminApiError: Names['AdminApiError'];
  const PermissionError: Names['PermissionError'];
  const RetryAfter: Names['RetryAfter'];
  const log: Names['log'];
  const progress: Names['progress'];
  const result: Names['result'];
  const checkpoint: Names['checkpoint'];
  const once: Names['once'];
  const sleep: Names['sleep'];
  const files: Names['files'];
  const prompt: Names['prompt'];
  const llm: Names['llm'];
  const notify: Names['notify'];
  const mail: Names['mail'];
  const state: Names['state'];
  const secret: Names['secret'];
  const variables: Names['variables'];
  const http: Names['http'];
  const tasks: Names['tasks'];
}

export {};
