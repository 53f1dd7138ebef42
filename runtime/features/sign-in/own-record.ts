import { type FieldErrors, invalid } from '../../errors.js'
import { type Input, validate } from '../../input/validation.js'
import type { HasEntity, WriteOptions } from '../../model/entity.js'
import type { Meta, Resource } from '../../model/resource.js'
import { withHeaders } from '../../operations/answer-headers.js'
import { readOwn } from '../../operations/read.js'
import { storeResource, updateResource } from '../../operations/write/one.js'
import { accessTo, ask, newRequest } from '../../policy/access.js'
import { isCondition } from '../../policy/condition-sql.js'
import { combine } from '../../policy/condition.js'
import type { ShowQuery } from '../../query/query.js'
import { forWrite } from '../../query/request-parts.js'

/**
 * The signed-in user's own record: they may see themselves whatever the policy says of others. The
 * flags are still the policy's.
 */
export async function showOwn(
  { definition }: HasEntity,
  user: unknown,
  id: number | string,
  query?: ShowQuery,
): Promise<Resource> {
  const access = accessTo(newRequest(user), definition)
  return withHeaders(access, await readOwn(access, id, query))
}

/**
 * Changes the signed-in user's own record, as the policy's `update` allows. They may see it
 * whatever the policy says, so a denial is 403 and not 404.
 */
export async function patchOwn(
  { definition }: HasEntity,
  user: unknown,
  id: number | string,
  input: Input,
  options?: WriteOptions,
): Promise<Resource> {
  const seen = await ask(accessTo(newRequest(user), definition), 'show')
  const show = combine('any', [isCondition(seen) && seen, { id }])
  const access = accessTo(newRequest(user), definition, [['show', show]])
  return updateResource(forWrite(access, 'update', options), String(id), input, 'part')
}

/**
 * Makes the record of somebody who registers: there is no user yet whom a policy could be asked
 * about. Rules, gates and hooks are those of every store; `errors` join those of the rules.
 */
export async function storeOwn(
  { definition }: HasEntity,
  input: Input,
  errors: FieldErrors,
): Promise<string> {
  const access = accessTo(newRequest(null), definition, [['store', true]])
  const all = new Map(validate(access, input, 'canStore', 'whole').errors)
  for (const [name, texts] of Object.entries(errors)) {
    all.set(name, [...new Set([...(all.get(name) ?? []), ...texts])])
  }
  if (all.size > 0) throw invalid(all)
  return (await storeResource(access, input)).id
}

export type WithMeta<More> = Omit<Resource, 'meta'> & { readonly meta: Meta & More }

/** With more in its `meta`: a resource that is shown with its flags has one. */
export function withMeta<More>(resource: Resource, more: More): WithMeta<More> {
  return { ...resource, meta: { ...(resource.meta as Meta), ...more } }
}
