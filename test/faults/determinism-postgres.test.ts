import { provePrograms } from '../helpers/random-programs.ts';

provePrograms('postgres', 150);
