import { titleOf } from './document.js'
import { ask, button, confirm, say } from './dom.js'
import { ofVersion, problem, send } from './http.js'

/** Switches a list between its records and those in the trash. */
export function trashSwitch({ trashed }, prefix, change) {
  const isOn = trashed === 'only'
  const about = { id: `${prefix}-trash`, 'aria-pressed': isOn }
  return button('small', 'Trash', () => change({ trashed: isOn ? null : 'only' }), about)
}

export function deleteRecord(resource, record, done) {
  const { delete: operation, restore } = resource.actions
  const remove = () => act(operation, record, restore ? 'In the trash.' : 'Deleted.', done)
  const text = `${deletionOf(resource, record)}?`
  if (restore) ask(`${text} It goes into the trash.`, 'Delete', remove)
  else confirm(text, 'Delete', remove)
}

export const restoreRecord = (resource, record, done) =>
  act(resource.actions.restore, record, 'Restored.', done)

export function deleteForGood(resource, record, done) {
  const remove = () => act(resource.actions.force, record, 'Deleted for good.', done)
  confirm(`${deletionOf(resource, record)}, for good?`, 'Delete for good', remove)
}

const deletionOf = (resource, record) =>
  `Delete ${resource.name} ${record.id}, ‘${titleOf(resource, record)}’`

async function act(operation, record, words, done) {
  const path = operation.path.replace('{id}', encodeURIComponent(record.id))
  const answer = await send(operation.method, path, undefined, ofVersion(operation, record))
  say(answer.ok ? words : problem(answer))
  if (answer.ok) done()
}
