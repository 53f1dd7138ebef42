/** The order of keys: of numbers, of all digits of larger ones as text, and of texts. */
export function compareIds(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  const [left, right] = [String(one), String(other)]
  if (!digits.test(left) || !digits.test(right)) return left < right ? -1 : Number(left > right)
  const difference = BigInt(left) - BigInt(right)
  return difference < 0n ? -1 : Number(difference > 0n)
}

const digits = /^-?\d+$/
