import { provePrograms } from '../helpers/prove-programs.ts';

// Other programs, since each file draws a seed of its own: one file of all would be the longest of the suite by far.
provePrograms('postgres', 30);
