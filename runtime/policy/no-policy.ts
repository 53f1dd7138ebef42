/**
 * Stands in for a policy file that was deleted: the server denies whatever a policy has no method
 * for, so everyone is denied everything. `never`, so that it fits the policy of any model.
 */
export const noPolicy = {} as never
