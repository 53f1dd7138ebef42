/** Full text on tables that were there before svc: with their keys, triggers and odd rows. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyFolder, svc } from '../../core/cli/project.js'
import { existing } from '../../core/existing/project.js'
import { databases } from '../../support/databases.js'
import { linkModules } from '../../support/project.js'
import { scriptsShareAProcess } from '../../support/resident.js'

scriptsShareAProcess()

const legacy = {
  sqlite: `CREATE TABLE notes (ref text PRIMARY KEY, "Heading" text NOT NULL, body varchar(200), upper text);
    CREATE TRIGGER own AFTER INSERT ON notes BEGIN UPDATE notes SET upper = upper(NEW."Heading") WHERE ref = NEW.ref; END;`,
  postgresql: `CREATE TABLE notes (ref text PRIMARY KEY, "Heading" text NOT NULL, body varchar(200), upper text);
    CREATE FUNCTION own() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.upper := upper(NEW."Heading"); RETURN NEW; END $$;
    CREATE TRIGGER own BEFORE INSERT ON notes FOR EACH ROW EXECUTE FUNCTION own();`,
} as const

test.each(databases)('words of an old table are found on %s', async (database) => {
  const from = await existing(
    database,
    `${legacy[database]} INSERT INTO notes (ref, "Heading", body) VALUES ('a', 'Red lamps', 'b'), ('b', 'Chairs', 'a lamp');`,
  )
  const root = emptyFolder()
  const init = await svc(root, 'init', '.', '--from', from.url)
  expect(init.code, init.errors).toBe(0)
  await linkModules(root)
  process.env['DATABASE_URL'] = from.url
  const become = async (searchable: string, body = 'text().max(200).nullable()') => {
    writeFileSync(
      join(root, 'manifest/notes.ts'),
      `import { fullText, integer, repository, text, textarea } from 'svckit'

export const notes = repository({
  table: 'notes', key: 'ref', id: { kind: 'text', given: 'must' }, timestamps: false,
  searchable: ${searchable},
  fields: { Heading: textarea(), body: ${body}, upper: textarea().nullable() },
})
`,
    )
    const made = await svc(root, 'generate')
    const { code, out, errors } = await svc(root, 'migrate', '--accept-data-loss')
    expect(code, made.out + made.errors + out + errors).toBe(0)
    expect((await svc(root, 'generate', '--check')).code).toBe(0)
  }
  const first = async (sql: string) => (await from.rows(sql)).map((row) => Object.values(row)[0])
  const found = () =>
    first(
      database === 'sqlite'
        ? `SELECT k.key FROM notes_search JOIN notes_search_keys k ON k.row = notes_search.rowid WHERE notes_search MATCH 'lamp' ORDER BY k.key`
        : `SELECT ref FROM notes WHERE search_vector @@ 'lamp'::tsquery ORDER BY ref`,
    )
  const words = `fullText(['Heading', 'body'], { language: 'english' })`
  await become(words)
  expect(await found()).toEqual(['a', 'b'])
  await first(`INSERT INTO notes (ref, "Heading") VALUES ('c', 'new lamp') RETURNING ref`)
  // SQLite takes rows without a key.
  if (database === 'sqlite') {
    await first(`INSERT INTO notes (ref, "Heading") VALUES (NULL, 'a lamp') RETURNING 1`)
    await first(`DELETE FROM notes WHERE ref IS NULL RETURNING 1`)
  }
  expect(await found()).toEqual(['a', 'b', 'c'])
  expect(await first(`SELECT upper FROM notes WHERE ref = 'c'`)).toEqual(['NEW LAMP'])
  // SQLite builds the table anew: what it has beside its schema stays, and so do the words.
  await become(words, `text().max(200).default('lamp')`)
  expect(await found()).toEqual(['a', 'b', 'c'])
  await first(`UPDATE notes SET "Heading" = 'nothing' WHERE ref = 'c' RETURNING ref`)
  await become(`['Heading']`, `text().max(200).default('lamp')`)
  await first(`INSERT INTO notes (ref, "Heading") VALUES ('d', 'x') RETURNING ref`)
  expect(await first(`SELECT upper FROM notes WHERE ref = 'd'`)).toEqual(['X'])
})
