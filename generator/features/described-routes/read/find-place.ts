import type { Data, Place } from '../../openapi/facts.js'

/**
 * Where a description stands: its operationId is a text of the developer's, or else its summary. One that is put together
 * on the way is in neither, and then it is somewhere from routes/api.ts on.
 */
export function findPlace(
  texts: ReadonlyMap<string, string>,
  { operationId, summary }: Data,
): Place {
  const describing = [...texts].filter(([, text]) => /\bdescribeRoute\b/.test(text))
  for (const [name, value] of Object.entries({ operationId, summary })) {
    if (typeof value !== 'string') continue
    for (const [file, text] of describing) {
      const at = [`'`, '"', '`'].flatMap((quote) => {
        const found = text.search(new RegExp(`${name}\\s*:\\s*${quote}${escaped(value)}${quote}`))
        return found === -1 ? [] : [found]
      })[0]
      if (at !== undefined) return placeAt(file, text, at)
    }
  }
  const [file = 'routes/api.ts', text = ''] = describing[0] ?? []
  return placeAt(file, text, Math.max(0, text.search(/\bdescribeRoute\(/)))
}

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

function placeAt(file: string, text: string, at: number): Place {
  const before = text.slice(0, at).split('\n')
  return { file, line: before.length, column: (before.at(-1) ?? '').length + 1 }
}
