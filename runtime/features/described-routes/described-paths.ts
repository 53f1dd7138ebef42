import { STATUS_CODES } from 'node:http'
import { findTargetHandler } from 'hono/utils/handler'
import type { z } from 'zod'
import { descriptionOf, type RouteDescription } from './description.js'
import { jsonSchemas, type Data, type Schemas } from './json-schemas.js'
import { type PathTemplate, templateOf } from './path-template.js'

/** The routes that are registered in a Hono application. */
interface HasRoutes {
  readonly routes: readonly {
    readonly method: string
    readonly path: string
    readonly handler: Function
  }[]
}

interface Found {
  readonly method: string
  /** As Hono has it. */
  readonly path: string
  readonly template: PathTemplate
  readonly description: RouteDescription
}

/** A description that no document can have. */
interface Wrong {
  readonly description: RouteDescription
  readonly message: string
  readonly fix: string
}

/**
 * Paths and components of a document of OpenAPI: of the routes that are described, and what is wrong
 * with those that it cannot have, with `summary` and `operationId` by which they are found.
 */
export function describedPaths(app: HasRoutes, base: string) {
  const wrong: Wrong[] = []
  const paths = new Map<string, Record<string, Data>>()
  const schemas: Record<string, Data> = Object.create(null) as Record<string, Data>
  const names = new Map<string, string>()
  for (const { method, path, template, description } of found(app, base, wrong)) {
    const { shown } = template
    const item = paths.get(shown) ?? {}
    const verb = method.toLowerCase()
    const operationId = description.operationId ?? nameOf(method, shown)
    const other = names.get(operationId)
    if (Object.hasOwn(item, verb)) {
      const message = `${method} ${path} is ${method} ${shown} in a document, and so is another route`
      wrong.push({ description, message, fix: 'describe one of them' })
    } else if (other !== undefined) {
      const message = `'${operationId}' would name two routes, ${other} and ${method} ${path}`
      wrong.push({ description, message, fix: 'another operationId for one of them' })
    } else {
      names.set(operationId, `${method} ${path}`)
      const parts = jsonSchemas(operationId, schemas)
      item[verb] = operationOf(description, operationId, template, parts)
      paths.set(shown, item)
    }
  }
  const said = { paths: Object.fromEntries(paths), components: { schemas: { ...schemas } } }
  return {
    said,
    wrong: wrong.map(({ description: { summary, operationId }, ...rest }) => ({
      ...rest,
      summary,
      operationId,
    })),
  }
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

function found({ routes }: HasRoutes, base: string, wrong: Wrong[]): readonly Found[] {
  return routes.flatMap(({ method, path, handler }) => {
    const description = descriptionOf(findTargetHandler(handler))
    if (description === undefined) return []
    const whole = `${base}${path === '/' ? '' : path}`
    const template = templateOf(whole)
    if (methods.includes(method) && 'shown' in template) {
      return [{ method, path: whole, template, description }]
    }
    const why = 'problem' in template ? `: it ${template.problem}` : ''
    wrong.push({
      description,
      message: `${method} ${whole} is no one route that a document can have${why}`,
      fix: `one of ${methods.join(', ')}, and a path of texts and parameters: '/guests/:id', '/guests/:id{[0-9]+}'`,
    })
    return []
  })
}

/** `postInvitationsIdAccept` of `POST /api/invitations/{id}/accept`. */
function nameOf(method: string, path: string): string {
  const words = path
    .replace(/^\/api\//, '')
    .split(/\W+/)
    .filter(Boolean)
  const studly = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return method.toLowerCase() + studly.join('')
}

const asks = {
  required: 'Asks for a token.',
  optional: 'Takes a token, and does without.',
  none: 'Anybody may ask.',
}
const security = { required: [{ bearer: [] }], optional: [{}, { bearer: [] }], none: [] }

function operationOf(
  description: RouteDescription,
  operationId: string,
  template: PathTemplate,
  schemas: Schemas,
): Data {
  const { summary, tags = ['own'], token = 'none', body, answers } = description
  const parameters = [
    ...pathParameters(template, description, schemas),
    ...inQuery(description, schemas),
  ]
  const statuses = new Map<number, Data>()
  for (const status of failuresOf(description, parameters)) statuses.set(status, failure(status))
  for (const [status, schema] of Object.entries(answers)) {
    statuses.set(Number(status), answer(Number(status), schema, schemas))
  }
  return {
    operationId,
    summary,
    description: [asks[token], description.description ?? ''].join(' ').trim(),
    tags: [...tags],
    security: security[token],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : { requestBody: content(schemas.of(body, 'body', 'input'), true) }),
    responses: Object.fromEntries([...statuses].toSorted(([a], [b]) => a - b)),
  }
}

/** Lists the error answers of `describeRoute` itself. */
function failuresOf(
  { token, body, query }: RouteDescription,
  parameters: readonly Data[],
): readonly number[] {
  return [
    ...(body === undefined ? [] : [400, 413, 415, 422]),
    ...(query === undefined ? [] : [400]),
    // A segment with NUL in it is 400 on every route.
    ...(parameters.some((each) => each['in'] === 'path') ? [400, 404] : []),
    ...(token === 'required' ? [401] : []),
  ]
}

/** Failures of which every document has the answer. */
const shared = [400, 401, 403, 404, 409, 413, 415, 429]

function failure(status: number): Data {
  if (shared.includes(status)) return { $ref: `#/components/responses/${status}` }
  const schema = { $ref: '#/components/schemas/Error' }
  const text = status === 422 ? 'What is wrong with the body.' : STATUS_CODES[status]
  return { description: text ?? String(status), ...content(schema) }
}

function answer(status: number, schema: z.ZodType | null, schemas: Schemas): Data {
  if (schema === null && status >= 400) return failure(status)
  if (schema === null) return { description: 'Done; the answer has no body.' }
  const text = schema.description ?? STATUS_CODES[status] ?? String(status)
  // `putTrees.200` alone is what kubb calls the answer itself.
  return { description: text, ...content(schemas.of(schema, `answer.${status}`, 'output')) }
}

const content = (schema: Data, isRequired = false): Data => ({
  ...(isRequired ? { required: true } : {}),
  content: { 'application/json': { schema } },
})

function pathParameters({ names }: PathTemplate, { params }: RouteDescription, schemas: Schemas) {
  const known = new Map(
    params === undefined
      ? []
      : schemas.parameters(params, 'params').map((each) => [each.name, each]),
  )
  return names.map((name): Data => {
    const { description = undefined, schema = { type: 'string' } } = known.get(name) ?? {}
    return { name, in: 'path', required: true, ...(description ? { description } : {}), schema }
  })
}

function inQuery({ query }: RouteDescription, schemas: Schemas): readonly Data[] {
  if (query === undefined) return []
  return schemas.parameters(query, 'query').map(({ name, schema, isRequired, description }) => ({
    ...{ name, in: 'query' },
    ...(isRequired ? { required: true } : {}),
    ...(description === undefined ? {} : { description }),
    ...(schema['type'] === 'array' ? { style: 'form', explode: false } : {}),
    schema,
  }))
}
