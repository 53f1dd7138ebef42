import { colors } from './lines.js'
import { harmless } from './shown-value.js'
import type { Who } from './who.js'

/** Lists who may, for people: guests first, then users by what decided. */
export function whoLines(who: Who, isColored = false): readonly string[] {
  const paint = colors(isColored)
  const { repository, operation, isNot, role, asked, count, groups, guest } = who
  const id = harmless(`${repository}/${who.id}`)
  if (!who.isThere) return [`There is no ${id}.`]
  const may = isNot ? 'may not' : 'may'
  const among = role === null ? '' : ` with the role '${harmless(role)}'`
  const partial = who.isPartial ? ' asked before it was stopped' : ''
  const does = operation === 'show' ? 'see' : operation
  const numbers = groups.map(({ count: each }) => each.toLocaleString('en'))
  const width = Math.max(0, ...numbers.map((each) => each.length))
  const lines = groups.map(({ because, users, count: each }, at) => {
    const names = users.map(({ id: key, name }) => `${name} (${key})`).join(', ')
    const more = each > users.length ? ', …' : ''
    return `  ${(numbers[at] ?? '').padStart(width)}  ${because}\n  ${' '.repeat(width)}    ${paint.grey(names + more)}`
  })
  const total = `${count.toLocaleString('en')} of ${asked.toLocaleString('en')}`
  return [
    `${paint.bold(total)} users${among}${partial} ${may} ${does} ${id}. A guest ${guest === 'yes' ? 'may' : 'may not'}.`,
    ...(lines.length === 0 ? [] : ['', ...lines.flatMap((line) => line.split('\n'))]),
  ]
}
