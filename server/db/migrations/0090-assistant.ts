/** The assistant of the console. */
export { assistant as statements } from '../schema/assistant.ts';
