/** Languages of which PostgreSQL knows how words are inflected. SQLite knows English. `simple` is none of them. */
export const languages = [
  'simple',
  'arabic',
  'armenian',
  'basque',
  'catalan',
  'danish',
  'dutch',
  'english',
  'finnish',
  'french',
  'german',
  'greek',
  'hindi',
  'hungarian',
  'indonesian',
  'irish',
  'italian',
  'lithuanian',
  'nepali',
  'norwegian',
  'portuguese',
  'romanian',
  'russian',
  'serbian',
  'spanish',
  'swedish',
  'tamil',
  'turkish',
  'yiddish',
] as const

export interface FullTextOptions {
  /**
   * How words are inflected: with `'english'`, `lamp` finds lamps. PostgreSQL knows all of these languages, SQLite English. Default
   * `'simple'`: words are found as they are written, in any case.
   */
  readonly language?: (typeof languages)[number]
}

/** The value of `searchable` in place of a list. */
export interface FullText<Columns = readonly string[]> {
  readonly type: 'fullText'
  readonly columns: Columns
  readonly options: FullTextOptions
}

declare module '../../manifest/words.js' {
  interface FeatureSearchables<Columns> {
    readonly fullText: FullText<Columns>
  }
}

/**
 * Columns that `search=` finds words in, by an index that the database keeps: `lamp "red desk" -broken sha*`. What fits best is
 * first where no `sort` is asked; a word in the first column counts most. One to four columns of text.
 *
 * @example searchable: fullText(['title', 'body'], { language: 'english' })
 */
export function fullText<const Columns extends readonly string[]>(
  columns: Columns,
  options: FullTextOptions = {},
): FullText<Columns> {
  return Object.freeze({ type: 'fullText', columns, options: Object.freeze({ ...options }) })
}
