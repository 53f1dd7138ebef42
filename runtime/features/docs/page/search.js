import { kindOf } from './document.js'
import { h, replace } from './dom.js'

const most = 12

/** Finds resources, fields, relations and operations: `/` begins, arrows choose, Enter goes, Esc ends. */
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
    const words = input.value
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '')
    if (words.length === 0) return close()
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
  const ofResources = resources.flatMap(({ key, fields, relations, description }) => [
    { kind: 'resource', text: key, about: description, href: `#/resources/${key}` },
    { kind: 'data', text: key, about: 'browse its rows', href: `#/data/${key}` },
    ...fields.map(({ name }) => ({
      kind: 'field',
      text: name,
      about: `of ${key}`,
      href: `#/resources/${key}`,
    })),
    ...relations.map((relation) => ({
      kind: 'relation',
      text: relation.name,
      about: `of ${key}, ${kindOf(relation)}`,
      href: `#/resources/${key}`,
    })),
  ])
  const ofOperations = operations.map(({ id, method, path, summary }) => {
    return { kind: method, text: path, about: `${summary} · ${id}`, href: `#/try/${id}` }
  })
  return [...ofResources, ...ofOperations].map((entry) => {
    return {
      ...entry,
      all: `${entry.kind} ${entry.text} ${entry.about}`.toLowerCase(),
      name: entry.text.toLowerCase(),
    }
  })
}

/** Every word is somewhere; names that begin with the first come first. */
function ranked(entries, words) {
  const [first] = words
  const rank = ({ name }) =>
    name === first ? 0 : name.startsWith(first) ? 1 : name.includes(first) ? 2 : 3
  const found = entries.filter(({ all }) => words.every((word) => all.includes(word)))
  return found
    .map((entry) => [rank(entry), entry])
    .toSorted(([one], [other]) => one - other)
    .map(([, entry]) => entry)
}
