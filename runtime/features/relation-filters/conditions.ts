import { reachableRows } from '../../policy/access.js'
import { isComposite } from '../../policy/condition-sql.js'
import { combine, operands } from '../../policy/condition.js'
import type { RelationFilter, Step } from './find-filter.js'

/** A filter as it was sent. */
export interface SentFilter {
  readonly filter: RelationFilter
  readonly negated: boolean
  /** It asks for certain values of a column, which few records have. */
  readonly isFew: boolean
  /**
   * Returns the condition on the record behind the last relation, or a promise of it; `negated`: it
   * must not hold.
   */
  condition(negated: boolean): unknown
}

/** A related record that all filters through its relation speak of. */
interface Related {
  readonly step: Step | null
  readonly conditions: unknown[]
  readonly below: Map<string, Related>
  /** True if few of them are found. */
  isFew: boolean
}

/**
 * What filters come to, each relation as EXISTS under its own policy: all of one relation speak of one
 * record.
 *
 *   seller.name=Ada             seller: { among: { name: 'Ada' } }
 *   -seller.name=Ada            seller: { finds: not { name: 'Ada' } }
 *   tags.id=1,2                 tags: { among: { id in 1, 2 } }
 *   -tags.id=1                  tags: { lacks: { id: 1 } }
 *   users.id=5, users.pivot.x   users: { among: { id: 5, pivot: { x } } }
 *   reviews=false               reviews: { lacks: true }
 */
export async function conditionsOf(sent: readonly SentFilter[]): Promise<readonly unknown[]> {
  const root = related(null)
  for (const each of sent) await put(root, each)
  return partsOf(root)
}

async function put(
  root: Related,
  { filter, negated, isFew, condition }: SentFilter,
): Promise<void> {
  const { steps, asks } = filter
  const several = steps.findIndex(({ link }) => !link.toOne)
  // A negated condition on several records holds for none of them; on one, it holds for another.
  const without = several === -1 && asks.kind === 'exists' ? steps.length - 1 : several
  if (negated && without !== -1) {
    const record = recordAt(root, steps.slice(0, without))
    record.conditions.push(await lacking(steps.slice(without), await condition(false)))
  } else recordAt(root, steps, isFew && !negated).conditions.push(await condition(negated))
}

const related = (step: Step | null): Related => ({
  ...{ step, conditions: [], below: new Map<string, Related>(), isFew: false },
})

/** @param isFew Of all on the way, few lead there. */
function recordAt(root: Related, steps: readonly Step[], isFew = false): Related {
  let here = root
  for (const step of steps) {
    const { key } = step.link
    const below = here.below.get(key) ?? related(step)
    here.below.set(key, below)
    below.isFew ||= isFew
    here = below
  }
  return here
}

async function partsOf({ conditions, below }: Related): Promise<readonly unknown[]> {
  const found = [...below.values()].map(async (each) => {
    const inner = await partsOf(each)
    return each.step === null ? true : finding(each.step, inner, each.isFew ? 'among' : 'finds')
  })
  return [...conditions.filter((each) => each !== true), ...(await Promise.all(found))]
}

const finding = async (
  step: Step,
  inner: readonly unknown[],
  word: 'finds' | 'among' = 'finds',
): Promise<object> => ({ [step.link.key]: { [word]: await visible(step, inner) } })

/** No record along these relations is so. */
async function lacking([first, ...more]: readonly Step[], condition: unknown): Promise<unknown> {
  if (first === undefined) return false
  let inner = condition
  for (const step of more.toReversed()) inner = await finding(step, [inner])
  return { [first.link.key]: { lacks: await visible(first, [inner]) } }
}

const visible = async ({ access }: Step, inner: readonly unknown[]): Promise<unknown> =>
  combine('all', [await reachableRows(access), ...inner.filter((each) => each !== true)])

/** Turns conditions on columns into conditions on the pivot row. */
export function ofPivot(condition: unknown): unknown {
  if (typeof condition !== 'object' || condition === null) return condition
  if (!isComposite(condition)) return { pivot: condition }
  return combine(condition.combines, condition[operands].map(ofPivot))
}
