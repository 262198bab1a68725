import { sql } from 'drizzle-orm'
import type { MessageMetadata } from '#shared/messages/message-metadata.ts'

/** Whether the metadata of a message tells of its person; 'count' is what figures are made of, and stays. */
const metadataFields: Record<keyof MessageMetadata, 'count' | 'personal'> = {
  isErased: 'count',
  isExpired: 'count',
  text: 'count',
  menu: 'count',
  origin: 'count',
  intoQueue: 'count',
  agentName: 'count',
  rating: 'count',
  recovered: 'count',
  duplicateIds: 'count',
  call: 'count',
  event: 'count',
  deletedBy: 'count',
  isForwarded: 'count',
  isVoice: 'count',
  // Without the text it means nothing.
  mentions: 'personal',
  seconds: 'personal',
  transcription: 'personal',
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
  unreadEditAt: 'personal',
  quote: 'personal',
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
