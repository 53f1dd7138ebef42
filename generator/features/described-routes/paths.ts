/** The descriptions of `describeRoute` in the developer's routes, as svc read them last. */
export const describedPath = 'app/OpenApi/described.json'
