import { add, ask, badge, code, confirm, h, method, replace } from './dom.js'
import { bodyFields, fieldsForm } from './form.js'
import { address, outside, problem, send, session } from './http.js'
import { parametersForm } from './parameters.js'
import { clientCode, curl } from './snippets.js'
import { cost } from './values.js'

/** Any operation as a form, its answer, and the same request for elsewhere. */
export function showTry(place, { model, route }) {
  const operation = model.byId.get(route.parts[0])
  place.classList.add('sided')
  const content = h('div.content')
  place.append(chooser(model, operation), sideList(model, operation), content)
  const about = 'Choose an operation: it is sent with your token, and shown as curl and as code.'
  if (!operation) return add(content, h('h1', 'Try'), h('p.lead', about))
  tryOperation(content, operation, { model, route })
}

function sideList({ byTag }, current) {
  const [first] = byTag.keys()
  const groups = [...byTag].map(([tag, list]) => {
    const items = () =>
      list.map(({ id, method: verb, summary }) => {
        const about = { 'aria-current': id === current?.id ? 'true' : null, title: id }
        return h('li', h('a', { href: `#/try/${id}`, ...about }, method(verb), summary || id))
      })
    const open = tag === (current?.tag ?? first)
    const place = h('ul', open && items())
    // A list of thousands is made where somebody opens it.
    const ontoggle = () => place.firstChild ?? add(place, items())
    return h('details', { open, ontoggle }, h('summary', tag), place)
  })
  return h('nav.side.wide', { 'aria-label': 'Operations' }, groups)
}

/** On small screens; of very many operations, those of one repository. */
function chooser({ byTag, operations }, current) {
  const tags = operations.length < 1000 ? [...byTag.keys()] : [current?.tag ?? 'auth']
  const groups = tags.map((tag) => {
    const options = (byTag.get(tag) ?? []).map(({ id, method: verb, path }) =>
      h('option', { value: id, selected: id === current?.id }, `${verb} ${path}`),
    )
    return h('optgroup', { label: tag }, options)
  })
  const onchange = (event) => (location.hash = `#/try/${event.target.value}`)
  const none = h('option', { value: '' }, 'Choose an operation …')
  const select = h('select', { 'aria-label': 'Operation', onchange }, none, groups)
  return h('div.chooser', select)
}

function tryOperation(content, operation, { model, route }) {
  const { method: verb, path, summary, description, id, isDestructive } = operation
  const parameters = parametersForm(operation, route.query, model.follow)
  const body = operation.body && bodyForm(operation, model)
  const sent = () => {
    const query = parameters.query()
    const headers = parameters.headers()
    return { path: address(parameters.path(path), query), query, headers, body: body?.read() }
  }
  const codes = codeBlocks(() => {
    const rest = { ids: parameters.ids(), operation, model, hasToken: takesToken(operation) }
    return { method: verb, ...rest, ...sent() }
  })
  const result = h('section', { 'aria-live': 'polite' })
  const run = async (event) => {
    event.preventDefault()
    const missing = parameters.missing()
    if (missing) return missing.focus()
    const request = sent()
    const [, name] = /\/sync\/(\w+)$/.exec(path) ?? []
    const empty = name && /\[\s*\]/.test(request.body) && `This detaches all ${name}.`
    const loss = isDestructive ? `${summary || id}: ${request.path}?` : empty
    const isDryRun = request.query.dryRun === 'true'
    const isKept = verb === 'DELETE' && deletedBy(path, model)?.actions.restore
    if (!loss || isDryRun) await call(request)
    else if (isKept) ask(`${loss} It goes into the trash.`, 'Send', () => call(request))
    else confirm(loss, 'Send', () => call(request))
  }
  const call = async (request) => {
    const answer = await send(verb, request.path, request.body, request.headers)
    showAnswer(result, answer)
    body?.showErrors(answer.json?.errors)
    result.scrollIntoView({ block: 'nearest' })
  }
  const byKey = ({ key, ctrlKey, metaKey, currentTarget }) => {
    if (key === 'Enter' && (ctrlKey || metaKey)) currentTarget.requestSubmit()
  }
  const listeners = { onsubmit: run, oninput: codes.renew, onchange: codes.renew, onkeydown: byKey }
  add(
    content,
    h('h1', summary || id),
    h('p', method(verb), h('code', path), ' ', h('code.quiet', id)),
    description && h('p', description),
    h(
      'form.call',
      { novalidate: true, ...listeners },
      parameters.elements,
      body?.element,
      h('div.row', h('button.button', 'Send'), h('span.quiet.keys', 'or Ctrl-Enter')),
    ),
    result,
    codes.elements,
  )
  codes.renew()
}

/** Returns the resource whose records a request to this path deletes, unless it deletes them for good. */
function deletedBy(path, { resources, byKey }) {
  for (const resource of resources) {
    const below = resource.relations
      .filter(({ name }) => path === `${resource.path}/{id}/${name}/{relatedId}`)
      .map(({ targets }) => byKey.get(targets[0]))
    if (below.length > 0) return below[0]
    if (path === resource.path || path === `${resource.path}/{id}`) return resource
  }
}

/** Public ones take one, and do without. */
const takesToken = ({ security }) =>
  security.length > 0 && (session.token !== null || !security.some((each) => !('bearer' in each)))

/** The request for elsewhere; the token is in it only where somebody asks for that. */
function codeBlocks(request) {
  const blocks = [
    { ...code('', 'curl'), write: curl },
    { ...code('', 'npx --no svc client api'), write: clientCode },
  ]
  const renew = () => {
    const { path, ...rest } = request()
    const token = box.checked ? session.token : null
    const whole = { ...rest, base: outside(''), url: outside(path), token }
    for (const { set, write } of blocks) set(write(whole))
  }
  const box = h('input', { type: 'checkbox', onchange: renew })
  const choice = session.token !== null && h('label.check', box, 'Put my token into the code')
  const shown = blocks.map(({ block }) => block)
  return { renew, elements: [h('div.codes', shown), choice] }
}

/** The fields of a body, and the JSON they make, which may be edited for itself. */
function bodyForm(operation, model) {
  const { follow } = model
  const resource = model.byKey.get(operation.tag)
  const { type, items = operation.body } = follow(operation.body)
  // The first of a list.
  const isList = type === 'array'
  const fields = bodyFields({ ...operation, body: items }, resource, follow)
  const values = follow(items).examples?.[0] ?? {}
  const form = fieldsForm(fields, {
    values,
    model,
    prefix: 'body',
  })
  const about = { rows: 6, spellcheck: 'false', 'aria-label': 'Body as JSON' }
  const json = h('textarea.mono', about)
  // Empty values are not sent: they are examples, and no record has them.
  const said = () =>
    Object.entries(form.read()).filter(([, value]) => value !== '' && value !== null)
  const write = () => {
    const one = Object.fromEntries(said())
    json.value = JSON.stringify(isList ? [one] : one, null, 2)
  }
  const holder = h('div.grid', { oninput: write, onchange: write }, form.elements)
  write()
  const written = h('details', h('summary', 'As JSON'), json)
  const element = h('fieldset', h('legend', 'Body'), holder, written)
  return { element, read: () => json.value, showErrors: form.showErrors }
}

function showAnswer(result, answer) {
  const { status, ok, text, json } = answer
  const title = h(
    'div.row.between.wrap',
    h('h2', 'Answer ', badge(String(status), ok ? 'good' : 'bad')),
    cost(answer),
  )
  const shown =
    text === '' && status !== 0 ? '(no body)' : json === null ? text : JSON.stringify(json, null, 2)
  replace(
    result,
    title,
    ok ? null : h('p.error', problem(answer)),
    h('pre', { tabindex: 0, 'aria-label': 'Body of the answer' }, h('code', shown)),
  )
}
