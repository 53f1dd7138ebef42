/** Answers of a developer about rows that are in the way, until a step is done. */
import { expect } from 'vitest'
import { isAcceptable } from '../../../../generator/commands/database/ways-through.js'
import type { Dice } from './dice.js'
import { answersIn } from './elsewhere.js'
import type { Outcome } from './outcome.js'
import type { HistoryProject } from './project.js'
import {
  columnIn,
  columnText,
  fillText,
  predict,
  type Answers,
  type Prediction,
  type Rows,
  type State,
} from './rows.js'
import type { Scene } from './table-rows.js'
import { columnsOf, sayable } from './world.js'

export class Resolution {
  private readonly inherited: Answers
  private answers: Answers
  private acceptDataLoss = false
  /** Fills that the draft does not ask for. */
  private idle: readonly string[] = []

  constructor(
    private readonly project: HistoryProject,
    private readonly before: State,
    private readonly after: Scene,
    private readonly dice: Dice,
    private readonly say: (text: string) => void,
  ) {
    // Answers of an earlier step of this draft stay valid.
    this.inherited = answersIn(project.draft ?? '', after)
    this.answers = this.inherited
  }

  /** Returns true if the draft could be applied in the end. */
  async tryDraft(): Promise<boolean> {
    return (await this.resolve(() => this.project.tryDraft(this.acceptDataLoss))) !== null
  }

  /** The rows as they are then; null: no answer helps, and the manifest has to be another one. */
  migrate(): Promise<Rows | null> {
    return this.resolve(() => {
      const { acceptDataLoss, idle: fills } = this
      return this.project.migrate(this.after.blueprint, { acceptDataLoss, fills })
    })
  }

  private async resolve(attempt: () => Promise<Outcome>): Promise<Rows | null> {
    for (let tries = 0; tries < 8; tries++) {
      const predicted = predict(this.before, this.after, this.answers)
      const outcome = await attempt()
      this.say(`  … ${outcomeText(outcome)}`)
      this.check(predicted, outcome)
      if (outcome.kind === 'done') return predicted.rows
      if (outcome.kind === 'loses') this.accept()
      else if (!(await this.answer(predicted, outcome))) return null
    }
    throw new Error('it asks for ever')
  }

  /** False: there is nothing to say. */
  private async answer(predicted: Prediction, { kind, misfits }: Outcome): Promise<boolean> {
    const unfit = misfits.filter(isUnfit)
    if (kind === 'stops' ? unfit.length === 0 : !predicted.hasNulls) return false
    if (kind === 'stops' && isAcceptable(misfits) && this.dice.isOneIn(2)) {
      this.accept()
      return true
    }
    const { world, blueprint } = this.after
    const stopped = new Set(unfit.map(({ table, column }) => `${table}.${column}`))
    const asking = world
      .flatMap((table) => [...columnsOf(table).keys()])
      .filter((id) => predicted.asking.includes(id) || stopped.has(columnText(world, id)))
    const fills = new Map(this.answers.fills)
    for (const id of asking.filter((each) => !fills.has(each))) {
      const value = this.fillFor(id)
      if (value === null) return false
      fills.set(id, value)
      this.say(`  --fill ${columnText(world, id)}=${JSON.stringify(value)}`)
    }
    this.answers = { ...this.answers, fills }
    const said = [...fills].filter(([id]) => !this.inherited.fills.has(id))
    const texts = said.flatMap(([id, value]) => {
      const column = columnIn(blueprint, world, id)
      return column === null ? [] : [`${columnText(world, id)}=${fillText(column, value)}`]
    })
    this.idle = await this.project.answer(blueprint, { fills: texts })
    return true
  }

  private accept(): void {
    this.say('  --accept-data-loss')
    this.acceptDataLoss = true
    this.answers = { ...this.answers, isAccepted: true }
  }

  /** Null: there is no row to point at. */
  private fillFor(id: string): unknown {
    const fields = this.after.world.flatMap((table) => table.fields)
    const field = fields.find((each) => String(each.id) === id)
    if (field !== undefined) return this.dice.pick(sayable(field.form))
    const links = this.after.world.flatMap((table) => table.links)
    const link = links.find((each) => String(each.id) === id)
    const rows = link === undefined ? [] : (this.before.rows.get(link.target) ?? [])
    return rows.length === 0 ? null : this.dice.pick(rows).id
  }

  /** It went as the model says. */
  private check(predicted: Prediction, outcome: Outcome): void {
    const { misfits, losses, equal } = predicted
    const { isAccepted } = this.answers
    const unfit = outcome.misfits.filter(isUnfit)
    if (outcome.kind === 'stops' && unfit.length > 0 && !isAccepted) {
      const counted = unfit.map(({ table, column, rows }) => [`${table}.${column}`, rows] as const)
      expect(Object.fromEntries(counted)).toEqual(Object.fromEntries(misfits))
    }
    const expected = [
      ...(misfits.size > 0 ? ['stops'] : this.withoutMisfits(predicted)),
      ...(equal === 'maybe' ? ['stops', 'fails'] : []),
      ...(isAccepted ? ['stops'] : []),
    ]
    expect(expected, outcome.why).toContain(outcome.kind)
    if (outcome.kind === 'loses') {
      const counted = outcome.losses.map(
        ({ table, column, rows }) => `${column === null ? table : `${table}.${column}`}: ${rows}`,
      )
      expect(counted.toSorted()).toEqual(losses.toSorted())
    }
    if (outcome.kind === 'fails' && equal === 'no') {
      expect(outcome.why).toMatch(/NOT NULL constraint failed|contains null values/)
    }
  }

  private withoutMisfits({ equal, hasNulls, losses }: Prediction): readonly Outcome['kind'][] {
    if (equal === 'yes') return ['stops', 'fails']
    if (hasNulls) return ['fails']
    return losses.length > 0 && !this.acceptDataLoss ? ['loses'] : ['done']
  }
}

const isUnfit = ({ says }: { readonly says: string }) => !says.startsWith('is not unique')

function outcomeText({ kind, why, misfits, losses }: Outcome): string {
  const rows = misfits.map((each) => `${each.table}.${each.column} ${each.says}: ${each.rows}`)
  const lost = losses.map((each) => `${each.table}.${each.column ?? '*'}: ${each.rows}`)
  return [kind, why.split('\n')[0] ?? '', ...rows, ...lost].filter((each) => each !== '').join(', ')
}
