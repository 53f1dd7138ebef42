import { runs } from '../../support/runs.js'
import { cases } from '../plan/fixture.js'
import { compileAll } from './compile-all.js'

/** Every fixture but the one of `compile.test.ts`, and on PostgreSQL the one with all kinds, whose columns differ there. */
compileAll(
  cases.filter(({ fixture, database }) =>
    database === 'sqlite'
      ? fixture !== 'every-kind'
      : fixture === 'every-kind' || (fixture === 'blog' && runs(1) > 1),
  ),
)
