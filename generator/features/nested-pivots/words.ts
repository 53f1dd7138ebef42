declare module '../../manifest/words.js' {
  interface ManyToManyWords {
    /**
     * A record may be written with which records of this relation belong to it: `POST /posts { title, tags: [{ id: '3' }] }`
     * attaches them, and PUT and PATCH sync them, in one transaction. Where the related repository has `upsertBy`, `{ name: 'red' }`
     * names one by that key, or makes it.
     */
    readonly writable?: boolean
  }
}

export {}
