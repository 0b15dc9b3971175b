import { type Routes, read, write } from '../../verbs/route.ts';
import * as secrets from './domain.ts';

export const secretsRoutes = {
  'task_secrets.list': read(secrets.listSecrets),
  'task_secrets.create': write(secrets.createSecret),
  'task_secrets.get': read((ctx, { params }) => secrets.getSecret(ctx, params.id)),
  'task_secrets.update': write(secrets.updateSecret),
  'task_secrets.delete': write((ctx, { params }) => secrets.deleteSecret(ctx, params.id)),
} satisfies Partial<Routes>;
