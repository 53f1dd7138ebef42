/** `h('a.button', { href: '#/data' }, 'Data')`; properties may be absent, a text is no markup. */
export function h(name, ...parts) {
  const [tag, ...classes] = name.split('.')
  const [first, ...rest] = parts
  const isProperties = first?.constructor === Object
  const element = document.createElement(tag)
  if (classes.length > 0) element.className = classes.join(' ')
  return fill(element, isProperties ? first : {}, isProperties ? rest : parts)
}

export const button = (kind, text, onclick, properties = {}) =>
  h('button', { type: 'button', class: kind, onclick, ...properties }, text)

export const link = (href, ...children) => h('a', { href }, children)

export function svg(tag, properties = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), properties, children)
}

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value == null) continue
    if (name.startsWith('aria-')) element.setAttribute(name, value)
    else if (value === false) continue
    else if (name.startsWith('on')) element.addEventListener(name.slice(2), value)
    else if (name === 'value') element.value = value
    else element.setAttribute(name, value === true ? '' : String(value))
  }
  add(element, ...children)
  return element
}

/** Appends all but null, undefined and false. */
export function add(element, ...children) {
  for (const child of children.flat(Infinity)) {
    if (child != null && child !== false) element.append(child)
  }
}

export function replace(element, ...children) {
  element.replaceChildren()
  add(element, ...children)
}

/** Asks before something is lost; it ends with its page, and then nothing is done. */
export function ask(text, verb, yes, no = () => {}) {
  const onclose = () => {
    dialog.remove()
    if (dialog.returnValue === 'yes') yes()
    else no()
  }
  const choices = [
    h('button.danger', { value: 'yes' }, verb),
    h('button', { value: '', autofocus: true }, 'Keep'),
  ]
  const form = h('form.row', { method: 'dialog' }, choices)
  const dialog = h('dialog', { 'aria-label': verb, onclose }, h('p', text), form)
  document.body.append(dialog)
  dialog.showModal()
}

export const confirm = (text, verb, yes) => ask(`${text} It cannot be undone.`, verb, yes)

let timer

/** Tells a screen reader, and shows for a moment at the edge, what was done. */
export function say(text) {
  const place = document.getElementById('said')
  place.textContent = text
  clearTimeout(timer)
  timer = setTimeout(() => (place.textContent = ''), 4000)
}

/** A text with a button that copies it. */
export function code(text, label) {
  const shown = h('code', text)
  const copy = button('small', 'Copy', copyText)
  async function copyText() {
    try {
      await navigator.clipboard.writeText(shown.textContent)
      say(`Copied: ${label}.`)
    } catch {
      // Browsers without a secure connection have no clipboard for pages.
      getSelection().selectAllChildren(shown)
      say('Selected: copy it with Ctrl-C.')
    }
  }
  const heading = h('div.row.between', h('h3', label), copy)
  const block = h('section.code', heading, h('pre', { tabindex: 0 }, shown))
  const set = (next) => {
    shown.textContent = next
    block.hidden = next === ''
  }
  return { block, set }
}

/** A label for what it names. */
export function labelled(label, input, ...more) {
  return h('label.field', h('span.label', label), input, ...more)
}

/** Scrolls for itself where it is wide; the first cell of a row names it. */
export function table(label, heads, rows, kind = '') {
  const made = (tag, more) => (each) => (each instanceof Element ? each : h(tag, more, each))
  const body = rows.map(([name, ...cells]) => {
    return h('tr', h('th', { scope: 'row' }, name), cells.map(made('td', {})))
  })
  const head = h('thead', h('tr', heads.map(made('th', { scope: 'col' }))))
  const whole = h(`table${kind}`, head, h('tbody', body))
  return h('div.scroll', { tabindex: 0, role: 'region', 'aria-label': label }, whole)
}

export const method = (name) => h('span', { class: `method ${name}` }, name)

export const badge = (text, kind = '') => h('span', { class: `badge ${kind}` }, text)

export function choice(options, value, properties = {}) {
  const made = options.map((each) => {
    const [key, text] = Array.isArray(each) ? each : [each, each]
    return h('option', { value: key, selected: key === value }, text)
  })
  return h('select', properties, made)
}

/** All repositories beside one of them; on small screens, above it. */
export function layout(place, model, view, current) {
  const links = model.resources.map(({ key }) => {
    const isCurrent = key === current?.key
    return h(
      'li',
      h('a', { href: `#/${view}/${key}`, 'aria-current': isCurrent ? 'true' : null }, key),
    )
  })
  const side = h('nav.side', { 'aria-label': 'Resources' }, h('ul', links))
  const options = [
    ['', view === 'resources' ? 'All resources' : 'Choose a resource …'],
    ...model.resources.map(({ key }) => key),
  ]
  const go = (event) => (location.hash = `#/${view}/${event.target.value}`)
  const chooser = choice(options, current?.key ?? '', { 'aria-label': 'Resource', onchange: go })
  const content = h('div.content')
  place.classList.add('sided')
  place.append(h('div.chooser', chooser), side, content)
  return content
}
