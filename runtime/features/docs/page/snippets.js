import { general, saidOf } from './document.js'

/** A request in words for elsewhere. */
const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`

export function curl({ method, url, body, headers = {}, hasToken, token }) {
  const bearer =
    token === null ? '"Authorization: Bearer $TOKEN"' : `'Authorization: Bearer ${token}'`
  const lines = [
    `curl ${/[[{]/.test(url) ? '-g ' : ''}${method === 'GET' ? '' : `-X ${method} `}${quoted(url)}`,
    hasToken && `-H ${bearer}`,
    ...Object.entries(headers).map((each) => `-H ${quoted(each.join(': '))}`),
    body !== undefined && `-H 'Content-Type: application/json' \\\n  -d ${quoted(body)}`,
  ]
  return lines.filter(Boolean).join(' \\\n  ')
}

/** A call of the function that `svc client` writes for an operation; empty where it has none. */
export function clientCode(request) {
  const { base, operation, ids, query, headers, body, model, hasToken, token } = request
  const { tag } = operation
  const resource = model.byKey.get(tag)
  const name = functionOf(operation, resource)
  if (name === null) return ''
  const module = /^(auth|client|types)$/i.test(tag) && resource ? `${tag}-repository` : tag
  const names = tag.replaceAll(/(?:^|\W+)(\w)/g, (_, next) => next.toUpperCase())
  const options = optionsText({ query, headers }, operation, model)
  const isDryRun = query.dryRun === 'true'
  const { cursor } = query
  const from = cursor == null ? [] : [text(cursor)]
  const given = [...ids.map(text), ...from, ...[body, options].filter(Boolean).map(indented)]
  const called = cursor == null ? name : name.replace(/^index/, 'pageFrom')
  const call = `${resource ? `${names}.` : ''}${called}(${['api', ...given].join(', ')})`
  const signed = `, token: ${text(token ?? 'TOKEN')}`
  return [
    `import { createApi${isDryRun ? ', dryRun' : ''} } from './api/client.js'`,
    resource
      ? `import * as ${names} from './api/${module}.js'`
      : `import { ${name} } from './api/auth.js'`,
    `const api = createApi({ baseUrl: ${text(base)}${hasToken ? signed : ''} })`,
    `console.log(await ${isDryRun ? `dryRun(api, (api) => ${call})` : call})`,
  ].join('\n')
}

const actions = { GET: 'show', PUT: 'replace', PATCH: 'patch', DELETE: 'destroy' }

/** A route that only says why something cannot be done has none. */
function functionOf({ id, method, path, responses, tag }, resource) {
  if (Number(Object.keys(responses)[0]) >= 300) return null
  if (!resource) return tag === 'auth' ? id : null
  if (path === resource.path) return method === 'GET' ? 'index' : 'store'
  if (path === `${resource.path}/{id}`) return actions[method]
  if (path === `${resource.path}/bulk`) return method === 'POST' ? 'storeMany' : 'patchMany'
  const { name } = resource
  const below = id.replace(new RegExp(`^(attach|sync|detach)${name}|Of${name}$`), '$1')
  return below === id ? null : below
}

/** In the client, filters are below `match`, each value with its own type. */
function optionsText({ query, headers = {} }, { parameters }, { follow }) {
  const said = {}
  for (const { name, schema, required } of parameters) {
    if (name === 'If-Match') {
      const version = /^"(\d+)"$/.exec(headers[name] ?? '')?.[1] ?? (required ? 1 : null)
      if (version !== null) said.version = Number(version)
    }
    if (!query[name] || name === 'dryRun' || isElsewhere(name, query)) continue
    const all = valueOf(query[name], follow(schema), follow)
    // Records have their id whatever is asked.
    const value = name === 'fields' ? all.filter((each) => each !== 'id') : all
    if (name === 'search') said.search = query.search
    else if (name === 'filters') said.filters = filtersIn(query)
    else if (name.startsWith('include[')) includeIn(said, name, value)
    else if (general.has(name)) said[name] = name === 'include' ? query[name].split(',') : value
    else matchIn((said.match ??= {}), name, value)
  }
  return Object.keys(said).length > 0 ? JSON.stringify(said) : ''
}

/** `filter[price][gte]` is `price: { gte: 5 }` there, which says more than a value of `price` does. */
function matchIn(match, name, value) {
  const [, column, operator] = /^filter\[(.+?)](?:\[(\w+)])?$/.exec(name) ?? [name, name]
  const isCompared = typeof match[column] === 'object' && !Array.isArray(match[column])
  const values = /^(in|notIn)$/.test(operator) ? String(value).split(',') : value
  if (operator === undefined) match[column] = value
  else match[column] = { ...(isCompared ? match[column] : {}), [operator]: values }
}

/** A cursor is an argument of its own, and `include` of the client names fields of related records. */
const isElsewhere = (name, { cursor }) =>
  name === 'cursor' ||
  (cursor == null ? name === 'withTotal' : ['page', 'offset', 'limit'].includes(name)) ||
  name.startsWith('fields[')

/** `include[comments][perPage]` is `include: { comments: { perPage: 3 } }` there, beside what comes as it is. */
function includeIn(said, name, value) {
  const [, path, asked] = /^include\[(.+)]\[(.+)]$/.exec(name)
  const named = said.include ?? []
  const all = Array.isArray(named) ? named.map((each) => [each, true]) : Object.entries(named)
  const include = (said.include = Object.fromEntries(all))
  if (include[path] === true) include[path] = {}
  ;(include[path] ??= {})[asked] = asked === 'sort' ? value.split(',') : value
}

/** Filters of `filters=`, which the client encodes. */
const filtersIn = (query) => Object.fromEntries(saidOf(query).map(({ key, value }) => [key, value]))

/** `a,b` as the list that the parameter is; numbers and booleans as what they are. */
function valueOf(value, { type, anyOf, items, enum: options }, follow) {
  if (value === 'null') return null
  if (anyOf) {
    const list = valueOf(value, follow(anyOf[0]), follow)
    return list.length === 1 ? list[0] : list
  }
  if (type === 'array') return value.split(',').map((each) => valueOf(each, follow(items), follow))
  if (type === 'boolean' || options?.includes(true)) return /^(1|true)$/.test(value)
  return type === 'integer' || type === 'number' ? Number(value) : value
}

const text = (value) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

const indented = (body) => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
