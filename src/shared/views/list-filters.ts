import * as z from 'zod/mini'
import { id, idParam } from '#shared/users/users.ts'
import { priorities } from '#shared/conversations/conversations.ts'

/** Longer than a week nobody is meant to wait. */
const mostWaitingMinutes = 7 * 24 * 60

export const slaFilters = ['near', 'broken'] as const
export const snoozedFilters = ['only', 'too'] as const

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
  /** The clock of the row is near its end, or over; or over. */
  sla: z.optional(z.enum(slaFilters)),
  /** Only what is on hold, or that too: without it only 'Em espera' and a search show it. */
  snoozed: z.optional(z.enum(snoozedFilters)),
})

/** The fields of a filter of the open conversations, by their names in the address of a call. */
export const listFilterParams = fieldsOf(idParam, z.pipe(idParam, minutes))
/** The same where they are kept. */
export const listFilterFields = fieldsOf(id, minutes)

const listFilters = z.object(listFilterFields)
export type ListFilters = z.infer<typeof listFilters>

/** Whether a filter depends on who asks, or on when: what it lists changes without a change of the rows. */
export const isOfMoment = ({ unread, waitingMinutes, sla }: ListFilters): boolean =>
  unread !== undefined || waitingMinutes !== undefined || sla !== undefined

/** Whether anything is asked for. */
export const isFiltered = (filters: ListFilters): boolean =>
  Object.values(filters).some((value) => value !== undefined)
