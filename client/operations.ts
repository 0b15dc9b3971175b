import { operationTable } from '../contract/client.ts';

/** The table of the contract; in the package it stands here as data, so that the client loads no schema. */
export const operations = operationTable();
