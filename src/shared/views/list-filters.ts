import * as z from 'zod/mini'
import { isOfSectorAsked } from '#shared/sectors/sector-asked.ts'
import { id, idParam } from '#shared/users/users.ts'
import { type Conversation, priorities } from '#shared/conversations/conversations.ts'

/** Longer than a week nobody is meant to wait. */
const mostWaitingMinutes = 7 * 24 * 60

const minutes = z.int().check(z.minimum(1), z.maximum(mostWaitingMinutes))

const fieldsOf = <Id extends z.ZodMiniType<number>, Minutes extends z.ZodMiniType<number>>(
  oneId: Id,
  someMinutes: Minutes,
) => ({
  /** Only those of one number. */
  instanceId: z.optional(oneId),
  /** Only those of one sector, or of none. */
  sectorId: z.optional(z.union([oneId, z.literal('none')])),
  /** Only those of one person, or of nobody. */
  personId: z.optional(z.union([oneId, z.literal('none')])),
  /** The contact's, by its name. */
  category: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
  /** A tag of the conversation, or none at all. */
  tagId: z.optional(z.union([oneId, z.literal('none')])),
  priority: z.optional(z.enum(priorities)),
  /** The client has been waiting for so long, or longer. */
  waitingMinutes: z.optional(someMinutes),
  /** Only what has messages of the client that the caller has not read. */
  unread: z.optional(z.literal('only')),
})

/** The fields of a filter of the open conversations, by their names in the address of a call. */
export const listFilterParams = fieldsOf(idParam, z.pipe(idParam, minutes))
/** The same where they are kept. */
export const listFilterFields = fieldsOf(id, minutes)

const listFilters = z.object(listFilterFields)
export type ListFilters = z.infer<typeof listFilters>

/** What of a conversation decides whether it is listed, beside the conversation itself. */
export interface ListMoment {
  /** How many messages of the client the person has not read. */
  unread: (row: Conversation) => number
  nowMs: number
}

/** Whether a conversation meets all that is asked for. */
export function meets(row: Conversation, filters: ListFilters, { unread, nowMs }: ListMoment): boolean {
  const { instanceId, sectorId, personId, category, tagId, priority, waitingMinutes } = filters
  return (
    (instanceId === undefined || row.instanceId === instanceId) &&
    isOfSectorAsked(row.sectorId, sectorId) &&
    (personId === undefined || row.assignedUserId === (personId === 'none' ? null : personId)) &&
    (category === undefined || row.contact.category.toLowerCase() === category.toLowerCase()) &&
    isTaggedAsAsked(row.tagIds, tagId) &&
    (priority === undefined || row.priority === priority) &&
    (waitingMinutes === undefined || hasWaited(row, waitingMinutes, nowMs)) &&
    (filters.unread === undefined || unread(row) > 0)
  )
}

function isTaggedAsAsked(tagIds: Conversation['tagIds'], asked: ListFilters['tagId']): boolean {
  if (asked === undefined) return true
  return asked === 'none' ? tagIds === undefined : (tagIds?.includes(asked) ?? false)
}

function hasWaited({ waitingSince }: Conversation, minutes: number, nowMs: number): boolean {
  return waitingSince !== null && nowMs - Date.parse(waitingSince) >= minutes * 60_000
}

/** Whether a filter depends on who asks, or on when: what it lists changes without a change of the rows. */
export const isOfMoment = ({ unread, waitingMinutes }: ListFilters): boolean =>
  unread !== undefined || waitingMinutes !== undefined

/** Whether anything is asked for. */
export const isFiltered = (filters: ListFilters): boolean =>
  Object.values(filters).some((value) => value !== undefined)
