declare module '../../manifest/words.js' {
  interface HasWords {
    /**
     * A new record may be sent with those of this relation: `POST /posts { title, comments: [{ body }] }` makes all of them, or
     * none. Each is made as if it were sent to `/posts/7/comments`: its own rules, policy and hooks count.
     */
    readonly writable?: boolean
  }
}

export {}
