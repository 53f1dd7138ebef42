import { styleText } from 'node:util'
import type { Status } from '../../plan/status.js'

type Paint = (text: string) => string

const plain: Paint = (text) => text

/** Node's own, so no package; whether there is a terminal was asked by the command. */
const paint =
  (format: 'green' | 'yellow' | 'red' | 'gray' | 'bold'): Paint =>
  (text) =>
    styleText(format, text, { validateStream: false })

const green = paint('green')
const yellow = paint('yellow')
const red = paint('red')
const grey = paint('gray')

export type Colors = Record<Status | 'bold' | 'added' | 'removed' | 'grey', Paint>

const colored: Colors = {
  create: green,
  same: grey,
  update: green,
  merge: green,
  move: green,
  keep: grey,
  conflict: red,
  remove: yellow,
  orphan: yellow,
  deleted: grey,
  bold: paint('bold'),
  added: green,
  removed: red,
  grey,
}

// The keys are those of `colored`.
const none = Object.fromEntries(Object.keys(colored).map((key) => [key, plain])) as Colors

/** Colours for a terminal, or plain text for a pipe. */
export const colors = (isColored: boolean): Colors => (isColored ? colored : none)
