import type { NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import type { PgDatabase } from 'drizzle-orm/pg-core'
import type { schema } from '#server/schema/schema.ts'

/** The first parameter of every query: the database or an open transaction. */
export type Db = PgDatabase<NodePgQueryResultHKT, typeof schema>
