import { h, say } from './dom.js'

/** The server's address from this file: its folder is `docs/`. */
const base = new URL('..', import.meta.url).pathname.replace(/\/$/, '')

const kept = 'svc-token'

/** The token stays in memory; `sessionStorage` has it only where somebody asked for that. */
export const session = {
  token: sessionStorage.getItem(kept),
  user: null,
  isKept: sessionStorage.getItem(kept) !== null,
  listeners: new Set(),
}

export function signIn(token, user = null, isKept = session.isKept) {
  Object.assign(session, { token, user, isKept })
  if (token !== null && isKept) sessionStorage.setItem(kept, token)
  else sessionStorage.removeItem(kept)
  for (const listener of session.listeners) listener()
}

/** A path with its query; what is empty is left out, but for the cursor of a first page. */
export function address(path, query = {}) {
  const isSaid = ([name, value]) => value != null && (value !== '' || name === 'cursor')
  const pairs = Object.entries(query).filter(isSaid)
  const text = new URLSearchParams(pairs).toString()
  // Brackets, colons and commas are part of what these parameters say.
  const readable = text.replaceAll('%2C', ',').replaceAll('%5B', '[').replaceAll('%5D', ']')
  return text === '' ? path : `${path}?${readable.replaceAll('%7C', '|').replaceAll('%3A', ':')}`
}

/** The address for use outside of this page. */
export const outside = (path) => `${location.origin}${base}${path}`

export async function send(method, path, body, more = {}) {
  const headers = { Accept: 'application/json', ...more }
  if (session.token !== null) headers.Authorization = `Bearer ${session.token}`
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  const request = { method, headers, body }
  const start = performance.now()
  try {
    const answer = await fetch(base + path, { ...request, cache: 'no-cache' })
    const file = await answer.blob()
    const text = await file.text()
    const ms = performance.now() - start
    const timing = /desc="([^"]+)";dur=([\d.]+)/.exec(answer.headers.get('Server-Timing') ?? '')
    return {
      status: answer.status,
      ok: answer.ok,
      text,
      file,
      json: parse(text),
      ms,
      statements: timing?.[1] ?? null,
      databaseMs: timing?.[2] ?? null,
    }
  } catch (error) {
    const json = { message: `No answer: ${error.message}. Does the server run?` }
    return { status: 0, ok: false, text: '', json, ms: performance.now() - start, statements: null }
  }
}

/** All that a list finds, as a file that the browser keeps. */
export async function download(path, name) {
  const answer = await send('GET', path, undefined, { Accept: 'text/csv' })
  if (!answer.ok) return say(problem(answer))
  const href = URL.createObjectURL(answer.file)
  h('a', { href, download: name }).click()
  URL.revokeObjectURL(href)
  say(`Exported: ${name}.`)
}

/** Nobody's change is lost that was made since this record was shown. */
export function ofVersion({ parameters }, { meta }) {
  if (!parameters.some(({ name }) => name === 'If-Match')) return {}
  return { 'If-Match': meta?.version === undefined ? '*' : `"${meta.version}"` }
}

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Returns the error of an answer, for people. */
export function problem({ status, json }) {
  if (status === 401 && session.token === null) return 'Sign in to see this.'
  if (status === 401) return 'The token is not valid any more: sign in again.'
  return json?.message ?? `The server answered ${status}.`
}
