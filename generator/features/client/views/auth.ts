import type { Entity } from '../../../blueprint/types.js'
import type { KnownRoute } from '../../../plan/routes/routes.js'
import type { Data } from '../../openapi/facts.js'
import type { Operation } from '../../openapi/operations/operation.js'
import { isData } from '../../openapi/own.js'
import { authOperation, authResponses, authSchemas } from '../../sign-in/document.js'
import { canSucceed, idsIn, pathText, type OperationView } from '../function-view.js'
import { ofWrites, recordPartOf, type Client } from '../names.js'
import { profileReading } from '../reading.js'
import { membersOf, type MemberView } from '../type-text.js'

export interface ClientAuthView {
  readonly values: readonly string[]
  readonly types: readonly string[]
  /** The module of users, and what is of it. */
  readonly module: string
  readonly names: readonly string[]
  readonly user: string
  readonly forms: readonly { readonly name: string; readonly members: readonly MemberView[] }[]
  readonly token: readonly MemberView[]
  readonly hasSignedIn: boolean
  readonly hasTokens: boolean
  readonly hasMessages: boolean
  readonly operations: readonly OperationView[]
}

export function clientAuthView(
  users: Entity,
  client: Client,
  routes: readonly KnownRoute[],
): ClientAuthView {
  const described = routes.map((route) => ({
    route,
    operation: authOperation(client.api, users, route),
  }))
  // An operation that the config switches off has no successful answer.
  const known = described.filter(({ operation }) => canSucceed(operation.responses))
  const operations = known.map(({ route, operation }) =>
    functionOf(client, users, route, operation),
  )
  const schemas = authSchemas(client.api, users)
  const used = new Set(known.flatMap(({ operation }) => formName(operation) ?? []))
  const code = operations
    .flatMap(({ generics, parameters, answer, call }) => [generics, ...parameters, answer, call])
    .join('\n')
    .replaceAll(/`[^`]*`/g, '')
  const isNamed = (name: string) => new RegExp(`\\b${name}\\b`).test(code)
  const user = client.name(users)
  const forms = [...used].map((name) => ({
    name: typeName(name),
    members: membersOf(schemas[`auth.${name}`] ?? {}, true),
  }))
  // A user may belong to another record.
  const hasIds = forms.some(({ members }) => members.some(({ type }) => /\bId\b/.test(type)))
  return {
    values: ['path', 'request', 'requestData'].filter(isNamed),
    types: [
      ...['ChangeOptions', 'Options', 'ShowQuery', 'VersionOptions'].filter(isNamed),
      ...(hasIds ? ['Id'] : []),
    ].toSorted(),
    module: client.module(users),
    names: [user, `${user}Include`, `${user}Relations`].filter(
      (name) => isNamed(name) || (name === user && isNamed('SignedIn')),
    ),
    user,
    forms,
    token: tokenMembers(authResponses(client.api, users)['auth.tokens'] ?? {}),
    hasSignedIn: isNamed('SignedIn'),
    hasTokens: isNamed('Token'),
    hasMessages: isNamed('Message'),
    operations,
  }
}

function functionOf(
  client: Client,
  users: Entity,
  { method, path, does }: KnownRoute,
  operation: Operation,
): OperationView {
  const { operationId, summary } = operation
  const isRead = method === 'GET' && operation.parameters !== undefined
  const reading = profileReading(client, users)
  const form = formName(operation)
  const { answer, isData: isUnwrapped } = answerOf(operation, reading.plain)
  const changed = does.is === 'feature' ? does.changes?.entity : undefined
  const options = isRead
    ? `query: ${reading.showQuery} = {}`
    : keylessOptions(client, changed ?? null)
  const parameters = [
    'api: Api',
    ...idsIn(path),
    ...(form === null ? [] : [`body: ${typeName(form)}`]),
    options,
  ]
  const send = isUnwrapped ? 'requestData' : 'request'
  const given = [`'${method}'`, pathText(path), isRead ? 'query' : 'options']
  return {
    remark: `${summary}: \`${method} ${path}\`.`,
    name: operationId,
    generics: isRead ? reading.generics : '',
    parameters,
    answer: `Promise<${isRead ? reading.record : answer}>`,
    call: `${send}(api, ${[...given, ...(form === null ? [] : ['body'])].join(', ')})`,
  }
}

/** Returns the options of an operation that answers with secrets: it takes no key. */
function keylessOptions(client: Client, changed: Entity | null): string {
  const part = changed === null ? null : recordPartOf(client, changed)
  if (part === null) return 'options: Options = {}'
  const names = ofWrites(client).map(({ name }) => `'${name}'`)
  const type = names.length > 0 ? `Omit<${part.options}, ${names.join(' | ')}>` : part.options
  return `options: ${type}${part.isRequired ? '' : ' = {}'}`
}

const answers: Readonly<Record<string, { readonly answer: string; readonly isData: boolean }>> = {
  '204': { answer: 'void', isData: false },
  'auth.message': { answer: 'Message', isData: false },
  'auth.signedIn': { answer: 'SignedIn', isData: false },
  'auth.tokens': { answer: 'Token[]', isData: true },
}

/** Any other answer is the user. */
function answerOf(operation: Operation, user: string) {
  const name = answerName(operation)
  if (name === 'auth.verified') return { answer: `${user} & { meta: Message }`, isData: false }
  return answers[name ?? ''] ?? { answer: user, isData: true }
}

/** The name of the response that is a success; null: there is none. */
function answerName({ responses }: Operation): string | null {
  return lastOf(responses.success['200'] ?? responses.success['204'])
}

function formName({ body }: Operation): string | null {
  const schema = inside(inside(inside(body, 'content'), 'application/json'), 'schema')
  return lastOf(schema)?.replace(/^auth\./, '') ?? null
}

function tokenMembers(response: Data): readonly MemberView[] {
  const schema = inside(inside(inside(response, 'content'), 'application/json'), 'schema')
  const items = inside(inside(inside(schema, 'properties'), 'data'), 'items')
  return membersOf(items ?? {})
}

const inside = (data: Data | undefined, key: string): Data | undefined => {
  const value = data?.[key]
  return isData(value) ? value : undefined
}

/** `message` of `#/components/responses/auth.message`. */
function lastOf(reference: Data[string] | undefined): string | null {
  const text = isData(reference) ? reference['$ref'] : undefined
  return typeof text === 'string' ? (text.split('/').at(-1) ?? null) : null
}

/** `RegisterForm` */
const typeName = (form: string) => `${form.charAt(0).toUpperCase()}${form.slice(1)}Form`
