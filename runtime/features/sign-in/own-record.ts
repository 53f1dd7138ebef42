import { invalid, notFound, type FieldErrors } from '../../errors.js'
import { accessTo, ask, flagsOf, newRequest } from '../../policy/access.js'
import { combine } from '../../policy/condition.js'
import { describe, isCondition } from '../../policy/parse-condition.js'
import { entityOf } from '../../model/entity.js'
import { emptyQuery, type ShowQuery } from '../../query/parse-query.js'
import { readResources } from '../../operations/read.js'
import type { AnyRepository } from '../../operations/repository.js'
import type { Resource } from '../../model/resource.js'
import { selectPlan } from '../../operations/select.js'
import { partsOf, wantKey } from '../../operations/row-decoder.js'
import { fieldErrors, type Input, validate } from '../../input/validation.js'
import { needsOf, resolveTree } from '../relations/resolve-include.js'
import { storeResource, updateResource } from '../../operations/write.js'

/**
 * The signed-in user's own record: they may see themselves whatever the policy says of others. The
 * flags are still the policy's.
 */
export async function showOwn(
  { definition }: AnyRepository,
  user: unknown,
  id: number | string,
  query: ShowQuery = emptyQuery,
): Promise<Resource> {
  const entity = entityOf(definition)
  const access = accessTo(newRequest(user), entity)
  const wanted = resolveTree(access, query, definition.settings)
  const filter = describe(entity, { id })
  const flags = await flagsOf(access, 'asked')
  const want = { shown: access.shown, needs: needsOf(access, wanted), flags }
  const plan = entity.plans.get(`own|${wantKey(want)}`, () => selectPlan(entity, want, filter))
  const reading = { access, wanted, want, plan, parts: partsOf(filter, flags) }
  const [resource] = await readResources(reading, query, true)
  if (resource === undefined) throw notFound()
  return resource
}

/**
 * Changes the signed-in user's own record, as the policy's `update` allows: they may see it whatever
 * the policy says, so who may not change it is told so.
 */
export async function patchOwn(
  { definition }: AnyRepository,
  user: unknown,
  id: number | string,
  input: Input,
): Promise<Resource> {
  const access = accessTo(newRequest(user), entityOf(definition))
  const seen = await ask(access, 'show')
  access.answers.set('show', combine('any', [isCondition(seen) && seen, { id }]))
  return updateResource(access, String(id), input, 'part')
}

/**
 * Makes the record of somebody who registers: nobody is signed in who a policy could be asked
 * about. Rules, gates and hooks are those of every store; `errors` join those of the rules.
 */
export async function storeOwn(
  { definition }: AnyRepository,
  input: Input,
  errors: FieldErrors,
): Promise<string> {
  const access = accessTo(newRequest(null), entityOf(definition))
  access.answers.set('store', true)
  const found = validate(access, input, 'canStore', 'whole').errors
  if (found.size > 0 || Object.keys(errors).length > 0) {
    throw invalid(mergedErrors(fieldErrors(found), errors))
  }
  const { id } = await storeResource(access, input)
  return id
}

function mergedErrors(one: FieldErrors, other: FieldErrors): FieldErrors {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  const texts = (name: string) => [...new Set([...(one[name] ?? []), ...(other[name] ?? [])])]
  const all = [...names].map((name) => [name, texts(name)])
  return Object.fromEntries(all) as FieldErrors // pairs of a name and its texts
}
