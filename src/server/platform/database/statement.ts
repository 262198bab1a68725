import { type SQL, sql } from 'drizzle-orm'
import type { Db } from './db-type.ts'

interface Prepared<Row> {
  execute(params: Record<string, unknown>): Promise<Row>
}

/**
 * A query whose text is built once per connection instead of at each execution: building the text of a wide
 * query costs more than sending it. Values are placeholders. A list is one array, `= any(…)`, so that the
 * text does not depend on its length.
 *
 * @example
 * const findById = statement<{ id: number }>()((db) =>
 *   db.select().from(users).where(eq(users.id, sql.placeholder('id'))))
 * const [user] = await findById(db, { id: 1 })
 * @returns a function that runs the query on the given database or transaction
 */
export function statement<Params extends object>() {
  return <Result>(build: (db: Db) => { prepare(name: string): Prepared<Result> }) => {
    // By session: in a transaction it is the connection's, and a query of another session would run outside.
    const known = new WeakMap<object, Prepared<Result>>()
    return (db: Db, params: Params): Promise<Result> => {
      const { session } = db._
      let prepared = known.get(session)
      if (!prepared) {
        prepared = build(db).prepare('')
        known.set(session, prepared)
      }
      return prepared.execute(params as Record<string, unknown>)
    }
  }
}

/**
 * For `${users.id} = ${anyOf('ids')}`: whether a column is in the list in parameter `ids`. The
 * sub-select hides the list's length from the planner, so that the generic plan does not seem dearer than one
 * for a short list, and is used. Around a sub-select, `any` takes an array only with a cast.
 */
export function anyOf(placeholder: string, type: 'int' | 'text' = 'int'): SQL {
  const array = sql.raw(`${type}[]`)
  return sql`any((select ${sql.placeholder(placeholder)}::${array})::${array})`
}
