const NEEDED = ['api', 'exporter-trace-otlp-http', 'resources', 'sdk-trace', 'semantic-conventions'].map(
  (name) => `@opentelemetry/${name}`,
);

/** One line about packages that are needed for something and not installed; null where all are there. */
export function missingPackages(use: string, names: readonly string[]): string | null {
  const lacking = names.filter((name) => !isInstalled(name));
  if (lacking.length === 0) return null;
  const [what, verb] = lacking.length === 1 ? ['package', 'is'] : ['packages', 'are'];
  return `for ${use} the ${what} ${lacking.join(' ')} ${verb} needed and not installed: npm install ${lacking.join(' ')}`;
}

/** The same of what tracing needs. */
export function missingForTracing(): string | null {
  return missingPackages('tracing', NEEDED);
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}
