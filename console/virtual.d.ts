declare module 'virtual:operations' {
  import type { Operation } from '../contract/calls.ts';

  const operations: Operation[];
  export default operations;
}
