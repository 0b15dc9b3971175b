import type { DirectHandlers, Handlers } from '../../http/handlers.ts';
import type { Services } from '../../services.ts';
import { claimWhenOpen, runnerStatus } from './domain.ts';

export const runnerRoutes: Handlers = { 'runner.status': runnerStatus };

export function runnerDirect(services: Services): DirectHandlers {
  return { 'runner.claim': claimWhenOpen(services) };
}
