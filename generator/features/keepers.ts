import type { Keeper } from '../migrations/keepers/kept.js'
import { fullTextKeeper } from './full-text/keeper.js'
import { versionsKeeper } from './versions/keeper.js'

/** Features that have the database keep something of rows. */
export const keepers: readonly Keeper[] = [versionsKeeper, fullTextKeeper]
