/** `client.ts` and what comes with it are the same for every manifest. */
export interface ClientView {}

export const clientView: ClientView = {}
