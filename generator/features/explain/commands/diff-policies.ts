import { targetAt } from '../../../write/target.js'
import { type Compared, type Difference, questionCodes } from './answers.js'
import { askProject } from './ask-project.js'
import { orCannot, told, type Told } from './ask-why.js'
import { filesAtRef } from './ref-files.js'

interface DiffLine {
  readonly ref: string
  /** Ids, e-mails and `role=staff`; empty: those of tests/roles.ts. */
  readonly users: readonly string[]
  /** Fail where somebody gains what no line of `allow` names. */
  readonly isChecking: boolean
  /** `orders.update`, `orders.canSee.note`. */
  readonly allow: readonly string[]
  readonly isMarkdown: boolean
  readonly isColored: boolean
}

/** `svc policies diff`: the policies of a ref and those here, on the rows of the database here. */
export function diffPolicies(root: string, line: DiffLine): Promise<Told> {
  return orCannot(async () => {
    const before = await filesAtRef(targetAt(root).root, line.ref)
    const { users, isMarkdown, isColored } = line
    const asked = { users, isMarkdown, isColored }
    const found = await askProject(
      root,
      (ask) => ask('diff', asked),
      { environment: readOnly },
      { compared: { before, isOfRoles: users.length === 0 } },
    )
    const { lines, json } = told(found)
    // The process answers what it was asked by name.
    const { differences, problems } = json as Compared
    const opened = openedBy(differences, line.allow)
    const isOpen = line.isChecking && opened.length > 0
    const said = isOpen ? ['', `Nothing of --allow names ${opened.join(', ')}.`] : []
    // A policy that was not compared may be open, too.
    const exitCode = isOpen ? 1 : problems.length > 0 ? questionCodes.cannot : 0
    return { lines: [...lines, ...said], json: { ...json, opened }, exitCode }
  })
}

/** PostgreSQL writes nothing then, whatever a policy does. */
const readOnly = { PGOPTIONS: '-c default_transaction_read_only=on' }

function openedBy(differences: readonly Difference[], allow: readonly string[]) {
  const names = differences
    .filter(({ gains }) => gains.count > 0)
    .map(({ repository, operation }) => `${repository}.${operation}`)
  return [...new Set(names)].filter((name) => !allow.includes(name))
}
