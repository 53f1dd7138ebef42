import { own } from './document.js'
import { ask, button, h, replace } from './dom.js'
import { bodyFields, fieldsForm } from './form.js'
import { ofVersion, problem, send } from './http.js'
import { isUnsaved, lossText, watch } from './unsaved.js'

const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other)

/** A form for a record; what the server says is wrong is shown at its field. */
function recordForm(
  place,
  title,
  fields,
  { model, values, save, done, cancel, prefix = 'record' },
) {
  const form = fieldsForm(fields, { values, model, prefix })
  // Inputs write some values their own way: only what differs from that was changed.
  const before = form.read()
  const wrong = h('p.error', { role: 'alert' })
  const submit = async (event) => {
    event.preventDefault()
    const answer = await save(form.read(), before)
    const rest = form.showErrors(answer.json?.errors)
    // The fields show its message.
    const about = answer.status === 422 ? 'Not saved.' : problem(answer)
    replace(wrong, answer.ok ? null : [about, ' ', rest.join(' ')])
    if (!answer.ok || !shown.isConnected) return
    replace(place)
    done(answer)
  }
  const end = () => {
    replace(place)
    cancel?.()
  }
  const buttons = h('div.row', h('button.button', 'Save'), button('', 'Cancel', end))
  const parts = [h('h2', title), form.elements, wrong, buttons]
  const about = { novalidate: true, 'aria-label': title, onsubmit: submit }
  const shown = h('form.panel', about, parts)
  const open = () => {
    replace(place, shown)
    watch(shown, () => !isSame(form.read(), before))
    shown.scrollIntoView({ block: 'nearest' })
    shown.querySelector('input, textarea, select')?.focus()
  }
  if (isUnsaved(place)) ask(lossText, 'Leave', open)
  else open()
}

/** Makes a record at `path`; a gate of the policy may keep fields from its user. */
export function newForm(place, { resource, store, path, rights, ...rest }) {
  const fields = bodyFields(store, resource, rest.model.follow)
  const open = fields.filter(({ name }) => !rights.closed.store.includes(name))
  const save = (written) => send('POST', path, JSON.stringify(written))
  recordForm(place, `New ${resource.name}`, open, { ...rest, save })
}

/** Sends what was changed, and nothing else. */
export function editForm(place, { resource, record, rights, ...rest }) {
  const fields = bodyFields(resource.actions.patch, resource, rest.model.follow)
    .filter(({ name }) => !rights.closed.update.includes(name))
    .map((field) => ({ ...field, isRequired: false }))
  const save = (written, before) => {
    const isChanged = ([name, value]) => !isSame(value, own(before, name))
    const changed = Object.fromEntries(Object.entries(written).filter(isChanged))
    return send(
      'PATCH',
      `${resource.path}/${encodeURIComponent(record.id)}`,
      JSON.stringify(changed),
      ofVersion(resource.actions.patch, record),
    )
  }
  const about = { ...rest, values: record.attributes, save }
  recordForm(place, `Edit ${resource.name} ${record.id}`, fields, about)
}
