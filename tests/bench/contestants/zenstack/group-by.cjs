// ZenStack's command calls it, and Node 20 has not got it.
Object.groupBy ??= (values, keyOf) => {
  const groups = {}
  for (const value of values) (groups[keyOf(value)] ??= []).push(value)
  return groups
}
