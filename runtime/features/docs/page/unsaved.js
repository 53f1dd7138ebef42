const forms = new Set()

export const lossText = 'What you wrote here is not saved.'

/** Remembers a form, whose page asks before it goes while `isChanged()`. */
export const watch = (element, isChanged) => forms.add({ element, isChanged })

/** Returns true if the page, or a part of it, has changes that are not saved. */
export function isUnsaved(place = document.body) {
  for (const each of forms) if (!each.element.isConnected) forms.delete(each)
  return [...forms].some(({ element, isChanged }) => place.contains(element) && isChanged())
}

export const forget = () => forms.clear()
