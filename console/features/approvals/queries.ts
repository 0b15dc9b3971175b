import { api } from '../../api/client.ts';

export const applyChange = api.policy_changes.apply;
export const declineChange = api.policy_changes.decline;
