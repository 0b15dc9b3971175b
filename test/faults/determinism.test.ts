import { provePrograms } from '../helpers/random-programs.ts';

/** With those of determinism-postgres.test.ts 500. */
provePrograms('sqlite', 350);
