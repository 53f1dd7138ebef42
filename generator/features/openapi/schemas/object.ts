import type { Data } from '../facts.js'

export const objectOf = (properties: Data, required: readonly string[] = []): Data => ({
  type: 'object',
  properties,
  ...(required.length === 0 ? {} : { required: [...required] }),
})
