import type { Column, Entity } from '../../blueprint/types.js'
import type { KnownRoute } from '../../plan/routes/routes.js'
import { configView } from '../../plan/views/config.js'
import { writtenColumns } from '../../plan/written-columns.js'
import type { Api, DocumentPart } from '../openapi/api.js'
import type { Data } from '../openapi/facts.js'
import { open, type Operation } from '../openapi/operations/operation.js'
import { bodyFailures, json, responses, sent } from '../openapi/operations/statuses.js'
import { emailSchema, writtenSchema } from '../openapi/schemas/column-schema.js'
import { errorsOf } from '../openapi/schemas/entity-schemas.js'
import { objectOf } from '../openapi/schemas/object.js'
import { showParameters } from '../openapi/schemas/parameters.js'
import { response, schema } from '../openapi/schemas/references.js'
import { bodyObject } from '../openapi/strict.js'

const tag = 'auth'

export const signInInDocument: DocumentPart = {
  tag: { name: tag, description: 'Signing in, and what users do with their own.' },
  operation: (api, route) => authOperation(api, usersOf(api), route),
  always: ['securitySchemes/bearer'],
  components: (api) => ({
    schemas: authSchemas(api, usersOf(api)),
    responses: authResponses(api, usersOf(api)),
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
  }),
}

function usersOf({ project }: Api): Entity {
  if (project.auth === null) throw new Error('a route signs in, and there is no auth repository')
  return project.auth
}

/** The parts of an operation. */
interface Asked {
  readonly api: Api
  readonly users: Entity
  readonly method: string
}

/** An operation of signing in. */
export function authOperation(
  api: Api,
  users: Entity,
  { does, method, path }: Pick<KnownRoute, 'does' | 'method' | 'path'>,
): Operation {
  const operation = does.is === 'feature' ? operations[does.operation] : undefined
  if (operation === undefined) throw new Error(`'${path}' is no route of signing in`)
  return operation({ api, users, method })
}

const of = (operationId: string, summary: string) => ({ operationId, summary, tag })
const form = (name: string) => ({ body: sent(schema(`auth.${name}`)) })
const failing = [...bodyFailures, 429]
const done = { 200: response('auth.message') }
const signedIn = { 200: response('auth.signedIn') }

/** By what `KnownRoute.does` calls them. */
const operations: Readonly<Record<string, (asked: Asked) => Operation>> = {
  register: () => ({
    ...of('register', 'Make a user, and sign them in'),
    ...{ ...form('register'), security: open },
    responses: responses(signedIn, failing, 'auth.register.invalid'),
  }),
  login: () => ({
    ...of('login', 'Sign in'),
    ...{ ...form('login'), security: open },
    responses: responses(signedIn, [...failing, 401], 'auth.login.invalid'),
  }),
  forgotPassword: () => ({
    ...of('forgotPassword', 'Mail a link to set a new password'),
    ...{ ...form('forgotPassword'), security: open },
    responses: responses(done, failing, 'auth.forgotPassword.invalid'),
  }),
  resetPassword: () => ({
    ...of('resetPassword', 'Set a new password with the token of a mail'),
    ...{ ...form('resetPassword'), security: open },
    responses: responses(done, failing, 'auth.resetPassword.invalid'),
  }),
  verifyEmail: () => ({
    ...of('verifyEmail', 'Verify an e-mail with the link of a mail'),
    security: open,
    responses: responses({ 200: response('auth.verified') }, [400, 403, 429]),
  }),
  sendVerification: ({ api }) => ({
    ...of('sendVerification', 'Mail the verification link again'),
    responses: responses(api.facts.config.verifyEmail ? done : {}, [400, 401, 429]),
  }),
  logout: () => ({
    ...of('logout', 'End the token that this is sent with'),
    responses: responses(done, [400, 401]),
  }),
  tokens: ({ api, method }) => (method === 'GET' ? ownTokens(api) : endedToken()),
  changePassword: () => ({
    ...of('changePassword', 'Set a new password with the current one'),
    ...form('changePassword'),
    responses: responses(done, [...failing, 401], 'auth.changePassword.invalid'),
  }),
  profile: ({ api, users, method }) =>
    method === 'GET' ? shownProfile(api, users) : changedProfile(api, users, method),
}

const ownTokens = ({ project }: Api): Operation => ({
  ...of('indexOwnTokens', 'List the tokens of the user'),
  responses: responses(
    { 200: response('auth.tokens') },
    // A route without parameters refuses one.
    [...(project.hasStrictQueries !== false ? [400] : []), 401],
  ),
})

const endedToken = (): Operation => ({
  ...of('deleteOwnToken', 'End a token of the user'),
  responses: responses({ 204: response('204') }, [400, 401, 404]),
})

const shownProfile = (api: Api, users: Entity): Operation => ({
  ...of('showOwnProfile', 'Show the signed-in user'),
  parameters: showParameters(api, users),
  responses: responses({ 200: response(`${api.prefix(users)}.one`) }, [400, 401]),
})

function changedProfile(api: Api, users: Entity, method: string): Operation {
  const prefix = api.prefix(users)
  return {
    ...of(`${method.toLowerCase()}OwnProfile`, 'Change the signed-in user'),
    ...form('profile'),
    responses: responses(
      { 200: response(`${prefix}.one`) },
      [...failing, 401, 403],
      `${prefix}.invalid`,
    ),
  }
}

const email = emailSchema
const said = { type: 'string', minLength: 1, maxLength: 200 }
const chosen = { type: 'string', format: 'password', minLength: 8, maxLength: 200 }
const confirmed = { password: chosen, password_confirmation: chosen }

/** Never set by a profile. */
const guarded = new Set(['id', 'password', 'email_verified_at', 'is_admin'])

/** Schemas of the forms of signing in. */
export function authSchemas(api: Api, users: Entity): Readonly<Record<string, Data>> {
  const editable = writtenColumns(api, users, 'patch').filter(({ name }) => !guarded.has(name))
  const all = {
    register: registerForm(api, users),
    login: bodyObject(api, { email, password: said }, ['email', 'password']),
    forgotPassword: bodyObject(api, { email }, ['email']),
    resetPassword: bodyObject(api, { token: said, email, ...confirmed }, [
      ...['token', 'email', 'password', 'password_confirmation'],
    ]),
    changePassword: bodyObject(api, { current_password: said, ...confirmed }, [
      ...['current_password', 'password', 'password_confirmation'],
    ]),
    profile: bodyObject(api, fields(editable)),
  }
  return Object.fromEntries(Object.entries(all).map(([name, data]) => [`auth.${name}`, data]))
}

const fields = (columns: readonly Column[]) =>
  Object.fromEntries(columns.map((column) => [column.name, writtenSchema(column)]))

/** E-mail, password, and what the config lets people say of themselves. */
function registerForm(api: Api, users: Entity): Data {
  const named = api.facts.config.registerFields ?? configView(api.project).register_fields
  const columns = writtenColumns(api, users, 'store')
  const columnCalled = (name: string) => columns.filter((column) => column.name === name)
  const more = named.flatMap(columnCalled)
  const { gates } = api.codeOf(users)
  const required = more.filter(({ name, nullable, default: preset }) => {
    return !nullable && preset === undefined && gates?.canStore.has(name) === false
  })
  const password = {
    ...fields(columnCalled('password')),
    password_confirmation: { type: 'string' },
  }
  return bodyObject(api, { ...fields(columnCalled('email')), ...password, ...fields(more) }, [
    ...['email', 'password', 'password_confirmation'],
    ...required.map(({ name }) => name),
  ])
}

/** Returns the answers of those routes. */
export function authResponses(api: Api, users: Entity): Readonly<Record<string, Data>> {
  const forms = authSchemas(api, users)
  const invalid = ['register', 'login', 'forgotPassword', 'resetPassword', 'changePassword'].map(
    (name) => {
      const names = Object.keys((forms[`auth.${name}`]?.['properties'] ?? {}) as object)
      const isClosed = name !== 'register' || !users.hasHooks
      return [
        `auth.${name}.invalid`,
        json('What is wrong with the form.', errorsOf(api, names, isClosed)),
      ] as const
    },
  )
  const resource = schema(`${api.prefix(users)}Resource`)
  const withMeta = (properties: Data): Data => ({
    allOf: [resource, objectOf({ meta: objectOf(properties, Object.keys(properties)) })],
  })
  const time = { type: 'string', format: 'date-time' }
  const maybe = { type: ['string', 'null'], format: 'date-time' }
  const token = { type: 'string', description: 'For `Authorization: Bearer`; shown once.' }
  const tokens = {
    id: { type: 'integer' },
    name: { type: 'string' },
    created_at: time,
    last_used_at: maybe,
    expires_at: maybe,
    is_current: { type: 'boolean' },
  }
  const list = { type: 'array', items: objectOf(tokens, Object.keys(tokens)) }
  return {
    ...Object.fromEntries(invalid),
    'auth.signedIn': json('The user, and a token.', withMeta({ token, expires_at: maybe })),
    'auth.verified': json('The user.', withMeta({ message: { type: 'string' } })),
    'auth.tokens': json('The tokens that are good.', objectOf({ data: list }, ['data'])),
    'auth.message': json('What was done.', objectOf({ message: { type: 'string' } }, ['message'])),
  }
}
