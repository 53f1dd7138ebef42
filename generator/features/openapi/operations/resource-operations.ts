import { studly } from '../../../blueprint/names/names.js'
import type { Entity } from '../../../blueprint/types.js'
import type { KnownRoute, Operation as Name } from '../../../plan/routes/routes.js'
import type { Api } from '../api.js'
import { indexParameters, showParameters } from '../schemas/parameters.js'
import { response, schema } from '../schemas/references.js'
import { optional, open, type Operation } from './operation.js'
import { bodyFailures, responses, sent } from './statuses.js'

/** The word of each operation in its id. */
export const verbs = {
  index: 'index',
  store: 'store',
  show: 'show',
  update: 'replace',
  patch: 'patch',
  delete: 'delete',
} as const

/** An operation on the records of a repository. */
export function resourceOperation(api: Api, entity: Entity, name: Name): Operation {
  const prefix = api.prefix(entity)
  const { plural, singular } = entity
  const common = { tag: entity.key, ...securityOf(api, name, [entity]) }
  const invalid = `${prefix}.invalid`
  const of = (summary: string) => ({ ...common, operationId: operationId(name, entity), summary })
  const denied = deniedStatuses(api)
  switch (name) {
    case 'index':
      return {
        ...of(`List ${plural}`),
        parameters: indexParameters(api, entity),
        responses: responses({ 200: response(`${prefix}.list`) }, [400, 401]),
      }
    case 'show':
      return {
        ...of(`Show ${article(singular)}`),
        parameters: showParameters(api, entity),
        responses: responses({ 200: response(`${prefix}.one`) }, [400, 401, 404]),
      }
    case 'store':
      return {
        ...of(`Make ${article(singular)}`),
        body: sent(schema(`${prefix}Store`)),
        responses: responses(
          { 201: response(`${prefix}.stored`) },
          [...bodyFailures, ...denied, ...conflicts(entity), ...attempts(api, entity)],
          invalid,
        ),
      }
    case 'delete':
      return {
        ...of(`Delete ${article(singular)}`),
        responses: responses({ 204: response('204') }, [
          ...[400, 404, ...denied],
          ...(api.pointedAt.has(entity.key) ? [409] : []),
        ]),
      }
    default:
      return {
        ...of(`${name === 'update' ? 'Replace' : 'Change'} ${article(singular)}`),
        body: sent(schema(prefix + (name === 'update' ? 'Replace' : 'Patch'))),
        responses: responses(
          { 200: response(`${prefix}.one`) },
          [...bodyFailures, 404, ...denied, ...conflicts(entity), ...attempts(api, entity)],
          invalid,
        ),
      }
  }
}

/** Returns true if a route writes records, or relations of them. */
export const takesWrite = ({ method, does }: KnownRoute): boolean =>
  method !== 'GET' &&
  (does.is === 'resource' ||
    does.is === 'related' ||
    (does.is === 'feature' && does.entity !== undefined && does.onlyReads !== true))

/** `indexPosts`, `showPost`, `replacePost`. */
function operationId(name: Name, entity: Entity): string {
  return verbs[name] + (name === 'index' ? studly(entity.key) : entity.name)
}

/** `a post`, `an image`. */
export const article = (words: string) => `${startsOpen.test(words) ? 'an' : 'a'} ${words}`

/** An order, an uninvited guest; a user, a unit, a European. */
const startsOpen = /^(?!us[aeu]|util|uni(?![mn])|eu|one\b)[aeiou]/i

/** A guest is asked to sign in; 403 is for users. */
export const deniedStatuses = ({ project }: Api) => (project.auth === null ? [401] : [401, 403])

/** A read of public repositories alone needs no token; a token that is sent must be good. */
export function securityOf(api: Api, name: Name, entities: readonly Entity[]) {
  if (!api.facts.config.hasGuard) return { security: open }
  const isRead = name === 'index' || name === 'show'
  return isRead && entities.every(({ isPublic }) => isPublic) ? { security: optional } : {}
}

/** Whoever asks for the e-mail of an account is counted. */
export const attempts = ({ project }: Api, { key, columns }: Entity): readonly number[] => {
  const isWritten = columns.some(({ name, readonly }) => name === 'email' && !readonly)
  return key === project.auth?.key && isWritten ? [429] : []
}

/** Columns that have one value together and that no response shows and no body has: then nothing can be named. */
export function conflicts({ unique = [], columns }: Entity): readonly number[] {
  const isKnown = (name: string) =>
    columns.some((each) => each.name === name && (!each.hidden || !each.readonly))
  return unique.some((names) => !names.some(isKnown)) ? [409] : []
}
