import type { ConversationsFound } from '#shared/conversations/archive.ts'
import { mostFound, searchConversations } from '#shared/conversations/archive.ts'
import { isPermitted, type Who } from '#server/platform/http/access.ts'
import type { Database } from '#server/platform/database/db.ts'
import { mayRead } from '#server/platform/http/reach.ts'
import { listConversationRows, factsOf } from '#server/conversations/store/rows.ts'
import { toConversation } from '#server/conversations/store/serializers.ts'
import type { Scope } from './archive-filters.ts'
import { hitsIn } from './hits.ts'
import { findOpen } from './open-words.ts'
import { findCompleted, lookedFor } from './search.ts'
import { readQuery } from './search-query.ts'

const searchOfAll = searchConversations.rows['GET /api/conversations/search (all)']

/**
 * The conversations that the person may read in which all words are found: open ones, the one with the newest
 * message first, then completed ones, the last completed first.
 * @param limit of each of the two
 */
export async function searchAll(
  database: Database,
  who: Who,
  { search, limit }: { search: string; limit: number },
): Promise<ConversationsFound> {
  const isOwnOnly = !isPermitted(who, searchOfAll)
  const ownerId = isOwnOnly ? who.id : undefined
  // Nothing is asked by a day, for which alone the zone is of meaning.
  const scope: Scope = { ownerId, who, timezone: 'UTC', asOf: undefined }
  const looked = await lookedFor(database, readQuery(search, who).terms)
  const [open, completed] = await Promise.all([
    findOpen(database, who, looked, limit),
    findCompleted(database, scope, {}, looked),
  ])
  const total = Math.min(completed.length, mostFound)
  const isOfOpen = new Set(open)
  const ofCompleted = completed.slice(0, limit).filter((id) => !isOfOpen.has(id))
  const ids = [...open, ...ofCompleted]
  const [found, hitsOfOpen, hitsOfCompleted] = await Promise.all([
    ids.length === 0 ? [] : listConversationRows(database, ids),
    hitsIn(database, open, looked, { of: 'open', shown: 'newest' }),
    hitsIn(database, ofCompleted, looked, { of: 'completed', shown: 'newest' }),
  ])
  // What has been completed since its words were written is no longer for everybody.
  const readable = found.filter((row) => mayRead(who, factsOf(row), searchOfAll))
  const byId = new Map(readable.map((row) => [row.conversation.id, row]))
  return {
    conversations: ids.flatMap((id) => {
      const row = byId.get(id)
      const hits = hitsOfOpen.get(id) ?? hitsOfCompleted.get(id)
      return row ? [{ ...toConversation(row), hits: [], hitCount: 0, ...hits }] : []
    }),
    completedCount: total,
    hasMore: completed.length > total,
    isOwnOnly,
  }
}
