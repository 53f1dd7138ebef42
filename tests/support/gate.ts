export interface Gate {
  readonly opened: Promise<void>
  open(): void
}

/** Holds what awaits `opened` where it is, until the test opens it: the order of things, without a clock. */
export function createGate(): Gate {
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open }
}
