import { add, h, link, table } from './dom.js'
import { layout } from './layout.js'

const signs = { yes: '✓ every record', no: '✕ none', when: '◐ some', error: '! fails' }

/** Development: what each policy answers a guest and some users. */
export function showPolicies(place, { model, route, policies }) {
  const resource = model.byKey.get(route.parts[0])
  const content = layout(place, model, 'policies', resource)
  if (policies === null)
    return add(content, h('h1', 'Policies'), h('p', 'They are shown in development only.'))
  const { users, repositories } = policies
  const count = users.length - 1
  const others = count === 0 ? ' (there are no users yet)' : ` and the first ${count} users`
  const chosen =
    resource === undefined ? repositories : repositories.filter(({ key }) => key === resource.key)
  add(
    content,
    h('h1', 'Policies'),
    h(
      'p.lead',
      'What each method of ',
      h('code', 'app/Policies'),
      ` answers a guest${others}. Development only.`,
    ),
    chosen.map((each) => section(each, users)),
  )
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
  return h(
    'section',
    h('h2', link(`#/policies/${key}`, key)),
    table(`Policy of ${key}`, ['Method', ...heads], rows, '.policies'),
    perRecord.length > 0 && h('p.quiet', note),
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
