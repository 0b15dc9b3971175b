import { missingForTracing, missingPackages } from '../../tracing/packages.ts';
import type { ServerConfig } from '../config.ts';

/**
 * What only some shops use is not installed with the program (`peerDependencies` in package.json). Where it is configured and missing, one
 * line tells how to install it.
 */

/** The line about the first package that this configuration needs and that is missing; null where nothing is missing. */
export function missingFor({ stripe, filesS3, tracing }: Pick<ServerConfig, 'stripe' | 'filesS3' | 'tracing'>): string | null {
  if (stripe.secretKey !== undefined || stripe.webhookSecret !== undefined) return missingPackages('payments with Stripe', ['stripe']);
  if (filesS3 !== null) return missingPackages('files in S3', ['@aws-sdk/client-s3']);
  if (tracing !== null) return missingForTracing();
  return null;
}

/** Loads the package; where it is missing, throws what `refuse` makes of the line about it. */
export async function loadOptional<T>(
  { use, name, refuse }: { use: string; name: string; refuse: new (message: string) => Error },
  load: () => Promise<T>,
): Promise<T> {
  const line = missingPackages(use, [name]);
  if (line !== null) throw new refuse(line);
  return load();
}
