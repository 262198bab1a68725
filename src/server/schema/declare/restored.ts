import { type SQL, sql } from 'drizzle-orm'

// A restore knows of each row of the backup which row here it is or becomes: it makes a temporary table
// `map_TABLE (source, id, is_new)` of each table with an id, each after those that the table refers to.

/** Which rows of a backup are rows here, and which are added. */
export interface MapRule {
  /**
   * Joins a row `s` of the backup with the row `t` here that it is. Absent: of another installation none is
   * one of ours.
   */
  match?: SQL
  /** The same for rows of this installation; by default the row with the same id. */
  matchOwn?: SQL
  /** Whether a row `s` that is none of ours is added. May ask the maps of the tables that it refers to. */
  isAdded: SQL
  pairsOf?: never
  otherwise?: never
}

/** How a restore brings the rows of a table in. */
export type Restored =
  | MapRule
  /** Pairs of rows of this table that are not the same: first_id, second_id, declared_by, declared_at. */
  | { pairsOf: string; isAdded?: never; otherwise?: never }
  /** What maintenance/restore/merge.ts does with it instead. */
  | { otherwise: string; isAdded?: never; pairsOf?: never }

export const mapOf = (table: string): SQL => sql`${sql.identifier(`map_${table}`)}`

/** Whether the row of that id in the backup is added. */
export const isNewIn = (table: string, source: SQL): SQL =>
  sql`exists (select from ${mapOf(table)} m where m.source = ${source} and m.is_new)`
/** Whether it is here already, or added. */
export const isMapped = (table: string, source: SQL): SQL =>
  sql`exists (select from ${mapOf(table)} m where m.source = ${source})`
/** The id here of the row of that id in the backup; null if there is none. */
export const mapped = (table: string, source: SQL): SQL =>
  sql`(select m.id from ${mapOf(table)} m where m.source = ${source})`

/** For rows that are recognized in both cases by the same columns. */
export const matchedBy = (match: SQL): Pick<MapRule, 'match' | 'matchOwn'> => ({ match, matchOwn: match })

export const always = sql`true`
/** For rows of messages, which are added with them. */
export const withItsMessage: MapRule = { isAdded: isNewIn('messages', sql`s.message_id`) }
