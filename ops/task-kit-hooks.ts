import { registerHooks } from 'node:module';

/** Loaded before the test of a task; makes the import of `backroom/testing` work in any folder. */

const kit = new URL('./task-kit.ts', import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'backroom/testing')
      return { url: kit, format: kit.endsWith('.ts') ? 'module-typescript' : 'module', shortCircuit: true };
    if (specifier !== 'backroom') return next(specifier, context);
    throw new Error("'backroom' exists only in the sandbox: a test imports from 'backroom/testing' and runs its task with shop.run()");
  },
});
