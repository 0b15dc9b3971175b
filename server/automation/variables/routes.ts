import { type Routes, read, write } from '../../verbs/route.ts';
import * as variables from './domain.ts';

export const variablesRoutes = {
  'task_variables.list': read(variables.listVariables),
  'task_variables.create': write(variables.createVariable),
  'task_variables.get': read((ctx, { params }) => variables.getVariable(ctx, params.id)),
  'task_variables.update': write(variables.updateVariable),
  'task_variables.delete': write((ctx, { params }) => variables.deleteVariable(ctx, params.id)),
  'task_variables.resolve': read(variables.resolveVariable),
} satisfies Partial<Routes>;
