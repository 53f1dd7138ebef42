import { setTimeout as wait } from 'node:timers/promises'
import { Disturbed } from '../refusal.js'

/**
 * The number of times that a run starts again while files are being saved, before that is reported.
 */
const most = 5

/** Milliseconds after the first time, and as many more after each. A formatter saves again this long after its editor. */
const pause = 100

/** Does the work again, from what the disk holds by then, when a file was changed while svc was writing. */
export async function undisturbed<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let times = 1; ; times += 1) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Disturbed) || times === most) throw error
      await wait(pause * times)
    }
  }
}
