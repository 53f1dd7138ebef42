import { notWhiteSpace } from '../../../../runtime/kinds/text.js'

const isWhite = (character: string) => !notWhiteSpace.test(character)

/** The characters that a blank text may have, as a text of SQL: what `trim` and `btrim` take away. */
export const whiteSpace = `'${Array.from({ length: 0x1_00_00 }, (_, code) =>
  String.fromCharCode(code),
)
  .filter(isWhite)
  .join('')}'`
