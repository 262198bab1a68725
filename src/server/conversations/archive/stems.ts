import { sql } from 'drizzle-orm'
import { type Db, rows } from '#server/platform/database/db.ts'
import { type Stems, type Term, withAccents } from './search-query.ts'

/** The words of the last conversations, most of which come again. */
const known = new Map<string, readonly string[]>()
const mostKnown = 50_000
/** What the stemmer knows: words of Latin letters. */
const stemmable = /^\p{Script=Latin}+$/u

/**
 * The stems of words in lower case, without accents; none for words without a meaning of their own, such as
 * 'de', and for those that are no words of a language. By PostgreSQL's stemmer, which needs the accents.
 */
export async function stemsOf(db: Db, words: Iterable<string>): Promise<Stems> {
  const all = [...new Set(words)]
  const missing = all.filter((word) => !known.has(word) && stemmable.test(word))
  if (missing.length > 0) {
    if (known.size + missing.length > mostKnown) known.clear()
    const found = await rows<{ word: string; stems: string[] | null }>(
      db,
      sql`select word, ts_lexize('portuguese_stem', word) as stems
            from unnest(${sql.param(missing)}::text[]) as word`,
    )
    for (const { word, stems } of found) known.set(word, (stems ?? []).map(withoutAccents))
  }
  return new Map(all.map((word) => [word, known.get(word) ?? []]))
}

/** The stems of what is looked for, also with the accents that it may have been meant with. */
export function stemsOfTerms(db: Db, terms: readonly Term[]): Promise<Stems> {
  return stemsOf(
    db,
    terms.flatMap(({ words }) => words.flatMap(({ lower }) => withAccents(lower))),
  )
}

const withoutAccents = (stem: string) => stem.normalize('NFD').replace(/[\u0300-\u036f]/g, '')
