/** The calls of the kinds; `library-page.tsx` makes their queries. */
export { api as calls } from '../../api/client.ts';
