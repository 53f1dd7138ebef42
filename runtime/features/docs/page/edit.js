import { button, h, replace } from './dom.js'
import { fieldsForm } from './form.js'
import { problem } from './http.js'
import { recordsOf } from './values.js'

/** A form for a record; what the server says is wrong is shown at its field. */
export function recordForm(place, title, fields, { model, values, save, done, cancel }) {
  const choose = (key) => recordsOf(model.byKey.get(key))
  const form = fieldsForm(fields, {
    values,
    follow: model.follow,
    recordsOf: choose,
    prefix: 'record',
  })
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
    if (answer.ok) done(answer)
  }
  const buttons = h('div.row', h('button.button', 'Save'), button('', 'Cancel', cancel))
  const parts = [h('h2', title), form.elements, wrong, buttons]
  replace(
    place,
    h('form.panel', { novalidate: true, 'aria-label': title, onsubmit: submit }, parts),
  )
  place.querySelector('input, textarea, select')?.focus()
}
