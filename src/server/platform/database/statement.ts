import { type SQL, sql } from 'drizzle-orm'
import type { Db } from './db.ts'

interface Prepared<Row> {
  execute(params: Record<string, unknown>): Promise<Row>
}

/**
 * A query whose text is built once a connection instead of once an execution: building the text of a wide query costs
 * more than sending it. Its values are placeholders; lists are one array, `= any(…)`, so that the text stays the same
 * however long they are.
 *
 * @example
 * const findById = statement<{ id: number }>()((db) =>
 *   db.select().from(users).where(eq(users.id, sql.placeholder('id'))))
 * const [user] = await findById(db, { id: 1 })
 * @returns a function that runs the query on the given database or transaction
 */
export function statement<Params extends object>() {
  return <Result>(build: (db: Db) => { prepare(name: string): Prepared<Result> }) => {
    // By session, which is that of the connection inside a transaction: a query prepared on another would run outside it.
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
 * For `${users.id} = ${anyOf('ids')}`: whether a column is in the list of integers given as the parameter `ids`.
 * The planner is not shown how long the list is, so that the plan for all lists does not look dearer than one for a
 * short list, and is made once. An array in a sub-select is an array only with a cast around it.
 */
export function anyOf(placeholder: string): SQL {
  return sql`any((select ${sql.placeholder(placeholder)}::int[])::int[])`
}
