import { provePrograms } from '../helpers/prove-programs.ts';

provePrograms('postgres', 30);
