/** What `describeRoute` says in the routes of the developer, as svc read it last. */
export const describedPath = 'app/OpenApi/described.json'
