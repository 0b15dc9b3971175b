import { provePrograms } from '../helpers/prove-programs.ts';

provePrograms('sqlite', 150);
