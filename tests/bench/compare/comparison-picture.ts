import { contestants } from './contestants.js'
import { workTitles, shownItems } from './names.js'
import type { Comparison } from './results.js'
import { bars, label, picture } from './svg.js'

const step = 22
const left = 214
const columnWidth = 156

/** CPU of the server per request: a row for each contestant, a column for each work item. */
export function comparisonPicture({ databases }: Comparison): string {
  const parts: string[] = []
  let top = 24
  for (const { version, contestants: measured } of databases) {
    const rows = contestants.flatMap(({ name, title }) => {
      const found = measured.find((each) => each.name === name)
      return found?.work === undefined ? [] : [{ name, title, work: found.work }]
    })
    parts.push(label(10, top, version, 'head'))
    shownItems.forEach((item, column) => {
      const x = left + column * columnWidth
      parts.push(label(x, top, workTitles[item], 'quiet'))
      const each = rows.map(({ name, work }) => ({
        value: work[item]?.cpu,
        isOwn: name === 'svc',
      }))
      parts.push(...bars({ x, y: top + 12, width: columnWidth, step }, each))
    })
    rows.forEach(({ name, title }, row) =>
      parts.push(label(10, top + 24 + row * step, title, name === 'svc' ? 'head' : '')),
    )
    top += rows.length * step + 44
  }
  const title = 'CPU of the server per request, by contestant and work item; shorter is cheaper'
  return picture(title, left + shownItems.length * columnWidth, top - 20, parts)
}
