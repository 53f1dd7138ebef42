/** Any version that there is, or one of these: none of them may be one that a record can have. */
export type Versions = 'any' | { readonly numbers: readonly number[] }

/** RFC 9110: an entity tag, in which quotes stand nowhere else. */
const tag = /^(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/

const whole = /^(?:0|[1-9]\d{0,9})$/

/**
 * Reads `If-Match`: `*`, or a list of tags, of which empty members do not count. A weak tag never
 * matches, and neither does one that is no version.
 */
export function parseIfMatch(
  text: string,
): { readonly value: Versions } | { readonly problem: string } {
  if (text.trim() === '*') return { value: 'any' }
  const members = listOf(text)
  if (members.length === 0) return problem
  const numbers: number[] = []
  for (const member of members) {
    const found = tag.exec(member)
    if (found === null) return problem
    const [, weak, inner = ''] = found
    const isVersion = weak === undefined && whole.test(inner) && Number(inner) <= mostVersion
    if (isVersion) numbers.push(Number(inner))
  }
  return { value: { numbers } }
}

const problem = { problem: 'must be *, or tags in quotes: "3"' }

/** The largest number that the column can hold. */
const mostVersion = 2_147_483_647

/** Commas may stand in a tag. */
const listOf = (text: string): readonly string[] =>
  (text.match(/(?:"[^"]*"|[^",])+/g) ?? []).map((each) => each.trim()).filter((each) => each !== '')
