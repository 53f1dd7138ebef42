/** Quotes, wildcards, a line break, an emoji, a letter with a combining accent. */
export const awkward = `'"\\%_$1{} \n😀 e\u0301ß`

/** A text of so many UTF-16 units. */
export const long = (length: number): string =>
  awkward.repeat(length / awkward.length).padEnd(length, 'é')
