import { registerHooks } from 'node:module';

/** Loaded before the test of a task: gives it `backroom/testing`, wherever its folder lies. */

const kit = new URL('./task-kit.ts', import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'backroom/testing') return { url: kit, format: 'module-typescript', shortCircuit: true };
    if (specifier !== 'backroom') return next(specifier, context);
    throw new Error("'backroom' is there in the sandbox alone: a test imports from 'backroom/testing', and runs its task by shop.run()");
  },
});
