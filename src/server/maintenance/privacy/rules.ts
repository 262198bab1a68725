import { type SQL, sql } from 'drizzle-orm'
import type { schema } from '#server/schema/schema.ts'
import type { MessageMetadata } from '#shared/messages/message-metadata.ts'
import type { Person } from './person.ts'

export type TableName = keyof typeof schema
type ColumnOf<Table extends TableName> = keyof (typeof schema)[Table]['$inferSelect'] & string

/** What becomes of a table's rows when a contact is anonymized. Each column is named, in one of the two. */
export interface Rule<Table extends TableName = TableName> {
  /** Which rows are the person's; absent: the table says nothing of contacts. */
  of?: (person: Person) => SQL
  /** The rows go, with all that is personal. */
  isDeleted?: true
  /** What tells of the person, with what takes its place; of rows that are deleted, nothing does. */
  personal?: Partial<Record<ColumnOf<Table>, SQL>>
  /** What tells nothing of a contact, or is no value of his: ids, counts, times, and what is the team's. */
  other: string
}

export const gone = sql`null`
export const blank = sql`''`

/** Whether the metadata of a message tells of its person; 'count' is what figures are made of, and stays. */
const metadataFields: Record<keyof MessageMetadata, 'count' | 'personal'> = {
  isErased: 'count',
  isExpired: 'count',
  text: 'count',
  origin: 'count',
  agentName: 'count',
  rating: 'count',
  recovered: 'count',
  duplicateIds: 'count',
  call: 'count',
  event: 'count',
  isForwarded: 'count',
  isVoice: 'count',
  seconds: 'personal',
  width: 'personal',
  height: 'personal',
  isRound: 'personal',
  isGif: 'personal',
  isDownloadOnly: 'personal',
  pages: 'personal',
  isViewOnce: 'personal',
  contacts: 'personal',
  location: 'personal',
  poll: 'personal',
  ad: 'personal',
  gatewayType: 'personal',
}

const counted = Object.entries(metadataFields).flatMap(([field, kind]) => (kind === 'count' ? [field] : []))

const countedMetadata = sql`
  (select coalesce(jsonb_object_agg(f.key, f.value), '{}'::jsonb) from jsonb_each(metadata) f
    where f.key = any(${sql.param(counted)}::text[]))`

/** The metadata of a message whose contact was anonymized. */
export const erasedMetadata = sql`${countedMetadata} || '{"isErased": true}'::jsonb`
/** The metadata of a message whose text is older than the installation keeps texts. */
export const expiredMetadata = sql`${countedMetadata} || '{"isExpired": true}'::jsonb`
