import { h, replace } from './dom.js'

/**
 * An input with what is found for its text below: arrows choose, Enter takes, Esc ends. `find(text, show)`
 * shows rows as they come, null where there is nothing to ask; `take(row)` says whether the list stays.
 */
export function combobox(properties, { find, take, draw }) {
  const { input, list } = elementsOf(properties)
  let rows = []
  let chosen = 0
  let turn = 0
  let timer
  // Enter before the answer takes the first of what comes.
  let isLate = false
  let isWanted = false
  const close = () => {
    turn += 1
    isLate = isWanted = false
    clearTimeout(timer)
    hide(input, list)
  }
  const redraw = () => {
    const options = optionsOf(rows, chosen, { listId: list.id, draw, choose })
    showOptions(input, list, options, options[chosen])
  }
  const choose = (row) => {
    if (row.isText) return
    if (take(row)) ask()
    else close()
  }
  const ask = () => {
    turn += 1
    const mine = turn
    void find(input.value, (found) => {
      if (mine !== turn || document.activeElement !== input) return
      if (found === null) return close()
      rows = found
      chosen = Math.min(chosen, rows.length - 1)
      isLate = false
      redraw()
      if (isWanted) choose(rows[chosen])
    })
  }
  const type = () => {
    chosen = 0
    isLate = true
    clearTimeout(timer)
    timer = setTimeout(ask, 80)
  }
  const press = (event) => {
    const { key } = event
    const step = { ArrowDown: 1, ArrowUp: -1 }[key]
    const takes = key === 'Enter' && (isLate || !list.hidden)
    if (step !== undefined || takes) event.preventDefault()
    if (key === 'Escape') close()
    if (takes && isLate) isWanted = true
    else if (takes) choose(rows[chosen])
    if (step === undefined) return
    if (list.hidden) return ask()
    chosen = (chosen + step + rows.length) % rows.length
    redraw()
  }
  const listeners = { input: type, focus: ask, blur: close, keydown: press }
  for (const [name, listener] of Object.entries(listeners)) input.addEventListener(name, listener)
  return { input, list }
}

function elementsOf(properties) {
  const listId = `${properties.id}-found`
  const about = { id: listId, role: 'listbox', 'aria-label': 'Found', hidden: true }
  const list = h('ul.found', about)
  const input = h('input', {
    role: 'combobox',
    'aria-controls': listId,
    'aria-expanded': false,
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    ...properties,
  })
  return { input, list }
}

function hide(input, box) {
  box.hidden = true
  input.setAttribute('aria-expanded', false)
  input.removeAttribute('aria-activedescendant')
}

function showOptions(input, box, options, active) {
  replace(box, options)
  box.hidden = false
  input.setAttribute('aria-expanded', true)
  input.setAttribute('aria-activedescendant', active.id)
  active.scrollIntoView({ block: 'nearest' })
}

function optionsOf(rows, chosen, { listId, draw, choose }) {
  return rows.map((row, at) => {
    const onpointerdown = (event) => {
      event.preventDefault()
      choose(row)
    }
    const about = { 'aria-selected': at === chosen, 'aria-disabled': row.isText ?? null }
    return h('li', { role: 'option', id: `${listId}-${at}`, ...about, onpointerdown }, draw(row))
  })
}
