import type { Column, Entity } from '../../blueprint/types.js'
import { configView } from '../views/config.js'
import { response, schema, type Api } from './api.js'
import { emailSchema, writtenSchema } from './column-schema.js'
import { writtenColumns } from './columns.js'
import { errorsOf } from './entity-schemas.js'
import type { Action, Data } from './facts.js'
import { objectOf } from './object.js'
import { open, type Operation } from './operation.js'
import { showParameters } from './parameters.js'
import { bodyFailures, json, responses, sent } from './statuses.js'

const tag = 'auth'

/** An operation of signing in; `rest` is its path below that of the action. */
export function authOperation(
  api: Api,
  users: Entity,
  {
    action,
    rest,
    method,
  }: { readonly action: Action; readonly rest: string; readonly method: string },
): Operation {
  const form = (name: string) => ({ body: sent(schema(`auth.${name}`)) })
  const failing = [...bodyFailures, 429]
  const done = { 200: response('message') }
  const of = (operationId: string, summary: string) => ({ operationId, summary, tag })
  const prefix = api.prefix(users)
  // What takes no parameter refuses one.
  const strict = api.project.hasStrictQueries === true ? [400] : []
  switch (action) {
    case 'register':
      return {
        ...of('register', 'Make a user, and sign them in'),
        ...{ ...form('register'), security: open },
        responses: responses({ 200: response('auth.signedIn') }, failing, 'auth.register.invalid'),
      }
    case 'login':
      return {
        ...of('login', 'Sign in'),
        ...{ ...form('login'), security: open },
        responses: responses(
          { 200: response('auth.signedIn') },
          [...failing, 401],
          'auth.login.invalid',
        ),
      }
    case 'forgotPassword':
      return {
        ...of('forgotPassword', 'Mail a link to set a new password'),
        ...{ ...form('forgotPassword'), security: open },
        responses: responses(done, failing, 'auth.forgotPassword.invalid'),
      }
    case 'resetPassword':
      return {
        ...of('resetPassword', 'Set a new password with the token of a mail'),
        ...{ ...form('resetPassword'), security: open },
        responses: responses(done, failing, 'auth.resetPassword.invalid'),
      }
    case 'verifyEmail':
      return rest === '' ? sendVerification(api) : verifyEmail()
    case 'logout':
      return {
        ...of('logout', 'End the token that this is sent with'),
        responses: responses(done, [400, 401]),
      }
    case 'tokens':
      return method === 'GET'
        ? {
            ...of('indexOwnTokens', 'List the tokens of the user'),
            responses: responses({ 200: response('auth.tokens') }, [...strict, 401]),
          }
        : {
            ...of('deleteOwnToken', 'End a token of the user'),
            responses: responses({ 204: response('204') }, [400, 401, 404]),
          }
    case 'changePassword':
      return {
        ...of('changePassword', 'Set a new password with the current one'),
        ...form('changePassword'),
        responses: responses(done, [...failing, 401], 'auth.changePassword.invalid'),
      }
    case 'profile':
      if (method === 'GET') {
        return {
          ...of('showOwnProfile', 'Show the signed-in user'),
          parameters: showParameters(api, users),
          responses: responses({ 200: response(prefix) }, [400, 401]),
        }
      }
      return {
        ...of(`${method.toLowerCase()}OwnProfile`, 'Change the signed-in user'),
        ...form('profile'),
        responses: responses(
          { 200: response(prefix) },
          [...failing, 401, 403],
          `${prefix}.invalid`,
        ),
      }
  }
}

function verifyEmail(): Operation {
  return {
    operationId: 'verifyEmail',
    summary: 'Verify an e-mail with the link of a mail',
    tag,
    security: open,
    responses: responses({ 200: response('auth.verified') }, [400, 403, 429]),
  }
}

function sendVerification({ facts }: Api): Operation {
  const { verifyEmail: isVerified } = facts.config
  return {
    operationId: 'sendVerification',
    summary: 'Mail the verification link again',
    tag,
    responses: responses(isVerified ? { 200: response('message') } : {}, [400, 401, 429]),
  }
}

const email = emailSchema
const said = { type: 'string', minLength: 1, maxLength: 200 }
const chosen = { type: 'string', format: 'password', minLength: 8, maxLength: 200 }
const confirmed = { password: chosen, password_confirmation: chosen }

/** Never set by a profile. */
const guarded = new Set(['id', 'password', 'email_verified_at', 'is_admin'])

/** What the forms of signing in hold. */
export function authSchemas(api: Api, users: Entity): Readonly<Record<string, Data>> {
  const editable = writtenColumns(api, users, 'patch').filter(({ name }) => !guarded.has(name))
  const all = {
    register: registerForm(api, users),
    login: objectOf({ email, password: said }, ['email', 'password']),
    forgotPassword: objectOf({ email }, ['email']),
    resetPassword: objectOf({ token: said, email, ...confirmed }, [
      ...['token', 'email', 'password', 'password_confirmation'],
    ]),
    changePassword: objectOf({ current_password: said, ...confirmed }, [
      ...['current_password', 'password', 'password_confirmation'],
    ]),
    profile: objectOf(fields(editable)),
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
  return objectOf({ ...fields(columnCalled('email')), ...password, ...fields(more) }, [
    ...['email', 'password', 'password_confirmation'],
    ...required.map(({ name }) => name),
  ])
}

/** What they answer. */
export function authResponses(api: Api, users: Entity): Readonly<Record<string, Data>> {
  const forms = authSchemas(api, users)
  const invalid = ['register', 'login', 'forgotPassword', 'resetPassword', 'changePassword'].map(
    (name) => {
      const names = Object.keys((forms[`auth.${name}`]?.['properties'] ?? {}) as object)
      const isClosed = name !== 'register' || !users.hasHooks
      return [
        `auth.${name}.invalid`,
        json('What is wrong with the form.', errorsOf(names, isClosed)),
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
    message: json('What was done.', objectOf({ message: { type: 'string' } }, ['message'])),
  }
}
