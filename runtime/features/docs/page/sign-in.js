import { findUser } from './account.js'
import { own, titleOf } from './document.js'
import { add, button, h, labelled, link, replace, say } from './dom.js'
import { problem, send, session, signIn } from './http.js'
import { shown } from './values.js'

export function showSignIn(place, { model, mustKeep = false }) {
  if (session.token !== null && !mustKeep) return showUser(place, model)
  const input = (type, autocomplete) => h('input', { type, autocomplete, required: true, id: type })
  const email = input('email', 'username')
  const password = input('password', 'current-password')
  const token = h('input.mono', { autocomplete: 'off', spellcheck: 'false', id: 'token' })
  const keep = h('input', { type: 'checkbox', checked: mustKeep, disabled: mustKeep })
  const wrong = h('p.error', { role: 'alert' })
  const path = model?.signIn?.path ?? '/api/login'
  const byPassword = async (event) => {
    event.preventDefault()
    const form = JSON.stringify({ email: email.value, password: password.value })
    const answer = await send('POST', path, form)
    const { status, json } = answer
    if (!answer.ok)
      return replace(wrong, status === 401 ? (json?.message ?? 'No.') : problem(answer))
    say('Signed in.')
    signIn(json.meta.token, json, keep.checked)
    if (!mustKeep) location.hash = '#/data'
  }
  const byToken = async (event) => {
    event.preventDefault()
    const text = token.value.trim().replace(/^(?:Authorization: )?Bearer /i, '')
    if (text === '') return
    Object.assign(session, { token: text, user: null })
    if (!mustKeep) await findUser(model)
    if (session.token === null) return replace(wrong, 'That token is not valid.')
    signIn(text, session.user, keep.checked)
    if (!mustKeep) location.hash = '#/data'
  }
  const then = mustKeep ? ': the page is loaded again with it.' : '; else a reload forgets it.'
  const note = ['Keep the token for this tab until it is closed', then]
  add(
    place,
    mustKeep ? null : h('h1', 'Sign in'),
    wrong,
    h(
      'div.panels',
      h(
        'form.panel',
        { onsubmit: byPassword },
        h('h2', 'With a password'),
        labelled('E-mail', email),
        labelled('Password', password),
        h('button.button', 'Sign in'),
      ),
      h(
        'form.panel',
        { onsubmit: byToken },
        h('h2', 'With a token'),
        labelled('Token', token),
        h('p.quiet', 'As the seed or a sign-in gave it: 1|abc…'),
        h('button.button', 'Use it'),
      ),
    ),
    h('label.check', keep, note),
  )
}

function showUser(place, model) {
  const { user } = session
  const name = user === null ? 'somebody' : titleOf(model.byKey.get(user.type), user)
  const leave = async () => {
    if (model.signOut !== null) await send('POST', model.signOut.path)
    signIn(null)
    say('Signed out.')
  }
  const fields = model.byKey.get(user?.type)?.fields.filter(({ isShown }) => isShown) ?? []
  const facts = fields.map((field) => [
    h('dt', field.name),
    h('dd', shown(own(user.attributes, field.name), field.schema)),
  ])
  const isKnown = user !== null && model.byKey.has(user.type)
  const record = isKnown && h('p', link(`#/data/${user.type}/${user.id}`, 'Open the record'))
  add(
    place,
    h('h1', `Signed in as ${name}`),
    h('dl.facts.record', facts),
    record,
    h(
      'p.quiet',
      `The token is ${session.isKept ? 'kept for this tab until it is closed' : 'in memory: a reload forgets it'}.`,
    ),
    button('danger', 'Sign out', leave),
  )
}
