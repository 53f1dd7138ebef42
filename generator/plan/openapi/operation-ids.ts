/** Ids of operations, each once. */
export interface Ids {
  readonly free: (wanted: string) => string
  readonly isNumbered: () => boolean
}

/** Two keys may differ only in how they are written. */
export function idsOf(): Ids {
  const taken = new Set<string>()
  let isNumbered = false
  const free = (wanted: string) => {
    let id = wanted
    for (let number = 2; taken.has(id); number += 1) id = `${wanted}${number}`
    isNumbered ||= id !== wanted
    taken.add(id)
    return id
  }
  return { free, isNumbered: () => isNumbered }
}

const start = '{"operationId":"'

/** Of the operations of a path. */
export function idsIn(text: string): readonly string[] {
  return text
    .split(start)
    .slice(1)
    .map((rest) => rest.slice(0, rest.indexOf('"')))
}
