import { property } from '../kinds/literal.js'

export { literal, property, valueOf } from '../kinds/literal.js'

/** A member of an object: `posts.title`, or in brackets where it must. */
export function member(object: string, name: string): string {
  const key = property(name)
  return key === name ? `${object}.${name}` : `${object}[${key}]`
}

/** Text of the manifest inside a comment: one line, and no way out of it. */
export function remark(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('*/', '*\\/').trim()
}
