import { kindOf } from './document.js'
import { h, replace } from './dom.js'

const most = 12

/** Finds all that has a name: `/` begins, arrows choose, Enter goes, Esc ends. */
export function searchBox(place, model) {
  const entries = entriesOf(model)
  const list = h('ul', { id: 'found', role: 'listbox', 'aria-label': 'Found', hidden: true })
  const input = h('input', {
    type: 'search',
    role: 'combobox',
    'aria-label': 'Search resources, fields and operations',
    'aria-controls': 'found',
    'aria-expanded': false,
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    placeholder: 'Search … ( / )',
  })
  let shown = []
  let chosen = 0
  const close = () => {
    list.hidden = true
    input.setAttribute('aria-expanded', false)
    input.removeAttribute('aria-activedescendant')
  }
  const go = (entry) => {
    input.value = ''
    close()
    location.hash = entry.href
    document.getElementById('main').focus()
  }
  const draw = () => {
    const rows = shown.map((entry, at) => {
      const { kind, text, about } = entry
      const choose = (event) => {
        event.preventDefault()
        go(entry)
      }
      return h(
        'li',
        {
          role: 'option',
          id: `found-${at}`,
          'aria-selected': at === chosen,
          onpointerdown: choose,
        },
        h('span.kind', kind),
        h('span', text),
        h('span.quiet', about),
      )
    })
    replace(list, rows.length > 0 ? rows : h('li.quiet', 'Nothing is called so.'))
    list.hidden = false
    input.setAttribute('aria-expanded', true)
    if (rows.length > 0) input.setAttribute('aria-activedescendant', `found-${chosen}`)
    list.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }
  const find = () => {
    const words = input.value.toLowerCase().match(/\S+/g)
    if (words === null) return close()
    chosen = 0
    shown = ranked(entries, words).slice(0, most)
    draw()
  }
  input.addEventListener('input', find)
  input.addEventListener('focus', find)
  input.addEventListener('blur', close)
  input.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Escape') {
      input.value = ''
      input.blur()
    }
    if (event.key === 'Enter' && shown[chosen] !== undefined && !list.hidden) go(shown[chosen])
    if (step === undefined || shown.length === 0) return
    chosen = (chosen + step + shown.length) % shown.length
    draw()
    event.preventDefault()
  })
  addEventListener('keydown', (event) => {
    const isWriting = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '')
    if (event.key !== '/' || isWriting || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.focus()
  })
  replace(place, input, list)
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
