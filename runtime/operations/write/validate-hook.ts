import { sentence } from '../../input/messages.js'
import type { Access, Row } from '../../model/entity.js'
import { contextOf } from '../afterwards.js'

const none: ReadonlyMap<string, string[]> = new Map()

/**
 * What the hook `validate` finds wrong with a record as it would be, by field: `given` is what this
 * write changes, over the row as it is, and null as the row where the record is new.
 */
export async function hookErrors(
  access: Access,
  given: Row,
  before: Row | null,
): Promise<ReadonlyMap<string, string[]>> {
  const { hooks } = access.entity
  if (hooks?.validate === undefined) return none
  const values = Object.assign({}, before, given)
  const found = (await hooks.validate(contextOf(access), values, before && { ...before })) ?? {}
  const errors = new Map<string, string[]>()
  for (const [name, texts = []] of Object.entries(found)) {
    if (texts.length === 0) continue
    errors.set(
      name,
      texts.map((text) => sentence(name, text, access.entity.key)),
    )
  }
  return errors
}
