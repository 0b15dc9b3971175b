import type { ServerConfig } from '../config.ts';

/**
 * What only some shops use is not installed with the program (`peerDependencies` in package.json). Where it is configured and missing, one
 * line tells how to install it.
 */

const TRACING = ['api', 'exporter-trace-otlp-http', 'resources', 'sdk-trace', 'semantic-conventions'].map(
  (name) => `@opentelemetry/${name}`,
);

/** The line about the first package that this configuration needs and that is missing; null where nothing is missing. */
export function missingFor({ stripe, filesS3, tracing }: Pick<ServerConfig, 'stripe' | 'filesS3' | 'tracing'>): string | null {
  if (stripe.secretKey !== undefined || stripe.webhookSecret !== undefined) return missing('payments with Stripe', ['stripe']);
  if (filesS3 !== null) return missing('files in S3', ['@aws-sdk/client-s3']);
  if (tracing !== null) return missing('tracing', TRACING);
  return null;
}

/** Loads the package; where it is missing, throws what `refuse` makes of the line about it. */
export async function loadOptional<T>(
  { use, name, refuse }: { use: string; name: string; refuse: new (message: string) => Error },
  load: () => Promise<T>,
): Promise<T> {
  const line = missing(use, [name]);
  if (line !== null) throw new refuse(line);
  return load();
}

function missing(use: string, names: readonly string[]): string | null {
  const lacking = names.filter((name) => !isInstalled(name));
  if (lacking.length === 0) return null;
  const [what, verb] = lacking.length === 1 ? ['package', 'is'] : ['packages', 'are'];
  return `for ${use} the ${what} ${lacking.join(' ')} ${verb} needed and not installed: npm install ${lacking.join(' ')}`;
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}
