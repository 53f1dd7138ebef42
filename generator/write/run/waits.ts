import { AsyncLocalStorage } from 'node:async_hooks'

/** Hears of a wait that is long enough to wonder about. */
const listener = new AsyncLocalStorage<(text: string) => void>()

/** Runs a command whose reader learns for whom it waits, in one line for each wait. */
export const tellingWaits = <Result>(tell: (text: string) => void, work: () => Result): Result =>
  listener.run(tell, work)

export const tellOfWait = (text: string): void => listener.getStore()?.(text)
