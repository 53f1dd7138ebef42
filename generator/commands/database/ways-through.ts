import {
  isAbsent,
  isOfGoneSide,
  isOfOtherTable,
  isOtherId,
} from '../../migrations/rows/left-rows.js'
import { fillOption } from '../../migrations/sql/mark-names.js'
import type { Costs } from './drafts/costs.js'
import type { Misfit } from './drafts/misfits.js'
import { lossText, misfitText } from './project-database.js'

interface Stopped extends Costs {
  /** A saved one: its text is what it is. */
  readonly migration?: string | undefined
}

/**
 * Lists what is in the way, and what to do about it; `command`: the command that gets the answers.
 */
export function waysThrough({ misfits, losses, migration }: Stopped, command: string): string {
  const fixes = [
    ...(misfits.some(isOfOtherTable)
      ? [
          'give the relation another name, or leave out its foreignKey: then it gets a column of its own',
        ]
      : []),
    ...(misfits.some(isOtherId)
      ? ['keep the kind of the ids, or create a repository with another name and copy the rows']
      : []),
    ...(migration === undefined ? fillsFor(misfits, command) : []),
    ...(isAcceptable(misfits) ? [`${command} --accept-data-loss, ${whatIsLost(misfits)}`] : []),
    migration === undefined
      ? 'change those rows, or add a statement of your own at the top of prisma/migrations/draft.sql'
      : 'change those rows',
  ]
  return [
    migration === undefined ? 'Rows prevent it:' : `Rows prevent ${migration}:`,
    ...misfits.map(misfitText),
    ...(losses.length === 0 ? [] : ['And this would be dropped:', ...losses.map(lossText)]),
    ...fixes.map((fix, at) => `  ${at === 0 ? 'fix    ' : '    or '}${fix}`),
  ].join('\n')
}

/**
 * Returns true if data loss can be accepted: where some row stays in the way, the next answer would
 * be the same.
 */
export const isAcceptable = (misfits: readonly Misfit[]) =>
  misfits.every(({ lasting }) => lasting === 0)

const isLeft = (misfit: Misfit) =>
  [isOfGoneSide, isOfOtherTable, isOtherId].some((is) => is(misfit))

const isKept = (misfit: Misfit) => isLeft(misfit) || isAbsent(misfit)

const isUnfit = (misfit: Misfit) => !isKept(misfit) && !misfit.says.startsWith('is not unique')

function fillsFor(misfits: readonly Misfit[], command: string): readonly string[] {
  const fills = misfits
    .filter(isUnfit)
    .map(({ table, column }) => ` ${fillOption(table, column, '<value>')}`)
  return fills.length === 0 ? [] : [`${command}${fills.join('')}, which replaces them`]
}

function whatIsLost(misfits: readonly Misfit[]): string {
  return [
    ...(misfits.some(isUnfit) ? ['keeps the part that fits, or nothing'] : []),
    ...(misfits.some(isLeft)
      ? ['deletes those rows, or empties the relation if it is nullable']
      : []),
    ...(misfits.some(isAbsent) ? ['deletes those rows for good'] : []),
  ]
    .map((text, at) => `${at === 0 ? 'which' : 'and'} ${text}`)
    .join(', ')
}

/** Says what a run did with accepted losses. */
export const acceptedLines = ({ losses, misfits }: Costs): readonly string[] => [
  ...(misfits.length === 0
    ? []
    : ['Cut, emptied or deleted, as you accepted:', ...misfits.map(misfitText)]),
  ...(losses.length === 0 ? [] : ['Dropped, as you accepted:', ...losses.map(lossText)]),
]
