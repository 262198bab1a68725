import type { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import type { Office } from './office.ts'

// What is read beside the product, to be compared with what it says.

type Query = ReturnType<typeof sql>

export const ask = <Row extends Record<string, unknown>>(
  { database }: Pick<Office, 'database'>,
  query: Query,
) => rows<Row>(database, query)

/** What statements find that must not be, each row a fault in words, `what`. */
export const found = async (office: Office, query: Query): Promise<string[]> =>
  (await ask<{ what: string }>(office, query)).map(({ what }) => what)

/** The number `n` of the only row. */
export const count = async (office: Office, query: Query): Promise<number> =>
  (await ask<{ n: number }>(office, query))[0]?.n ?? 0

export const sum = (numbers: Iterable<number>): number => [...numbers].reduce((all, one) => all + one, 0)
