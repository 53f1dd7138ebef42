/** A part of a JSON document. */
export type Data = Readonly<Record<string, unknown>>

export const isData = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const dataIn = (value: unknown): Data => (isData(value) ? value : {})
export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const numberIn = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : undefined

export type Resolve = (data: Data) => Data

/** Resolves a reference of a document, with the members beside it. */
export function resolver(document: Data): Resolve {
  const resolve: Resolve = (data) => {
    const { $ref: ref, ...beside } = data
    if (typeof ref !== 'string') return data
    const keys = ref.slice(2).split('/')
    const found = keys.reduce<unknown>((at, key) => dataIn(at)[key], document)
    return { ...resolve(dataIn(found)), ...beside }
  }
  return resolve
}

/** One object of a schema that is made of several; patterns that a text has to match, each of them, stay in `allOf`. */
export function plain(schema: Data, resolve: Resolve): Data {
  const { allOf, ...rest } = resolve(schema)
  if (listIn(allOf).some((part) => 'pattern' in dataIn(part))) return { ...rest, allOf }
  const parts = listIn(allOf).map((part) => plain(dataIn(part), resolve))
  return parts.reduce<Data>(
    (whole, part) => ({
      ...whole,
      ...part,
      properties: { ...dataIn(whole['properties']), ...dataIn(part['properties']) },
      required: [...listIn(whole['required']), ...listIn(part['required'])],
    }),
    rest,
  )
}
