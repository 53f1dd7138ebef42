import { parseArgs } from 'node:util'

export type DatabaseName = 'sqlite' | 'postgresql'
export const databaseNames: readonly DatabaseName[] = ['sqlite', 'postgresql']

export interface Options {
  readonly only: string | undefined
  readonly rounds: number
  /** Of each contestant in each round; before them is a warm-up. */
  readonly seconds: number
  readonly databases: readonly DatabaseName[]
  readonly contestants: readonly string[] | undefined
  readonly work: readonly string[] | undefined
  /** A part of the comparison is printed, and no page is drawn from it. */
  readonly isPart: boolean
}

export const usage = `npm run bench -- [options]
  --only compare|growth|repositories|page   one part; page draws docs/benchmarks.md from the stored results
  --rounds 3 --seconds 2                    how long: 79 times (3 s, and rounds times that many seconds), and growth and repositories
  --quick                                   two rounds of one second
  --database sqlite|postgresql  --contestants svc,bare  --work show,store   prints a part of the comparison, stores nothing`

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      quick: { type: 'boolean', default: false },
      database: { type: 'string' },
      contestants: { type: 'string' },
      work: { type: 'string' },
    },
  })
  const number = (text: string | undefined, otherwise: number) => Number(text ?? otherwise)
  return {
    only: values.only,
    rounds: number(values.rounds, values.quick ? 2 : 3),
    seconds: number(values.seconds, values.quick ? 1 : 2),
    databases: databaseNames.filter((name) => (values.database ?? name) === name),
    contestants: values.contestants?.split(','),
    work: values.work?.split(','),
    isPart: [values.database, values.contestants, values.work].some((each) => each !== undefined),
  }
}
