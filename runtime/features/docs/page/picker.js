import { combobox } from './combobox.js'
import { titleOf } from './document.js'
import { h } from './dom.js'
import { address, problem, send } from './http.js'

const named = (resource, record) => `${titleOf(resource, record)} (${record.id})`

/** A record as people call it: `Ada (7)`; null where it is not to be seen. */
export async function nameOf(resource, id) {
  if (resource.actions.show === null) return null
  const answer = await send('GET', `${resource.path}/${encodeURIComponent(id)}`)
  return answer.ok ? named(resource, answer.json.data) : null
}

/** The id of a record, chosen among all by its name, or typed; `read()` answers it, or ''. */
export function recordPicker({ value, isNullable, isRequired, ...properties }, resource) {
  const { path, canSearch, sorts, title, key } = resource
  let id = value ?? null
  let pages = 1
  const find = async (text, show) => {
    const typed = id === null ? text.trim() : ''
    const sort = sorts.includes(title) ? title : null
    const query = canSearch ? { search: typed } : { sort }
    const list = (page) => send('GET', address(path, { ...query, perPage: 20, page }))
    const byId = /^[\w-]*\d[\w-]*$/.test(typed) && nameOf(resource, typed)
    const numbers = Array.from({ length: pages }, (_, at) => at + 1)
    const [itself, ...answers] = await Promise.all([byId, ...numbers.map(list)])
    const last = answers.at(-1)
    if (!last.ok) return show([{ text: problem(last), isText: true }])
    const found = answers
      .flatMap((answer) => answer.json.data)
      .map((record) => ({ id: record.id, text: named(resource, record) }))
      .filter((each) => canSearch || each.text.toLowerCase().includes(typed.toLowerCase()))
    const rows = found.filter((each) => !itself || each.id !== typed)
    if (itself) rows.unshift({ id: typed, text: itself })
    if (isNullable && typed === '') rows.unshift({ id: null, text: 'none' })
    if (last.json.meta.last_page > pages) rows.push({ id: undefined, text: 'More …' })
    show(rows.length > 0 ? rows : [{ text: `No ${key} are found.`, isText: true }])
  }
  const take = (row) => {
    if (row.id === undefined) {
      pages += 1
      return true
    }
    id = row.id
    input.value = id === null ? '' : row.text
    input.dispatchEvent(new Event('change', { bubbles: true }))
    return false
  }
  const placeholder = `Search ${key} …`
  const shown = { value: id === null ? '' : `(${id})`, required: isRequired, placeholder }
  const { input, list } = combobox(
    { ...properties, ...shown },
    { find, take, draw: (row) => row.text },
  )
  input.addEventListener('input', () => {
    id = null
    pages = 1
  })
  if (id !== null)
    void nameOf(resource, id).then((name) => {
      if (name !== null && id === value) input.value = name
    })
  return { element: h('div.holder', input, list), read: () => id ?? input.value.trim() }
}
