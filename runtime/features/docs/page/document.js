/** A field may be called `constructor`: what every object has is none of them. */
export const own = (object, name) =>
  object && Object.hasOwn(object, name) ? object[name] : undefined

/** Reads the page's model of the API from its OpenAPI document. */
export function readDocument(document) {
  const { components = {} } = document
  const follow = (value) => {
    let found = value
    while (typeof found?.$ref === 'string') {
      const [kind, name] = found.$ref.split('/').slice(2).map(unescaped)
      found = components[kind]?.[name]
    }
    return found ?? {}
  }
  const model = { title: document.info?.title ?? 'API', about: document.info?.description ?? '' }
  model.operations = operationsOf(document, follow)
  model.byId = new Map(model.operations.map((each) => [each.id, each]))
  const places = new Map(model.operations.map((each) => [`${each.method} ${each.path}`, each]))
  model.at = (method, path) => places.get(`${method} ${path}`) ?? null
  model.byTag = new Map()
  for (const each of model.operations) {
    if (!model.byTag.has(each.tag)) model.byTag.set(each.tag, [])
    model.byTag.get(each.tag).push(each)
  }
  model.follow = follow
  model.resources = resourcesOf(document, model)
  model.byKey = new Map(model.resources.map((each) => [each.key, each]))
  model.signIn = model.byId.get('login') ?? null
  model.profile = model.byId.get('showOwnProfile') ?? null
  model.signOut = model.byId.get('logout') ?? null
  return model
}

const unescaped = (part) => part.replaceAll('~1', '/').replaceAll('~0', '~')

const methods = ['get', 'post', 'put', 'patch', 'delete']

function operationsOf({ paths = {}, security = [] }, follow) {
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const found = item[method]
      if (found === undefined) return []
      const given = [...(item.parameters ?? []), ...(found.parameters ?? [])].map(follow)
      const parameters = given.flatMap((each) => membersOf(each, follow))
      const sent = found.requestBody?.content?.['application/json']?.schema
      const body = sent === undefined ? null : firstOf(sent)
      return {
        id: found.operationId ?? method + path.replaceAll(/\W+/g, '_'),
        method: method.toUpperCase(),
        path,
        summary: found.summary ?? '',
        description: found.description ?? '',
        tag: found.tags?.[0] ?? 'other',
        parameters,
        body,
        responses: found.responses ?? {},
        security: found.security ?? security,
        isDestructive: method === 'delete' || !!found['x-destructive'],
      }
    }),
  )
}

/** Returns the first of several possible bodies, or of a list of such. */
function firstOf(schema) {
  const { anyOf, items } = schema
  if (anyOf !== undefined) return anyOf[0]
  return items?.anyOf === undefined ? schema : { ...schema, items: items.anyOf[0] }
}

/** A schema with all that it is made of: its parts, one over the other. */
export function whole(schema, follow) {
  const found = follow(schema)
  if (found.allOf === undefined) return found
  const { allOf, ...rest } = found
  const parts = [...allOf, rest].map((part) => whole(part, follow))
  const properties = {}
  const required = parts.flatMap((part) => part.required ?? [])
  for (const part of parts) {
    for (const [name, value] of Object.entries(part.properties ?? {})) {
      properties[name] = own(properties, name) ? { allOf: [properties[name], value] } : value
    }
  }
  return Object.assign({}, ...parts, { properties, required })
}

/** Splits a parameter that is an object into one for each member: `filter[price][gte]`. */
function membersOf(parameter, follow) {
  if (parameter.style !== 'deepObject') return [parameter]
  const members = Object.entries(follow(parameter.schema).properties ?? {})
  return members.map(([word, schema]) => {
    return { ...parameter, name: `${parameter.name}[${word}]`, style: 'form', schema }
  })
}

const nameOf = (schema) => schema?.$ref?.split('/').at(-1) ?? null

function resourcesOf(document, model) {
  const { follow, operations } = model
  const about = new Map((document.tags ?? []).map(({ name, description }) => [name, description]))
  const lists = operations.filter(({ method, path }) => method === 'GET' && !path.includes('{'))
  const found = lists.flatMap((index) => {
    const page = nameOf(answerOf(index, follow))
    const items = follow(answerOf(index, follow)).allOf?.[1]?.properties?.data?.items
    const record = nameOf(items)
    if (page === null || record === null || !record.endsWith('Resource')) return []
    const name = record.slice(0, -'Resource'.length)
    const related = follow({ $ref: `#/components/schemas/${name}Related` })
    const key = related.properties?.type?.const ?? index.tag
    return { key, name, index, related, description: about.get(key) ?? '' }
  })
  const keys = new Map(found.map(({ key, name }) => [`${name}Related`, key]))
  return found.map((each) => resourceOf(each, keys, model))
}

const answerOf = ({ responses }, follow) =>
  follow(responses[200]).content?.['application/json']?.schema

function resourceOf({ key, name, index, related, description }, keys, { at, byTag, follow }) {
  const { path } = index
  const one = `${path}/{id}`
  const actions = {
    index,
    store: at('POST', path),
    show: at('GET', one),
    patch: at('PATCH', one),
    delete: at('DELETE', one),
    restore: at('POST', `${one}/restore`),
    force: at('DELETE', `${one}/force`),
    asks: at('GET', `${path}/filters`),
  }
  const attributes = whole(related.properties?.attributes ?? {}, follow).properties ?? {}
  const relations = Object.entries(
    whole(related.properties?.relationships ?? {}, follow).properties ?? {},
  ).map(([name, schema]) => relationOf({ name, schema, keys, attributes, follow }))
  const fields = fieldsOf(attributes, actions, relations, follow)
  const parameters = new Map(index.parameters.map((each) => [each.name, each]))
  return {
    key,
    name,
    path,
    description: description || follow({ $ref: `#/components/schemas/${name}` }).description || '',
    title: related['x-title'] ?? fields.find(({ schema }) => isPlainText(schema))?.name,
    actions,
    fields,
    relations,
    sorts: listOf(parameters.get('sort')).filter((sort) => !sort.startsWith('-')),
    matches: index.parameters.filter(isMatch(parameters)).map((each) => {
      return {
        name: each.name,
        schema: follow(each.schema),
        canNegate: parameters.has(`-${each.name}`),
        compared: index.parameters.filter(({ name }) => name.startsWith(`filter[${each.name}][`)),
      }
    }),
    filters: filtersOf(parameters.get('filters'), follow),
    canSearch: parameters.has('search'),
    hasFile: 'text/csv' in (follow(index.responses[200]).content ?? {}),
    operations: byTag.get(key) ?? [],
  }
}

/** The document names the title only where it is not the first of these. */
const isPlainText = ({ type, format, pattern, enum: options }) =>
  [type].flat().includes('string') && (format ?? pattern ?? options) === undefined

const listOf = (parameter) => parameter?.schema?.items?.enum ?? parameter?.schema?.enum ?? []

/** Parameters of a list that are not columns to match by. */
export const general = new Set(
  'page perPage relatablePerPage withMeta include related sort search trashed fields withCount filters cursor withTotal offset limit'.split(
    ' ',
  ),
)

/** `filters=`, which is base64 of JSON; what is none of it asks nothing. */
export function saidOf(query) {
  try {
    const bytes = Uint8Array.from(atob(query.filters), (each) => each.charCodeAt(0))
    const said = [JSON.parse(new TextDecoder().decode(bytes))]
    return said.flat().filter((each) => each?.key)
  } catch {
    return []
  }
}

/** A column may be called `fields` where no parameter is; then it has its minus. */
const isMatch =
  (all) =>
  ({ name, in: place }) =>
    place === 'query' &&
    (!general.has(name) || all.has(`-${name}`)) &&
    !name.startsWith('-') &&
    !/[[\]]/.test(name)

/** Filters that the server's own code answers; all that are sent are one parameter. */
function filtersOf(parameter, follow) {
  const items = parameter?.schema.contentSchema?.items
  return (items?.anyOf ?? [items ?? []].flat()).map(({ properties: { key, value } }) => {
    const { const: name, title: label = name, description } = follow(key)
    return { name, label, description, schema: follow(value) }
  })
}

/** A record with its pivot row is told in full. */
const ofPivot = (ref) => (ref.properties?.pivots === undefined ? null : ref.properties.type.const)

/** Reads the target of a relation; `targets` is empty for a computed value. */
function relationOf({ name, schema, keys, attributes, follow }) {
  const found = follow(schema)
  const isMany = found.type === 'array'
  const item = isMany ? found.items : null
  const refs = isMany ? [item] : (found.anyOf ?? [])
  const targets = refs.flatMap((ref) => keys.get(nameOf(ref)) ?? ofPivot(ref) ?? [])
  const pivots = item?.properties?.pivots
  const column = found['x-column'] ?? `${name}_id`
  const isHere = !isMany && own(attributes, column) !== undefined
  return {
    name,
    targets,
    isMany,
    pivot: pivots === undefined ? null : Object.keys(pivots.properties ?? {}),
    description: found.description ?? '',
    column: isHere && targets.length > 0 ? column : null,
  }
}

export function kindOf({ targets, isMany, pivot }) {
  if (targets.length === 0) return 'value'
  if (pivot !== null) return 'many to many'
  return isMany ? 'to many' : 'to one'
}

/** Fields that are shown, and those that are only written (a password). */
function fieldsOf(attributes, { store, patch }, relations, follow) {
  const bodies = [store, patch].map((each) => whole(each?.body ?? {}, follow))
  const [stored = {}, patched = {}] = bodies.map(({ properties }) => properties ?? {})
  const related = relations.flatMap(({ name, targets }) => (targets.length > 0 ? name : []))
  return Object.keys({ ...attributes, ...stored, ...patched })
    .filter((name) => !related.includes(name))
    .map((name) => {
      const [shown, added, changed] = [attributes, stored, patched].map((each) => own(each, name))
      const pointing = relations.find(({ column }) => column === name)
      return {
        name,
        schema: follow(shown ?? added ?? changed),
        input: follow(changed ?? added ?? {}),
        isShown: shown !== undefined,
        canStore: added !== undefined,
        canPatch: changed !== undefined,
        isRequired: bodies[0].required?.includes(name) ?? false,
        target: pointing?.targets.length === 1 ? pointing.targets[0] : null,
      }
    })
}

/** `Id` and other unions as one schema: of its kinds all words, of one or many the list, and JSON is an object. */
export function readable(schema, follow) {
  const kinds = partsOf(schema, follow)
  if (kinds.length === 1) return kinds[0]
  const types = [...new Set(kinds.flatMap(({ type }) => type ?? []))]
  const isNullable = types.includes('null') || kinds.some((kind) => kind.const === null)
  const maybe = isNullable ? ['null'] : []
  if (types.includes('object')) return { type: ['object', ...maybe] }
  const list = kinds.find(({ type }) => type === 'array')
  if (list) return list
  const some = kinds.filter(({ type, const: only }) => type !== 'null' && only === undefined)
  const type = [...types.filter((each) => each !== 'null'), ...maybe]
  return Object.assign({}, ...some, { type })
}

function partsOf(schema, follow) {
  const found = follow(schema)
  if (found.anyOf === undefined || found.type !== undefined) return [found]
  return found.anyOf.flatMap((part) => partsOf(part, follow))
}

/** A schema in a few words: `text, at most 160, may be empty`. */
export function typeWords(schema, follow = (each) => each) {
  const found = readable(schema, follow)
  const { type, maxLength, minLength, minimum, maximum } = found
  const kinds = [type ?? []].flat()
  const words = [kindWords(found, kinds, follow)]
  if (minLength !== undefined) words.push(`at least ${minLength}`)
  if (maxLength < 10_000) words.push(`at most ${maxLength}`)
  if (minimum > -2147483648) words.push(`from ${minimum}`)
  if (maximum < 2147483647) words.push(`to ${maximum}`)
  if (kinds.includes('null')) words.push('may be empty')
  return words.join(', ')
}

/** Formats of texts: the name, the input and the link of each; null: there is no link. */
const formats = {
  'date-time': { words: 'date and time (UTC)' },
  date: { words: 'date' },
  email: { words: 'e-mail', input: { type: 'email', autocomplete: 'off' } },
  password: { input: { type: 'password', autocomplete: 'new-password' } },
  phone: {
    words: 'international phone number',
    input: { type: 'tel', autocomplete: 'off' },
    href: (text) => (/^\+\d+$/.test(text) ? `tel:${text}` : null),
  },
  uri: {
    words: 'http or https URL',
    input: { type: 'url', autocomplete: 'off' },
    // A text of another server becomes no link only because a document says so.
    href: (text) => (/^https?:\/\//i.test(text) ? text : null),
  },
  uuid: { words: 'uuid' },
}

export const formatOf = ({ format }) => own(formats, format) ?? {}

const names = { string: 'text', integer: 'integer', number: 'number', boolean: 'yes or no' }

function kindWords(schema, kinds, follow) {
  const { enum: options, minimum, items } = schema
  const { words } = formatOf(schema)
  if (options !== undefined) return options.filter((each) => each !== null).join(' | ')
  if (kinds.includes('object')) return 'any value'
  if (kinds.includes('array')) return `list of ${items ? typeWords(items, follow) : 'values'}`
  if (words !== undefined) return words
  const isNumber = kinds.includes('string') && minimum !== undefined
  if (isNumber) return kinds.includes('integer') ? 'id' : 'decimal'
  return names[kinds[0]] ?? 'any value'
}

export function titleOf(resource, record) {
  const { attributes = {}, id } = record ?? {}
  const text = String(own(attributes, resource?.title) ?? '')
  if (text === '') return `#${id}`
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}

/** One value of what a match takes: it is a value, or a list of them. */
export function matchSchema(schema, follow) {
  const found = follow(schema)
  const first = follow(found.anyOf?.[0] ?? found)
  const one = follow(first.items ?? first)
  return { ...one, ...one.anyOf?.[0] }
}
