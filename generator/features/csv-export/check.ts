import { factOf } from '../../blueprint/fact.js'
import type { FeatureCheck } from '../../blueprint/feature.js'
import { isRecord, type Shape } from '../../blueprint/fields/shapes.js'

const exported: Shape = {
  says: 'true, false or an object with max, a whole number from 1 to 1,000,000, and bom, true or false',
  example: 'true',
  holds: (value) => typeof value === 'boolean' || isOptions(value),
}

const options: Readonly<Record<string, (value: unknown) => boolean>> = {
  max: (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 1_000_000,
  bom: (value) => typeof value === 'boolean',
}

const isOptions = (value: unknown): boolean =>
  isRecord(value) &&
  Object.entries(value).every(
    ([key, each]) => Object.hasOwn(options, key) && (each === undefined || options[key]?.(each)),
  )

const usualMax = 50_000

/** Lists as files. */
export const csvExportCheck: FeatureCheck = {
  repositoryOptions: { export: exported },
  facts: (_, { drafts }) => {
    const all = drafts.flatMap(({ key, definition: { export: said = false } }) => {
      if (said === false) return []
      const { max = usualMax, bom = false } = typeof said === 'object' ? said : {}
      return [[key, { max, bom }] as const]
    })
    return all.length === 0 ? undefined : Object.fromEntries(all)
  },
}

// A type, and no interface: it is JSON.
// oxlint-disable-next-line typescript/consistent-type-definitions
export type Exported = {
  readonly max: number
  readonly bom: boolean
}

/** Reads a repository's export from the blueprint; null: its lists are JSON only. */
export const exportFact = factOf<Exported>('csvExport')
