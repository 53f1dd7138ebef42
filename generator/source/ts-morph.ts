/**
 * The bundle leaves out the libraries and finds them from one depth of folders only, so that code in deeper folders imports
 * this one from here. It takes a while to load: where few runs need it, import it on demand.
 */
export {
  IndentationText,
  Node,
  Project,
  QuoteKind,
  SyntaxKind,
  ts,
} from '../libraries/ts-morph.cjs'
export type {
  ArrayLiteralExpression,
  CallExpression,
  ObjectLiteralExpression,
  SourceFile,
  Statement,
} from '../libraries/ts-morph.cjs'
