import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Row } from '../tested.js'
import { cellOf, markdownOf } from './cells.js'
import { changesOf } from './changes.js'
import { fieldLines } from './fields.js'
import type { Line } from './line.js'
import type { Trial } from './outcome.js'
import { ownLines, servedBy } from './own.js'
import type { Project } from './project.js'
import { restLines } from './rest.js'
import { stageOf } from './scene.js'

export const file = 'tests/authorization.md'

/** Every role tries all that svc serves, and tests/authorization.md says what came of it. `more`: lines of other surfaces. */
export function testAuthorization<Key extends string, User extends Row>(
  given: Project<Key, User, object>,
  more: (project: Project) => readonly Line[] = () => [],
): void {
  // Its own users and keys go in and come out of it; `db` is Kysely's, whose types take long to compare.
  const project = given as unknown as Project
  const { served, others, lines } = matrixOf(project, more)

  test('every route has a decision', () => {
    const undecided = served.undecided.map(
      (route) =>
        `${route} has no decision: svc knows no policy that it asks. Say how to try it in \`own\` ` +
        `of tests/roles.ts ('${route}': {}), or in words who may ('${route}': 'anybody may').`,
    )
    const gone = served
      .ofNothing(others.map(({ label }) => label))
      .map((name) => `tests/roles.ts has '${name}' in \`own\`, and nothing of that name is served.`)
    fail([...undecided, ...gone])
  })

  test('who may do what is as tests/authorization.md says', { timeout: 600_000 }, async () => {
    // A new file is for somebody to read, which no machine does.
    if (!existsSync(file) && !['', 'false', '0'].includes(process.env['CI'] ?? '')) {
      fail([`${file} is not there: run \`npm test\` once where you work, read it, and commit it.`])
    }
    const text = textOf(project, lines, await fillIn(project, lines))
    const changes = existsSync(file) ? changesOf(readFileSync(file, 'utf8'), text) : []
    const accept = 'To accept the differences: npx vitest run tests/authorization.test.ts -u'
    const told = ['Who may do what has changed:', ...changes.map((each) => `  ${each}`), accept]
    await expect(text, told.join('\n')).toMatchFileSnapshot('authorization.md')
  })
}

/** Lists the attempts of every role. */
export function matrixOf(project: Project, more: (project: Project) => readonly Line[]) {
  const served = servedBy(project)
  const others = more(project)
  const lines = [
    ...restLines(project, served.isServed),
    ...fieldLines(project, served.isServed),
    ...others,
    ...ownLines(project),
  ]
  return { served, others, lines }
}

type Cells = ReadonlyMap<Line, readonly string[]>

/** Lists first, while there are few rows. */
async function fillIn(project: Project, lines: readonly Line[]): Promise<Cells> {
  const cells = new Map<Line, string[]>()
  const problems: string[] = []
  for (const some of [
    lines.filter(({ isList }) => isList),
    lines.filter(({ isList }) => !isList),
  ]) {
    for (const role of Object.keys(project.roles)) {
      const stage = stageOf(project, role)
      for (const line of some) {
        const trials = await line.attempt(stage)
        const why = problemIn(line, trials)
        if (why !== undefined) problems.push(`${line.label} for ${role}: no decision: ${why}`)
        cells.set(line, [...(cells.get(line) ?? []), cellOf(trials, line.isList === true)])
      }
    }
  }
  const help = '422: say in `bodies` of tests/roles.ts what the body needs.'
  fail(problems.some((each) => each.includes(' 422 ')) ? [...problems, help] : problems)
  return cells
}

function problemIn({ words }: Line, trials: readonly Trial[]): string | undefined {
  if (trials.length === 0 && words === undefined) {
    return 'there is no row to try; `world` of tests/roles.ts may name some'
  }
  return trials.flatMap(({ outcome }) => (outcome.is === 'undecided' ? [outcome.why] : []))[0]
}

export function textOf({ decided, roles }: Project, lines: readonly Line[], cells: Cells): string {
  const names = Object.keys(roles)
  const rowOf = (line: Line) => {
    const { label, words } = line
    if (words !== undefined) return { label: `\`${label}\`: ${words}`, cells: names.map(() => '-') }
    return { label: `\`${label}\``, cells: cells.get(line) ?? [] }
  }
  const titles = [...decided.keys, 'Signing in', 'Other', 'Your own']
  const sections = titles.flatMap((title) => {
    const of = lines.filter((line) => line.of === title)
    return of.length === 0 ? [] : [{ title, lines: of.map(rowOf) }]
  })
  return markdownOf(names, sections)
}

function fail(problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(problems.join('\n'))
}
