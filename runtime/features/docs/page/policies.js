import { add, h, link } from './dom.js'
import { layout } from './layout.js'
import { scrolling } from './resources.js'

const signs = { yes: '✓ every record', no: '✕ none', when: '◐ some', error: '! fails' }

/** Development: what each policy answers a guest and some users. */
export function showPolicies(place, { model, route, policies }) {
  const resource = model.byKey.get(route.parts[0])
  const content = layout(place, model, 'policies', resource)
  if (policies === null)
    return add(content, h('h1', 'Policies'), h('p', 'They are shown in development only.'))
  const { users, repositories } = policies
  const chosen =
    resource === undefined ? repositories : repositories.filter(({ key }) => key === resource.key)
  add(
    content,
    h('h1', 'Policies'),
    h(
      'p.lead',
      'What each method of ',
      h('code', 'app/Policies'),
      ` answers a guest and the first ${users.length - 1} users of this database. Development only.`,
    ),
    chosen.map((each) => section(each, users)),
  )
}

function section({ key, methods, perRecord }, users) {
  const heads = users.map(({ id, name }) =>
    h('th', { scope: 'col' }, name, id === null ? null : h('span.quiet', ` #${id}`)),
  )
  const rows = methods.map(({ method, answers }) =>
    h(
      'tr',
      h('th', { scope: 'row' }, h('code', method)),
      answers.map((answer, at) => h('td', { 'data-user': users[at].name }, answerOf(answer))),
    ),
  )
  const table = h(
    'table.policies',
    { 'aria-label': `Policy of ${key}` },
    h('thead', h('tr', h('th', { scope: 'col' }, 'Method'), heads)),
    h('tbody', rows),
  )
  const note =
    perRecord.length === 0
      ? null
      : h('p.quiet', 'Asked for each record: ', h('code', perRecord.join(', ')))
  return h(
    'section',
    h('h2', link(`#/policies/${key}`, key)),
    scrolling(table, `Policy of ${key}`),
    note,
  )
}

function answerOf({ answers, words, sql, parameters = [] }) {
  const sign = h('span', { class: `sign ${answers}` }, signs[answers])
  if (words === undefined) return sign
  const values =
    parameters.length === 0 ? null : h('p.quiet', 'with ', h('code', JSON.stringify(parameters)))
  const more =
    sql === undefined ? null : h('details', h('summary', 'SQL'), h('pre', h('code', sql)), values)
  return [sign, h('div.condition', words), more]
}
