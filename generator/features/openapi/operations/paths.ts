export const documentPath = 'app/OpenApi/openapi.json'
/** The developer's additions to it. */
export const ownPath = 'app/OpenApi/own.json'
