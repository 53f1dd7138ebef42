import type { Keeper } from '../plan/prisma/kept.js'
import { fullTextKeeper } from './full-text/keeper.js'

/** Features that have the database keep something of rows. */
export const keepers: readonly Keeper[] = [fullTextKeeper]
