/** One history of a schema and its rows, beside the same in memory. */
import { expect } from 'vitest'
import type { Database } from '../../../../generator/blueprint/types.js'
import { changeOnce, forgetNames } from './changes.js'
import { Dice } from './dice.js'
import { Elsewhere } from './elsewhere.js'
import { tableText } from './in-words.js'
import type { HistoryProject } from './project.js'
import { Resolution } from './resolution.js'
import type { State } from './rows.js'
import { newTable } from './table-changes.js'
import { expectRows, insertRows, settleRows, type Scene } from './table-rows.js'
import { blueprintOf, type World } from './world.js'

/** `draft`: the database takes the draft; `save`: it is saved first, and what is saved is taken. */
export interface Step {
  readonly seed: number
  readonly changes: number
  readonly rows: number
  readonly way: 'draft' | 'save' | 'draft, then save'
}

export class History {
  /** The events, in words. */
  readonly says: string[] = []
  private readonly elsewhere: Elsewhere
  private ids = 0
  private saved: World = []
  private state: State
  /**
   * True: the saved migration fits no row here, and the manifest was brought back: names of either
   * are not true any more.
   */
  private isOver = false

  constructor(
    private readonly project: HistoryProject,
    private readonly database: Database,
  ) {
    const blueprint = { database, auth: null, entities: [], pivots: [], features: {}, tables: [] }
    this.state = { world: [], blueprint, rows: new Map() }
    this.elsewhere = new Elsewhere(project, blueprint, this.say)
  }

  private say = (text: string) => void this.says.push(text)

  private nextId = () => ++this.ids

  private isAllowed = (world: World) => blueprintOf(world, this.database) !== null

  async begin(seed: number, tables: number): Promise<void> {
    const dice = new Dice(seed)
    let world: World = []
    for (const key of ['alphas', 'betas', 'gammas'].slice(0, tables)) {
      const more = () => [...world, newTable(key, dice, this.nextId)]
      world = Array.from({ length: 20 }, more).find(this.isAllowed) ?? world
    }
    const place = { dice, nextId: this.nextId, seen: [], saved: [], ambiguous: [] }
    for (let at = 0; at < 4; at++) {
      const changed = changeOnce(world, place, this.isAllowed)
      world = changed?.world ?? world
    }
    for (const table of world) this.say(`  at first: ${tableText(table, world)}`)
    await this.turnTo(world, dice, dice.isOneIn(2) ? 'save' : 'draft')
    await this.insert(dice, 6)
  }

  async take({ seed, changes, rows, way }: Step): Promise<void> {
    if (this.isOver) return
    const dice = new Dice(seed)
    const { world: seen } = this.state
    const ambiguous = changes > 1 ? this.saved : []
    const place = { dice, nextId: this.nextId, seen, saved: this.saved, ambiguous }
    let world = seen
    for (let at = 0; at < changes; at++) {
      const changed = changeOnce(world, place, this.isAllowed)
      if (changed === null) continue
      world = changed.world
      this.say(`  ${changed.says}`)
    }
    await this.turnTo(world, dice, way)
    await this.insert(dice, rows)
  }

  /** Saves what is left, and has it all again on an empty database. */
  async end(): Promise<void> {
    if (this.isOver) return
    this.say('the end: all is saved, and replayed')
    await this.save(this.state, new Dice(1))
    await this.expectDone(this.state)
    const fresh = await this.project.freshCatalogue(this.state.blueprint)
    expect(await this.project.replayedCatalogue()).toEqual(fresh)
    const query = this.project.spareQuery
    const options = { count: 4, before: new Map(this.state.world.map(({ id }) => [id, []])) }
    const rows = await insertRows(query, this.state, new Dice(7), options)
    await expectRows(query, { ...this.state, rows })
  }

  private async turnTo(world: World, dice: Dice, way: Step['way']): Promise<void> {
    const blueprint = blueprintOf(world, this.database)
    if (blueprint === null) throw new Error('the manifest is wrong')
    const after = { world, blueprint }
    const problems = await this.project.tryGenerate(blueprint)
    // A table would take the name of one whose rows would go.
    const isRenamedOnto =
      problems.length > 0 && problems.every(({ rule }) => rule === 'renamed-onto')
    if (isRenamedOnto) return this.takeBack()
    expect(problems).toEqual([])
    expect(await this.project.isSettled(blueprint), 'a second run has nothing to do').toBe(true)
    const resolution = new Resolution(this.project, this.state, after, dice, this.say)
    if (way === 'save') {
      // Before it saves, `svc migrate save` asks a database without a draft.
      const isReady = (await this.project.hasDraft()) || (await resolution.tryDraft())
      if (!isReady) return this.takeBack()
      await this.save(after, dice)
    }
    const rows = await resolution.migrate()
    if (rows === null) {
      this.isOver = way === 'save'
      return this.takeBack()
    }
    const settled = await settleRows(this.project.query, after, this.state.rows, rows)
    this.state = { ...after, rows: settled }
    await this.expectDone(this.state)
    if (way === 'draft, then save') {
      await this.save(after, dice)
      await this.expectDone(this.state)
    }
    if (way !== 'draft' && dice.isOneIn(2)) this.forgetNames()
  }

  /** Does what `svc migrate save` does once it has its answers. */
  private async save(after: Scene, dice: Dice): Promise<void> {
    await this.project.save()
    this.say('  saved')
    this.saved = after.world
    await this.elsewhere.deploy(after, dice)
  }

  private forgetNames(): void {
    const world = forgetNames(this.state.world)
    const blueprint = blueprintOf(world, this.database)
    if (blueprint !== null) this.state = { ...this.state, world, blueprint }
  }

  /** The developer brings the manifest back to what it was. */
  private async takeBack(): Promise<void> {
    this.say('  taken back')
    await this.project.generate(this.state.blueprint)
    await this.expectDone(this.state)
  }

  /** Nothing is asked any more, and all is as it shall be. */
  private async expectDone(state: State): Promise<void> {
    expect(await this.project.migrate(state.blueprint)).toMatchObject({ kind: 'done', why: '' })
    await expectRows(this.project.query, state)
    const fresh = await this.project.freshCatalogue(state.blueprint)
    expect(await this.project.catalogue()).toEqual(fresh)
  }

  private async insert(dice: Dice, count: number): Promise<void> {
    const options = { count, before: this.state.rows }
    const rows = await insertRows(this.project.query, this.state, dice, options)
    this.state = { ...this.state, rows }
  }
}
