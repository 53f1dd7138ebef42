import { general } from './document.js'

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
  const given = [...ids.map(text), ...[body, options].filter(Boolean).map(indented)]
  const call = `${resource ? `${names}.` : ''}${name}(${['api', ...given].join(', ')})`
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

/** What is matched by stands below `match` there, each value of its own type. */
function optionsText({ query, headers = {} }, { parameters }, { follow }) {
  const said = {}
  for (const { name, schema, required } of parameters) {
    if (name === 'If-Match') {
      const version = /^"(\d+)"$/.exec(headers[name] ?? '')?.[1] ?? (required ? 1 : null)
      if (version !== null) said.version = Number(version)
    }
    if (!query[name] || name === 'dryRun') continue
    const value = valueOf(query[name], follow(schema), follow)
    if (name === 'search') said.search = query.search
    else if (general.has(name)) said[name] = name === 'include' ? query[name].split(',') : value
    else (said.match ??= {})[name.replace(/^filter\[(.+)]$/, '$1')] = value
  }
  return Object.keys(said).length > 0 ? JSON.stringify(said) : ''
}

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
