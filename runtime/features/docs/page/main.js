import { showData } from './data.js'
import { readDocument } from './document.js'
import { h, replace } from './dom.js'
import { problem, send, session, signIn } from './http.js'
import { showPolicies } from './policies.js'
import { showRelations } from './relations.js'
import { showResources } from './resources.js'
import { searchBox } from './search.js'
import { account, showSignIn } from './sign-in.js'
import { showTry } from './try.js'

const views = {
  resources: ['Resources', showResources],
  data: ['Data', showData],
  try: ['Try', showTry],
  relations: ['Relations', showRelations],
  policies: ['Policies', showPolicies],
  'sign-in': ['Sign in', showSignIn],
}

const main = document.getElementById('main')
const tabs = document.getElementById('tabs')
let model = null
let isDevelopment = false
let shownPath = ''

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
  isDevelopment = (await send('GET', '/docs/policies')).ok
  searchBox(document.getElementById('search'), model)
  await account(document.getElementById('account'), model)
  session.listeners.add(show)
  addEventListener('hashchange', show)
  show()
}

/** The document is for those with a token, or for nobody. */
function showMissing(answer) {
  if (answer.status === 401) {
    const about =
      'The document of this API is for those who sign in: docs.document in config/svc.ts is ‘token’.'
    session.listeners.add(() => location.reload())
    const place = h('div')
    replace(main, h('h1', 'Sign in'), h('p', about), place)
    session.isKept = true
    return showSignIn(place, { model, mustKeep: true })
  }
  const why =
    answer.status === 404
      ? 'The server does not show /openapi.json: docs.document in config/svc.ts is ‘off’.'
      : problem(answer)
  replace(main, h('h1', 'No document'), h('p', why))
}

function show() {
  const route = readRoute()
  drawTabs(route.name)
  const [title, view] = views[route.name]
  // A view has a place of its own: an answer that comes late draws into no other.
  const place = h('div', { class: `view ${route.name}` })
  const path = [route.name, ...route.parts].join('/')
  if (path !== shownPath) scrollTo(0, 0)
  shownPath = path
  replace(main, place)
  document.title = `${title} · ${model.title}`
  view(place, { model, route, isDevelopment })
}

function drawTabs(current) {
  const links = Object.entries(views)
    .filter(([name]) => name !== 'policies' || isDevelopment)
    .filter(([name]) => name !== 'sign-in' || model.signIn !== null || session.token !== null)
    .map(([name, [title]]) => {
      const isCurrent = name === current
      const text = name === 'sign-in' && session.token !== null ? 'Account' : title
      return h('a', { href: `#/${name}`, 'aria-current': isCurrent ? 'page' : null }, text)
    })
  const isFocused = tabs.contains(document.activeElement)
  replace(tabs, links)
  const shown = links.find((each) => each.hasAttribute('aria-current'))
  if (isFocused) shown?.focus()
  // The row of tabs scrolls on small screens.
  if (shown) tabs.scrollLeft = shown.offsetLeft - tabs.clientWidth / 2
}

tabs.addEventListener('keydown', (event) => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
  if (step === undefined) return
  const links = [...tabs.querySelectorAll('a')]
  links.at((links.findIndex((each) => each.matches(':focus')) + step) % links.length)?.focus()
  event.preventDefault()
})

start().catch((error) => {
  console.error(error)
  replace(main, h('h1', 'This page failed'), h('pre', String(error.stack ?? error)))
})
