declare module '../../manifest/words.js' {
  interface FeatureColumns {
    readonly timestampsBy: 'created_by_id' | 'updated_by_id'
  }
  interface ManifestWords {
    /**
     * Who made each record and who changed it last: `created_by_id` and `updated_by_id`, written by the server and by nobody
     * else, and the relations `created_by` and `updated_by`. `true`: of every repository that has timestamps; a list: of these,
     * by their names in `repositories`. The relations are for `include`: declare `created_by: belongsTo('users').nullable().readonly()`
     * to have routes of it. Default false.
     */
    readonly timestampsBy?: boolean | readonly string[]
  }
}

export {}
