import { studly } from '../../blueprint/names/names.js'
import type { Entity } from '../../blueprint/types.js'
import type { FreeName } from './names.js'

/** A morphTo in the schema: a union of the types it may be of. */
export interface Union {
  /** URI key of the repository it belongs to, and the key of its entry there. */
  readonly of: string
  readonly key: string
  readonly name: string
  readonly types: readonly string[]
}

/** `NoteSubject`, or where a type is called that, `NoteSubjectRecord`. */
export function unionsOf(
  entities: readonly Entity[],
  names: ReadonlyMap<string, string>,
  free: FreeName,
): readonly Union[] {
  return entities.flatMap(({ key: of, morphs = [] }) => {
    const type = names.get(of)
    return morphs.flatMap(({ key, targets }): readonly Union[] => {
      const types = targets.flatMap((each) => names.get(each) ?? [])
      if (type === undefined || types.length === 0) return []
      return [{ of, key, name: free(`${type}${studly(key)}`), types }]
    })
  })
}
