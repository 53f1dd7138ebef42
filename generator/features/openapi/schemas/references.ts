/** How one part of the document speaks of another. */
export const schema = (name: string) => ({ $ref: `#/components/schemas/${name}` })
export const response = (name: string) => ({ $ref: `#/components/responses/${name}` })
export const parameter = (name: string) => ({ $ref: `#/components/parameters/${name}` })
