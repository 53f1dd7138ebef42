import type { SchemaFile } from './schema-file.js'

/** A column with a comment above it that says what Prisma's schema has no word for. */
export interface Marked {
  readonly table: string
  readonly column: string
  /** The comment, as the pattern found it. */
  readonly mark: RegExpExecArray
}

/** The table's name in a model. */
export const tableMap: RegExp = /^\s*@@map\("([^"]+)"\)/m

/** The columns below comments `/// …` that `mark` matches. */
export function markedColumns(schema: readonly SchemaFile[], mark: RegExp): readonly Marked[] {
  const models = schema.flatMap(({ content }) => content.split(/^(?=model )/m))
  return models.flatMap((model) => {
    const [, table] = tableMap.exec(model) ?? []
    return table === undefined ? [] : markedIn(model, mark).map((each) => ({ ...each, table }))
  })
}

function markedIn(model: string, mark: RegExp): readonly Omit<Marked, 'table'>[] {
  const lines = model.split(/\r?\n/).map((line) => line.trim())
  return lines.flatMap((line, at) => {
    const found = line.startsWith('/// ') ? mark.exec(line.slice(4)) : null
    if (found === null) return []
    const field = lines.slice(at + 1).find((each) => !each.startsWith('///')) ?? ''
    const column = /@map\("([^"]+)"\)/.exec(field)?.[1] ?? /^\w+/.exec(field)?.[0]
    return column === undefined ? [] : [{ column, mark: found }]
  })
}

/** A comment with a mark below it. */
export const withMark = (description: string | undefined, mark: string): string =>
  description === undefined ? mark : `${description}\n${mark}`
