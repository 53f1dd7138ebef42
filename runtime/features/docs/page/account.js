import { titleOf } from './document.js'
import { h, replace } from './dom.js'
import { send, session, signIn } from './http.js'

/** Shows the signed-in user, at the edge of every page. */
export async function account(place, model) {
  const draw = () => {
    const name =
      session.user === null ? null : titleOf(model.byKey.get(session.user.type), session.user)
    const text = session.token === null ? 'Sign in' : (name ?? 'Token')
    const canSignIn = model.signIn !== null || session.token !== null
    replace(place, canSignIn ? h('a', { href: '#/sign-in', class: 'account' }, text) : null)
  }
  session.listeners.add(draw)
  if (session.token !== null && session.user === null) await findUser(model)
  draw()
}

/** Whose token it is; one that is not valid is forgotten. */
export async function findUser({ profile }) {
  if (profile === null) return
  const answer = await send('GET', profile.path)
  if (answer.ok) session.user = answer.json.data
  else if (answer.status === 401) signIn(null)
}
