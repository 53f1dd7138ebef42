/** Every mutant stands in the policies, and asks whether it is on. */
declare global {
  // oxlint-disable-next-line no-var -- only so is it a member of globalThis
  var svcMutant: ((id: string) => boolean) | undefined
}

/** Does work with one mutant on, or none, and says which it came by. */
export async function during<Value>(
  on: string | null,
  work: () => Value | Promise<Value>,
): Promise<{ readonly value: Value; readonly reached: ReadonlySet<string> }> {
  const reached = new Set<string>()
  globalThis.svcMutant = (id) => {
    reached.add(id)
    return id === on
  }
  try {
    return { value: await work(), reached }
  } finally {
    globalThis.svcMutant = () => false
  }
}
