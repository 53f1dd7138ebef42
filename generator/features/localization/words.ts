declare module '../../manifest/words.js' {
  interface ManifestWords {
    /**
     * Languages in which requests hear what is wrong with them, by `Accept-Language`: `messages: ['it', 'de']`. Their texts are in
     * `config/messages.ts`, which is yours; what names no language among them hears English, whose texts are there if 'en' is listed.
     */
    readonly messages?: readonly string[]
  }
}

export {}
