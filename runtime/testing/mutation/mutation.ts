/** Stands for the matrix while policies are mutated: which of its cells notice what. */

import { appendFileSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { file, matrixOf, textOf } from '../authorization/authorization.js'
import { cellOf } from '../authorization/cells.js'
import { changesOf } from '../authorization/changes.js'
import type { Line } from '../authorization/line.js'
import type { Project } from '../authorization/project.js'
import { type Stage, stageOf } from '../authorization/scene.js'
import type { Row } from '../tested.js'
import { MissingTestFinder } from './missing-test.js'
import { during } from './mutant.js'

/** The task that `svc policies test` gives this process. */
interface Task {
  readonly ids: readonly string[]
  /** A line of JSON each, as soon as it is known. */
  readonly answers: string
  /** Milliseconds since 1970, after which nothing more is begun. */
  readonly until: number
}

interface Cell {
  readonly line: Line
  readonly role: string
  readonly text: string
  readonly reached: ReadonlySet<string>
}

/** In place of the test of the same name: the project's own file calls it. */
export function testAuthorization<Key extends string, User extends Row>(
  given: Project<Key, User, object>,
  more: (project: Project) => readonly Line[] = () => [],
): void {
  const project = given as unknown as Project
  const { lines } = matrixOf(project, more)
  const task = JSON.parse(readFileSync(process.env['SVC_MUTATION'] ?? '', 'utf8')) as Task
  const say = (answer: object) => appendFileSync(task.answers, `${JSON.stringify(answer)}\n`)

  test('mutated policies', { timeout: 86_400_000 }, async () => {
    const stages = new Map(
      Object.keys(project.roles).map((role) => [role, stageOf(project, role)] as const),
    )
    const cells = await fillIn(lines, stages)
    const changes = changesOf(readFileSync(file, 'utf8'), textBefore(project, lines, cells))
    if (changes.length > 0) say({ differs: changes })
    expect(changes).toEqual([])
    const finder = new MissingTestFinder(project)
    for (const id of task.ids) {
      if (Date.now() > task.until) break
      const killedBy = await killerOf(cells, stages, id)
      say(
        killedBy === null ? { id, missingTest: await finder.missingTestOf(id) } : { id, killedBy },
      )
    }
  })
}

type Stages = ReadonlyMap<string, Stage>

/** As it is, and which mutants each cell comes by; lists first, while there are few rows. */
async function fillIn(lines: readonly Line[], stages: Stages): Promise<readonly Cell[]> {
  const cells: Cell[] = []
  const isList = (line: Line) => line.isList === true
  for (const some of [lines.filter(isList), lines.filter((line) => !isList(line))]) {
    for (const [role, stage] of stages) {
      for (const line of some) {
        const { value, reached } = await during(null, () => tried(line, stage))
        cells.push({ line, role, text: value, reached })
      }
    }
  }
  return cells
}

async function tried(line: Line, stage: Stage): Promise<string> {
  return cellOf(await line.attempt(stage), line.isList === true)
}

function textBefore(project: Project, lines: readonly Line[], cells: readonly Cell[]): string {
  const texts = lines.map(
    (line) => [line, cells.filter((cell) => cell.line === line).map(({ text }) => text)] as const,
  )
  return textOf(project, lines, new Map(texts))
}

/** The first cell that is another one; null: nobody notices. */
async function killerOf(
  cells: readonly Cell[],
  stages: Stages,
  id: string,
): Promise<string | null> {
  for (const { line, role, text, reached } of cells) {
    const stage = stages.get(role)
    if (stage === undefined || !reached.has(id)) continue
    const weak = await attempted(line, stage, id)
    if (weak === text) continue
    // Only a cell that is unchanged without the mutant can kill it.
    if ((await attempted(line, stage, null)) !== text) continue
    return `${line.label} for ${role}`
  }
  return null
}

async function attempted(line: Line, stage: Stage, id: string | null): Promise<string> {
  try {
    return (await during(id, () => tried(line, stage))).value
  } catch (error) {
    // A server that fails kills the mutant, too.
    stage.leave()
    return error instanceof Error ? error.message : String(error)
  }
}
