import { type SQL, sql } from 'drizzle-orm'
import { lidPattern, phonePattern, tailOf } from './spellings.ts'

/** Everything by which the rows of one person are found. */
export interface Person {
  /** Their contact, those that were merged into it, and deleted ones of the same number. */
  contactIds: number[]
  conversationIds: number[]
  /** In their normal form. */
  phones: string[]
  /** Digits. */
  lids: string[]
}

/** What becomes of a table's rows when a contact is anonymized. */
export interface Personal {
  /** Which rows are the person's. */
  of: (person: Person) => SQL
  /** The rows go, with all that is personal. */
  isDeleted?: true
  /** What tells of the person, with what takes its place; of rows that are deleted, nothing does. */
  columns: Readonly<Record<string, SQL>>
}

export const gone = sql`null`
export const blank = sql`''`

const list = (values: readonly (number | string)[], type: 'int' | 'text') =>
  sql`any(${sql.param(values)}::${sql.raw(type)}[])`

/** Conditions for rows that belong to the person, by a column as it is called in the database. */
export const ofContact = (column: string) => (person: Person) =>
  sql`${sql.identifier(column)} = ${list(person.contactIds, 'int')}`
export const ofConversation = (column: string) => (person: Person) =>
  sql`${sql.identifier(column)} = ${list(person.conversationIds, 'int')}`
export const ofMessage = (column: string) => (person: Person) =>
  sql`${sql.identifier(column)} in (${messagesOf(person, 'id')})`

/** The ids of the messages in the person's conversations. */
export const messagesOf = (person: Person, column: 'id' | 'whatsapp_message_id'): SQL =>
  sql`select m.${sql.identifier(column)} from messages m
       where m.conversation_id = ${list(person.conversationIds, 'int')}`

/** Whether a text names the person by one of their addresses. */
export function naming(text: SQL, { phones, lids }: Person): SQL {
  const patterns = [...phones.map(phonePattern), ...lids.map(lidPattern)]
  if (patterns.length === 0) return sql`false`
  const tails = [...phones, ...lids].map((digits) => `%${tailOf(digits)}%`)
  return sql`(${text} like ${list(tails, 'text')} and ${text} ~ ${patterns.join('|')})`
}
