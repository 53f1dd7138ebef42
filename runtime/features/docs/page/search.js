import { combobox } from './combobox.js'
import { kindOf, titleOf } from './document.js'
import { h, replace } from './dom.js'
import { address, send } from './http.js'

/** Names are found at once, and below them rows: so many of each repository, in so many of them. */
const [mostNames, mostRows, mostAsked] = [12, 3, 48]

/** Finds all that has a name, and rows that a search of the API finds: `/` begins. */
export function searchBox(place, model) {
  const entries = entriesOf(model)
  const find = async (text, show) => {
    const words = text.toLowerCase().match(/\S+/g)
    if (words === null) return show(null)
    const names = ranked(entries, words).slice(0, mostNames)
    const rows = []
    const draw = () => {
      const all = [...names, ...rows]
      show(all.length > 0 ? all : [{ text: 'Nothing is called so.', isText: true }])
    }
    draw()
    if (text.trim().length < 2) return
    const asked = model.resources.filter(({ canSearch }) => canSearch).slice(0, mostAsked)
    // A few at a time: who types on asks again.
    for (let at = 0; at < asked.length && rows.length < mostNames; at += 6) {
      const found = await Promise.all(asked.slice(at, at + 6).map((each) => rowsOf(each, text)))
      rows.push(...found.flat())
      draw()
    }
  }
  const take = ({ href }) => {
    input.value = ''
    location.hash = href
    document.getElementById('main').focus()
  }
  const draw = ({ kind, text, about }) => [
    h('span.kind', kind),
    h('span', text),
    h('span.quiet', about),
  ]
  const { input, list } = combobox(
    {
      id: 'search-all',
      type: 'search',
      'aria-label': 'Search rows, resources, fields and operations',
      placeholder: 'Search … ( / )',
    },
    { find, take, draw },
  )
  input.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return
    input.value = ''
    input.blur()
  })
  focusOnSlash(input)
  replace(place, input, list)
}

async function rowsOf(resource, text) {
  const { key, path } = resource
  const search = text.trim()
  const answer = await send('GET', address(path, { search, perPage: mostRows }))
  if (!answer.ok) return []
  const { data, meta } = answer.json
  const rows = data.map((record) => {
    const href = `#/data/${key}/${record.id}`
    return { kind: 'row', text: titleOf(resource, record), about: `${key} ${record.id}`, href }
  })
  const href = `#${address(`/data/${key}`, { search })}`
  const all = { kind: 'rows', text: `All ${meta.total} of ${key}`, about: '', href }
  return meta.total > rows.length ? [...rows, all] : rows
}

function focusOnSlash(input) {
  addEventListener('keydown', (event) => {
    const isWriting = document.activeElement?.matches('input, textarea, select')
    if (event.key !== '/' || isWriting || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.focus()
  })
}

function entriesOf({ resources, operations }) {
  const entry = (kind, text, about, href) => {
    const all = `${kind} ${text} ${about}`.toLowerCase()
    return { kind, text, about, href, all, name: text.toLowerCase() }
  }
  const ofResources = resources.flatMap(({ key, fields, relations, description }) => {
    const href = `#/resources/${key}`
    return [
      entry('resource', key, description, href),
      entry('data', key, 'browse its rows', `#/data/${key}`),
      ...fields.map(({ name }) => entry('field', name, `of ${key}`, href)),
      ...relations.map((each) => entry('relation', each.name, `of ${key}, ${kindOf(each)}`, href)),
    ]
  })
  const ofOperations = operations.map(({ id, method, path, summary }) =>
    entry(method, path, `${summary} · ${id}`, `#/try/${id}`),
  )
  return [...ofResources, ...ofOperations]
}

/** Every word is somewhere; names that begin with the first come first. */
function ranked(entries, words) {
  const [first] = words
  const rank = ({ name }) =>
    name === first ? 0 : name.startsWith(first) ? 1 : name.includes(first) ? 2 : 3
  return entries
    .filter(({ all }) => words.every((word) => all.includes(word)))
    .toSorted((one, other) => rank(one) - rank(other))
}
