/** A database that takes what is saved and nothing else, with rows of its own: what it gets in one piece, drafts got in many. */
import { expect } from 'vitest'
import { readFillMarks } from '../../../../generator/migrations/sql/fill-marks.js'
import { isAmbiguous } from './ambiguous.js'
import type { Dice } from './dice.js'
import type { HistoryProject } from './project.js'
import { columnText, predict, type Answers, type Rows, type State } from './rows.js'
import { expectRows, insertRows, readRows, settleRows, type Scene } from './table-rows.js'
import { columnsOf } from './world.js'

export class Elsewhere {
  /** Null: rows stood in the way of a migration, and it stays as it is. */
  private state: State | null

  constructor(
    private readonly project: HistoryProject,
    blueprint: State['blueprint'],
    private readonly say: (text: string) => void,
  ) {
    this.state = { world: [], blueprint, rows: new Map() }
  }

  private get query() {
    return this.project.elsewhereQuery
  }

  /** Deploys what was saved just now. */
  async deploy(after: Scene, dice: Dice): Promise<void> {
    const { state } = this
    if (state === null) return
    const answers = answersIn(this.project.lastSaved, after)
    const refused = predict(state, after, answers)
    const isAccepted = refused.misfits.size > 0 && dice.isOneIn(2)
    const predicted = isAccepted ? predict(state, after, { ...answers, isAccepted }) : refused
    if (isAccepted)
      expect(await this.project.deploy(false)).toMatch(/stand in its way:\n.*: \d+ row/)
    const why = await this.project.deploy(isAccepted)
    const isAnything = isAmbiguous(state.world, after.world)
    const { asking, misfits, equal } = predicted
    const isStopped = asking.length > 0 || misfits.size > 0 || equal === 'yes'
    // A fill may point at a row that does not exist.
    const links = after.world.flatMap((table) => table.links)
    const isPointing = links.some(({ id }) => answers.fills.has(String(id)))
    const isAnyhow = isAnything || isPointing || isAccepted
    const isOpen = isAnyhow || equal === 'maybe'
    this.say(`  … elsewhere: ${why?.split('\n')[0] ?? 'done'}`)
    if (!isOpen) expect([why, why !== null]).toEqual([why, isStopped])
    if (why !== null) {
      await expectRows(this.query, state)
      this.state = null
      return
    }
    const rows = isAnything
      ? await readRows(this.query, after)
      : await settleRows(this.query, after, state.rows, predicted.rows)
    await expectRows(this.query, { ...after, rows })
    const catalogue = await this.project.elsewhereCatalogue()
    expect(catalogue).toEqual(await this.project.freshCatalogue(after.blueprint))
    this.state = { ...after, rows: await this.insert(after, dice, rows) }
  }

  private insert(after: Scene, dice: Dice, before: Rows): Promise<Rows> {
    return insertRows(this.query, after, dice, { count: 4, before })
  }
}

/** Returns the answers that a migration needs about rows. */
export function answersIn(sql: string, { world }: Scene): Answers {
  const ids = world.flatMap((table) => [...columnsOf(table).keys()])
  const fills = readFillMarks(sql).flatMap(({ table, column, value }) => {
    const id = ids.find((each) => columnText(world, each) === `${table}.${column}`)
    return id === undefined ? [] : [[id, JSON.parse(value) as unknown] as const]
  })
  return { fills: new Map(fills), isAccepted: false }
}
