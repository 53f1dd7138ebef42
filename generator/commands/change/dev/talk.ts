/** The two ends' messages on a connection, as far as they are needed to continue elsewhere. */
export interface Talk {
  ask(bytes: Buffer): void
  answer(bytes: Buffer): void
  /**
   * What another server has to be asked: nothing after a whole answer, or a request that only reads, for asking twice does
   * no more than asking once (RFC 9110, 9.2.1). Null: the connection has to end with its server.
   */
  rest(): Buffer | null
}

const none = Buffer.alloc(0)
const mostKept = 64 * 1024

export function openTalk(): Talk {
  /** Since the last answer. */
  let asked = none
  /** The head of the last answer. */
  let head = none
  let length = 0
  let tail = none

  const isWhole = () => {
    const text = head.toString('latin1')
    const end = text.indexOf('\r\n\r\n') + 4
    const lines = text.slice(0, end)
    if (end < 4 || !/^HTTP\/1\.1 [2-5]/.test(lines) || /^connection: *close/im.test(lines))
      return false
    const [, bytes] = /^content-length: *(\d+)/im.exec(lines) ?? []
    if (bytes !== undefined) return length === end + Number(bytes)
    if (/^transfer-encoding: *chunked/im.test(lines)) return tail.toString('latin1') === '0\r\n\r\n'
    return length === end && /^HTTP\/1\.1 (?:204|304)/.test(lines)
  }
  return {
    ask: (bytes) => {
      if (asked.length <= mostKept) asked = Buffer.concat([asked, bytes])
    },
    answer: (bytes) => {
      if (asked.length > 0) [asked, head, length, tail] = [none, none, 0, none]
      length += bytes.length
      if (head.length <= mostKept) head = Buffer.concat([head, bytes])
      tail = Buffer.concat([tail, bytes.subarray(-5)]).subarray(-5)
    },
    rest: () => {
      if (head.length > 0 && !isWhole()) return null
      if (asked.length === 0) return head.length > 0 ? none : null
      const isReading = /^(?:GET|HEAD|OPTIONS) [^]*\r\n\r\n$/.test(asked.toString('latin1'))
      return isReading ? asked : null
    },
  }
}
