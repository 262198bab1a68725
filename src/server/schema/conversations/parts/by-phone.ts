import { type SQL, sql, type SQLWrapper } from 'drizzle-orm'

/** Of messages: somebody wrote it, or took a call, on the connected phone. */
export const isByPhone = (metadata: SQLWrapper): SQL =>
  sql.join(
    [sql`${metadata} ->> 'origin' in ('phone', 'api')`, sql`${metadata} #>> '{call,outcome}' = 'answered'`],
    sql` or `,
  )
