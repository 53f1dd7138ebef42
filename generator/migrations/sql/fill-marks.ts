import { anyMarkedName, markedName, unmarked } from './mark-names.js'

/** A script's comment about a column that it filled. */
export interface FillMark {
  readonly table: string
  readonly column: string
  /** `<table>.<column>`, as it was called when it was filled and since, newest first. */
  readonly formerly: readonly string[]
  /** JSON. */
  readonly value: string
}

const mark = new RegExp(`^-- Fill: ${anyMarkedName}(?: \\(was (.*?)\\))? = (.*)$`, 'gm')

export const markText = ({ table, column, formerly, value }: FillMark) =>
  `-- Fill: ${markedName(table, column)}${formerly.length === 0 ? '' : ` (was ${formerly.join(', ')})`} = ${value}\n`

export const readFillMarks = (sql: string): readonly FillMark[] =>
  [...sql.matchAll(mark)].map(([, table = '', column = '', was, value = '']) => {
    const formerly = was?.split(', ') ?? []
    return { table: unmarked(table), column: unmarked(column), formerly, value }
  })
