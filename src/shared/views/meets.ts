import type { Conversation } from '#shared/conversations/conversations.ts'
import { isSnoozed } from '#shared/conversations/list/list-view.ts'
import type { ListFilters } from './list-filters.ts'

// Apart from the schemas, since every page loads it.

/** What of a conversation decides whether it is listed, beside the conversation itself. */
export interface ListMoment {
  /** How many messages of the client the person has not read. */
  unread: (row: Conversation) => number
  nowMs: number
}

/** Whether a conversation meets all that is asked for. */
export function meets(row: Conversation, asked: ListFilters, { unread, nowMs }: ListMoment): boolean {
  const { category, tagId, waitingMinutes, sla } = asked
  return (
    isAsAsked(row.instanceId, asked.instanceId) &&
    isAsAsked(row.sectorId, asked.sectorId) &&
    isAsAsked(row.assignedUserId, asked.personId) &&
    isAsAsked(row.priority, asked.priority) &&
    (!category || row.contact.category.toLowerCase() === category.toLowerCase()) &&
    (!tagId || (tagId === 'none' ? !row.tagIds : !!row.tagIds?.includes(tagId))) &&
    (!waitingMinutes ||
      (row.waitingSince !== null && nowMs - Date.parse(row.waitingSince) >= waitingMinutes * 60_000)) &&
    (!sla || (!!row.sla && Date.parse(sla === 'near' ? row.sla.nearAt : row.sla.dueAt) <= nowMs)) &&
    (asked.snoozed !== 'only' || isSnoozed(row)) &&
    (!asked.unread || unread(row) > 0)
  )
}

const isAsAsked = (is: unknown, asked: unknown): boolean =>
  asked === undefined || is === (asked === 'none' ? null : asked)
