import { type SQL, sql } from 'drizzle-orm'

/** Rows that go by themselves when their time is over, of the table as 't'. */
export interface Trimmed {
  /** The job that deletes them. */
  by: string
  /** An interval, from `since` on. */
  after: string
  since: SQL
  /** Which rows; absent: all. */
  where?: SQL
  /** How many old rows remain; absent: none. */
  besides?: number
}

/** What a table has rows for, and what ends them. Part of a table that is kept may be trimmed. */
export type Ends =
  /** Grows with the business. What may end its rows. */
  | { kept: string; trimmed?: Trimmed; bounded?: never }
  /** Does not grow. By what. */
  | { bounded: string; kept?: never; trimmed?: never }
  | { trimmed: Trimmed; kept?: never; bounded?: never }

export const month = '30 days'

export const singleRow = { bounded: 'a single row' } as const
export const drained = { bounded: 'by what its worker has not come to' } as const
export const byPeople = { kept: 'a person deletes it' } as const

const conversationEnds = 'with its conversation, which a person or a cleanup deletes'
export const withConversation = { kept: conversationEnds } as const
export const ofMessages = { kept: `${conversationEnds}; the periods of the plan empty it` } as const

/** Rows that go by themselves after the time of one of their columns, as it is called in the database. */
export const since = (column: string): SQL => sql.raw(`t.${column}`)
