import type { Api } from './api.js'
import type { Data } from './facts.js'
import { objectOf } from './schemas/object.js'

/** With `strict_bodies`, a body holds nothing that is not told. */
export const isStrict = ({ project }: Api): boolean => project.hasStrictBodies !== false

/** The schema of a body. */
export const bodyObject = (api: Api, properties: Data, required: readonly string[] = []): Data => ({
  ...objectOf(properties, required),
  ...(isStrict(api) ? { additionalProperties: false } : {}),
})
