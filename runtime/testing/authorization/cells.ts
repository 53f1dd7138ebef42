import type { Outcome, Trial } from './outcome.js'

/** `yes`, `no (403)`, or which rows; as the head of the matrix explains. */
export function cellOf(trials: readonly Trial[], isList: boolean): string {
  const may = trials.filter(({ outcome }) => outcome.is === 'allowed')
  if (may.length === trials.length) return isList ? 'all' : 'yes'
  const denied = byStatus(trials)
  if (may.length === 0 && denied.length === 1) {
    const status = denied[0]?.[0] ?? ''
    return status === 'hidden' ? 'none' : `no (${status})`
  }
  const names = namesOf(may, trials)
  if (denied.length === 1) {
    const status = denied[0]?.[0] ?? ''
    return status === 'hidden' ? names : `${names}; else ${status}`
  }
  const rest = denied.map(([status, some]) => `${status}: ${namesOf(some, trials)}`).join('; ')
  return may.length === 0 ? `no (${rest})` : `${names}; ${rest}`
}

function byStatus(trials: readonly Trial[]): readonly (readonly [string, readonly Trial[]])[] {
  const groups = new Map<string, Trial[]>()
  for (const trial of trials) {
    const status = statusOf(trial.outcome)
    if (status !== null) groups.set(status, [...(groups.get(status) ?? []), trial])
  }
  return [...groups].toSorted(([one], [two]) => (one < two ? -1 : 1))
}

/** Null: allowed. An answer that no policy gave says its status, too. */
function statusOf(outcome: Outcome): string | null {
  if (outcome.is === 'allowed') return null
  if (outcome.is === 'denied') return outcome.as
  return /^\d{3}(?= |$)/.exec(outcome.why)?.[0] ?? 'undecided'
}

const namesOf = (some: readonly Trial[], all: readonly Trial[]) =>
  [...new Set(some.map((trial) => nameOf(trial, some, all)))].join(', ')

/** Names a pair: both names, or a star where it makes no difference which one it is. */
function nameOf({ row }: Trial, some: readonly Trial[], all: readonly Trial[]): string {
  const [first = '', second] = row
  if (second === undefined) return first
  const kinds = (at: number) => new Set(all.map((trial) => trial.row[at])).size
  if (kinds(1) === 1) return first
  if (kinds(0) === 1) return second
  const isEach = (at: number) => {
    const like = (trial: Trial) => trial.row[at] === row[at]
    return some.filter(like).length === all.filter(like).length
  }
  if (isEach(0)) return `${first}/*`
  return isEach(1) ? `*/${second}` : `${first}/${second}`
}

export interface Section {
  readonly title: string
  readonly lines: readonly { readonly label: string; readonly cells: readonly string[] }[]
}

const head = `# Who may do what

Written by \`npm test\`: every role of [roles.ts](roles.ts) tried every route. Read a change like
code; \`npx vitest run tests/authorization.test.ts -u\` accepts it.

- \`yes\`: allowed, for every row. \`no (403)\`: for none, and that is the status. A 409 is a yes:
  the policy agreed before the database said no.
- \`own; else 404\`: allowed for the rows called so, 404 for all others.
- Of a list: \`all\`, \`none\`, or the rows that are in it.
- \`own/other\`: a row, and one related to it. \`own/*\`: with any of them. \`*/own\`: that one,
  whatever it is related to.
- \`GET … with title\`: whether this field was shown, or written; \`ignored\`: it was left out.
- A new record is called after the rows its required fields name. \`422 post_id\`: a policy
  hides what the field names.`

/** No column is padded, so that a cell that changes is the only line of a diff. */
export function markdownOf(roles: readonly string[], sections: readonly Section[]): string {
  const tables = sections.map(({ title, lines }) => {
    const rows = lines.map(({ label, cells }) => rowOf([label, ...cells]))
    const top = [rowOf(['', ...roles]), rowOf(['', ...roles].map(() => '---'))]
    return [`## ${title}`, '', ...top, ...rows].join('\n')
  })
  return `${[head, ...tables].join('\n\n')}\n`
}

const rowOf = (cells: readonly string[]) =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
