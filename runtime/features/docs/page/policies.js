import { add, h, layout, link, replace, table } from './dom.js'
import { address, send } from './http.js'
import { failed } from './values.js'
import { whyOf } from './why.js'

const signs = { yes: '✓ every record', no: '✕ none', when: '◐ some', error: '! fails' }

/** Whom this browser asks about: ids and e-mails. */
const kept = 'svc-users'

/** Development: what each policy answers a guest and some users. */
export async function showPolicies(place, { model, route, isDevelopment }) {
  const resource = model.byKey.get(route.parts[0])
  const content = layout(place, model, 'policies', resource)
  add(content, h('h1', 'Policies'))
  if (!isDevelopment) return add(content, h('p', 'They are shown in development only.'))
  const results = h('div.content')
  const input = h('input', {
    type: 'search',
    value: localStorage.getItem(kept),
    'aria-label': 'Users by id or e-mail',
    placeholder: '1, ann@example.com',
  })
  const load = async (event) => {
    event?.preventDefault()
    localStorage.setItem(kept, input.value)
    results.ariaBusy = true
    const answer = await send('GET', address('/docs/policies', { users: input.value }))
    results.removeAttribute('aria-busy')
    if (!answer.ok) return replace(results, failed(answer))
    const { users, unknown, repositories } = answer.json
    const chosen = repositories.filter(({ key }) => !resource || key === resource.key)
    replace(
      results,
      unknown.length > 0 && h('p.error', { role: 'alert' }, 'No user: ', unknown.join(', ')),
      chosen.map((each) => section(each, users)),
    )
  }
  const about = ['What each method of ', h('code', 'app/Policies'), ' answers a guest and ']
  add(
    content,
    h('p.lead', about, 'up to eight users you name, or those who came first. Development only.'),
    model.signIn && h('form.row.wrap', { onsubmit: load }, input, h('button.small', 'Show')),
    results,
  )
  return load()
}

function section({ key, methods, perRecord }, users) {
  const heads = users.map(({ id, name }) => [name, id && h('span.quiet', ` #${id}`)])
  const rows = methods.map(({ method, answers }) => {
    const cells = answers.map((each, at) =>
      h('td', { 'data-user': users[at].name }, answerOf(each)),
    )
    return [h('code', method), ...cells]
  })
  const note = ['Asked for each record: ', h('code', perRecord.join(', '))]
  const why = h('div')
  const onchange = ({ target }) =>
    replace(
      why,
      users.map(({ id, name }) => [h('h3', name), whyOf(key, target.value, id)]),
    )
  return h(
    'section',
    h('h2', link(`#/policies/${key}`, key)),
    table(`Policy of ${key}`, ['Method', ...heads], rows, '.policies'),
    perRecord.length > 0 && h('p.quiet', note),
    h('input', { onchange, 'aria-label': `Id of ${key}`, placeholder: 'Why? An id' }),
    why,
  )
}

function answerOf({ answers, words, sql, parameters = [] }) {
  const values = parameters.length > 0 && ['with ', h('code', JSON.stringify(parameters))]
  return [
    h('span', { class: `sign ${answers}` }, signs[answers]),
    words && h('div', words),
    sql && h('details', h('summary', 'SQL'), h('pre', h('code', sql)), h('p.quiet', values)),
  ]
}
