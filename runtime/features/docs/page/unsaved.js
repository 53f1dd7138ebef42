const forms = new Set()

export const lossText = 'What you wrote here is not saved.'

/** Remembers a form, whose page asks before it goes while `isChanged()`. */
export const watch = (element, isChanged) => forms.add({ element, isChanged })

/** Of the page, or of a part of it. */
export function isUnsaved(place = document.body) {
  for (const each of forms) if (!each.element.isConnected) forms.delete(each)
  return [...forms].some(({ element, isChanged }) => place.contains(element) && isChanged())
}

export const forget = () => forms.clear()
