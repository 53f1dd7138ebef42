import { account } from './account.js'
import { readDocument } from './document.js'
import { ask, h, replace } from './dom.js'
import { problem, send, session, signIn } from './http.js'
import { searchBox } from './search.js'
import { forget, isUnsaved, lossText } from './unsaved.js'

/** The files of a view are loaded where somebody opens it. */
const views = {
  resources: ['Resources', async () => (await import('./resources.js')).showResources],
  data: ['Data', async () => (await import('./data.js')).showData],
  try: ['Try', async () => (await import('./try.js')).showTry],
  relations: ['Relations', async () => (await import('./relations.js')).showRelations],
  policies: ['Policies', async () => (await import('./policies.js')).showPolicies],
  'sign-in': ['Sign in', async () => (await import('./sign-in.js')).showSignIn],
}

const main = document.getElementById('main')
const tabs = document.getElementById('tabs')
let model = null
let parts = { policies: false, console: null }
let consoleTab = null
let shown = ''
/** The shown entry of the history. */
let entry = history.state?.entry ?? 0

/** `#/data/posts/7?sort=title`: the view, what it is about, and what is asked of it. */
function readRoute() {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?')
  const [name = '', ...parts] = path.split('/').map(decoded)
  return {
    name: Object.hasOwn(views, name) ? name : 'resources',
    parts,
    query: new URLSearchParams(query),
  }
}

/** As it is, where a bare `%` is in it. */
function decoded(text) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A token that came with the link goes into memory, and out of the address and its history. */
function takeToken() {
  const [, token] = /^#token=(.+)$/.exec(location.hash) ?? []
  if (token === undefined) return
  signIn(decoded(token), null)
  history.replaceState(null, '', location.pathname)
}

async function start() {
  takeToken()
  const answer = await send('GET', '/openapi.json')
  if (!answer.ok) return showMissing(answer)
  model = readDocument(answer.json)
  document.title = `${model.title} · API`
  document.getElementById('name').textContent = model.title
  const asked = await send('GET', '/docs/parts')
  if (asked.ok) parts = asked.json
  if (parts.console !== null) consoleTab = (await import('./console.js')).consoleLink(parts.console)
  searchBox(document.getElementById('search'), model)
  await account(document.getElementById('account'), model)
  session.listeners.add(show)
  addEventListener('hashchange', move)
  addEventListener('beforeunload', (event) => {
    if (isUnsaved()) event.preventDefault()
  })
  show()
}

/** The document is for those with a token, or for nobody. */
async function showMissing(answer) {
  if (answer.status === 401) {
    const about =
      'The document of this API is for those who sign in: docs.document in config/svc.ts is ‘token’.'
    session.listeners.add(() => location.reload())
    const place = h('div')
    replace(main, h('h1', 'Sign in'), h('p', about), place)
    session.isKept = true
    const { showSignIn } = await import('./sign-in.js')
    return showSignIn(place, { model, mustKeep: true })
  }
  const why =
    answer.status === 404
      ? 'The server does not show /openapi.json: docs.document in config/svc.ts is ‘off’.'
      : problem(answer)
  replace(main, h('h1', 'No document'), h('p', why))
}

/** Somebody goes elsewhere, or back; what is not saved stays, where they choose so. */
function move() {
  document.querySelector('dialog')?.remove()
  if (location.hash === shown) return
  if (!isUnsaved()) return show()
  const back = () => history.go(entry - (history.state?.entry ?? entry + 1))
  ask(lossText, 'Leave', show, back)
}

function show() {
  forget()
  const next = history.state?.entry ?? entry + 1
  history.replaceState({ entry: next }, '')
  entry = next
  const path = (hash) => hash.split('?')[0]
  if (path(location.hash) !== path(shown)) scrollTo(0, 0)
  shown = location.hash
  const route = readRoute()
  drawTabs(route.name)
  const [title, load] = views[route.name]
  // A view has a place of its own: an answer that comes late draws into no other.
  const place = h('div', { class: `view ${route.name}` })
  replace(main, place)
  document.title = `${title} · ${model.title}`
  const about = { model, route, isDevelopment: parts.policies }
  load()
    .then((view) => view(place, about))
    .catch(fail)
}

function drawTabs(current) {
  const links = Object.entries(views)
    .filter(([name]) => name !== 'policies' || parts.policies)
    .filter(([name]) => name !== 'sign-in' || model.signIn !== null || session.token !== null)
    .map(([name, [title]]) => {
      const isCurrent = name === current
      const text = name === 'sign-in' && session.token !== null ? 'Account' : title
      return h('a', { href: `#/${name}`, 'aria-current': isCurrent ? 'page' : null }, text)
    })
  const isFocused = tabs.contains(document.activeElement)
  replace(tabs, links, consoleTab)
  const shownTab = links.find((each) => each.hasAttribute('aria-current'))
  if (isFocused) shownTab?.focus()
  // The row of tabs scrolls on small screens.
  if (shownTab) tabs.scrollLeft = shownTab.offsetLeft - tabs.clientWidth / 2
}

tabs.addEventListener('keydown', (event) => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
  if (step === undefined) return
  const links = [...tabs.querySelectorAll('a')]
  links.at((links.findIndex((each) => each.matches(':focus')) + step) % links.length)?.focus()
  event.preventDefault()
})

function fail(error) {
  console.error(error)
  replace(main, h('h1', 'This page failed'), h('pre', String(error.stack ?? error)))
}

start().catch(fail)
