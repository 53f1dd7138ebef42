/** Refers to another part of the document. */
export const schema = (name: string) => ({ $ref: `#/components/schemas/${name}` })
export const response = (name: string) => ({ $ref: `#/components/responses/${name}` })
export const parameter = (name: string) => ({ $ref: `#/components/parameters/${name}` })
