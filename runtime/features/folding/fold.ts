/**
 * Text without case, accents and compatibility forms, the same whatever the database: `ÉCOLE`,
 * `École` and `ecole` are one, as are `STRASSE` and `Straße`, `İstanbul` and `istanbul`, `ﬁ` and
 * `fi`. Marks that are vowels of their own (in Devanagari or Thai, say) stay.
 */
export function fold(text: string): string {
  if (isPlain.test(text)) return text.toLowerCase()
  const bare = text.normalize('NFKD').replaceAll(accents, '')
  // Upper case opens what lower case leaves alone: ß is SS. Of ẞ, only lower case makes ß.
  const open = bare.toLowerCase().toUpperCase()
  return open.normalize('NFKD').replaceAll(accents, '').toLowerCase().replaceAll('ς', 'σ')
}

/** Most text; one test instead of six passes. */
const isPlain = /^[\0-\x7f]*$/

const accents = /(?=\p{M})[\p{sc=Zinh}\p{sc=Hebr}\p{sc=Arab}]/gu
