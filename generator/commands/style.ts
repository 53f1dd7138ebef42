import type { Status } from '../plan/status.js'

type Paint = (text: string) => string

const plain: Paint = (text) => text
const paint =
  (code: number): Paint =>
  (text) =>
    `\u001B[${code}m${text}\u001B[0m`

const green = paint(32)
const yellow = paint(33)
const red = paint(31)
const grey = paint(90)

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
  bold: paint(1),
  added: green,
  removed: red,
  grey,
}

// The keys are those of `colored`.
const none = Object.fromEntries(Object.keys(colored).map((key) => [key, plain])) as Colors

/** Colours for a terminal, or plain text for a pipe. */
export const colors = (isColored: boolean): Colors => (isColored ? colored : none)
