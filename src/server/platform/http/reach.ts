import { and, eq, or, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { getConversation } from '#shared/conversations/conversation-endpoints.ts'
import type { Row } from '#shared/endpoint.ts'
import { conversations, isOpen } from '#server/schema/conversations/conversations.ts'
import { hasNumber, isPermitted, ofGivenNumber, type SessionPerson } from './access.ts'

// Of which conversations a person knows: the one rule, as a function of facts and as a condition of SQL. It
// is about numbers, sectors and holders; flags are asked besides, which `mayRead` does.

/** Whose reach it is. */
export type Reader = Pick<SessionPerson, 'id' | 'numberIds' | 'sectors' | 'scope'>

/** What of a conversation decides who knows of it. */
export interface ReachFacts {
  instanceId: number
  /** null: 'Sem setor'. */
  sectorId: number | null
  assignedUserId: number | null
  status: string
  subStatus: string
  waitingFor: string
  /** Who ever had it or wrote in it; needed of completed ones only. */
  peopleIds: readonly number[]
}

/** All of it; of one in the queue name, sector and waiting time; or nothing, as if it did not exist. */
export type Reach = 'whole' | 'card' | 'none'

export function reachOf(who: Reader, facts: ReachFacts): Reach {
  if (!hasNumber(who, facts.instanceId)) return 'none'
  if (who.scope === 'all' || facts.assignedUserId === who.id) return 'whole'
  if (isOfSectors(sectorsSeen(who), facts.sectorId)) return 'whole'
  if (facts.status === 'completed') return facts.peopleIds.includes(who.id) ? 'whole' : 'none'
  const isQueued = facts.subStatus === 'FILA' && facts.waitingFor === 'operator'
  return isQueued && facts.sectorId !== null && isIn(who, facts.sectorId) ? 'card' : 'none'
}

/** The columns of a conversation that decide about it. */
export interface ReachColumns {
  id: SQLWrapper
  instanceId: SQLWrapper
  sectorId: SQLWrapper
  assignedUserId: SQLWrapper
  status: SQLWrapper
}

/** Those of a conversation by its alias. */
export const reachColumns = (alias: string): ReachColumns => ({
  id: sql.raw(`${alias}.id`),
  instanceId: sql.raw(`${alias}.instance_id`),
  sectorId: sql.raw(`${alias}.sector_id`),
  assignedUserId: sql.raw(`${alias}.assigned_user_id`),
  status: sql.raw(`${alias}.status`),
})

/** Whether all of a conversation is within the person's reach; undefined where that is so of every one. */
export function isInReach(who: Reader, conversation: ReachColumns): SQL | undefined {
  const isOfNumber = ofGivenNumber(who, conversation.instanceId)
  if (who.scope === 'all') return isOfNumber
  const { ids, withNone } = sectorsSeen(who)
  return and(
    isOfNumber,
    or(
      sql`${conversation.assignedUserId} = ${who.id}::int`,
      ids.length > 0 ? sql`${conversation.sectorId} = any(${sql.param(ids)}::int[])` : undefined,
      withNone ? sql`${conversation.sectorId} is null` : undefined,
      sql`(${conversation.status} = 'completed' and exists (
             select from conversation_people p
              where p.conversation_id = ${conversation.id} and p.user_id = ${who.id}::int))`,
    ),
  )
}

/** A person's reach as parameters of a prepared statement. */
export interface ReachParams {
  userId: number
  numberIds: readonly number[] | null
  seesAll: boolean
  sectorIds: readonly number[]
  seesNone: boolean
}

export function reachParams(who: Reader): ReachParams {
  const { ids, withNone } = sectorsSeen(who)
  const { id: userId, numberIds } = who
  return { userId, numberIds, seesAll: who.scope === 'all', sectorIds: ids, seesNone: withNone }
}

/** `isInReach` of a prepared statement with `reachParams`. */
export const isInReachOfParams = (conversation: ReachColumns): SQL => sql`(
  (${sql.placeholder('numberIds')}::int[] is null
   or ${conversation.instanceId} = any(${sql.placeholder('numberIds')}::int[]))
  and (${sql.placeholder('seesAll')}::boolean
       or ${conversation.assignedUserId} = ${sql.placeholder('userId')}::int
       or ${conversation.sectorId} = any(${sql.placeholder('sectorIds')}::int[])
       or (${sql.placeholder('seesNone')}::boolean and ${conversation.sectorId} is null)
       or (${conversation.status} = 'completed' and exists (
             select from conversation_people p
              where p.conversation_id = ${conversation.id}
                and p.user_id = ${sql.placeholder('userId')}::int))))`

/** Whether everything of the person's numbers is within their reach. */
export const reachesAll = ({ scope }: Pick<Reader, 'scope'>): boolean => scope === 'all'

/** Whether everything is within their reach, whatever the number. */
export const reachesEverything = ({ scope, numberIds }: Pick<Reader, 'scope' | 'numberIds'>): boolean =>
  scope === 'all' && numberIds === null

/** A key that people with the same reach have in common. */
export const reachKey = (who: Reader): string =>
  reachesAll(who)
    ? (who.numberIds?.join() ?? 'all')
    : JSON.stringify([who.id, who.numberIds, who.sectors, who.scope])

/** The sectors of which a person whose scope is not 'all' sees everything; leads see what has none, too. */
function sectorsSeen({ scope, sectors }: Reader): { ids: number[]; withNone: boolean } {
  if (scope === 'own') return { ids: [], withNone: false }
  return { ids: sectors.map(({ id }) => id), withNone: sectors.some(({ isLead }) => isLead) }
}

const isOfSectors = ({ ids, withNone }: { ids: number[]; withNone: boolean }, sectorId: number | null) =>
  sectorId === null ? withNone : ids.includes(sectorId)

const isIn = ({ sectors }: Reader, sectorId: number) => sectors.some(({ id }) => id === sectorId)

/**
 * Whether a queue is the person's: that of one of their sectors; that of what has no sector, of those who
 * know of everything, and of leads.
 */
export function servesQueue(
  who: Pick<Reader, 'numberIds' | 'sectors' | 'scope'>,
  { instanceId, sectorId }: Pick<ReachFacts, 'instanceId' | 'sectorId'>,
): boolean {
  if (!hasNumber(who, instanceId)) return false
  if (sectorId !== null) return who.sectors.some(({ id }) => id === sectorId)
  return who.scope === 'all' || who.sectors.some(({ isLead }) => isLead)
}

/**
 * The same as a condition of a query, for whoever takes the next one. Those who know of everything and are in
 * no sector take from every queue.
 */
export function isOfQueueOf(who: Reader, { instanceId, sectorId }: ReachColumns): SQL | undefined {
  const isOfNumber = ofGivenNumber(who, instanceId)
  const ids = who.sectors.map(({ id }) => id)
  if (who.scope === 'all' && ids.length === 0) return isOfNumber
  const withNone = who.scope === 'all' || who.sectors.some(({ isLead }) => isLead)
  return and(
    isOfNumber,
    or(sql`${sectorId} = any(${sql.param(ids)}::int[])`, withNone ? sql`${sectorId} is null` : undefined),
  )
}

/** A person with the rights that decide what they may read. */
export type Rights = Reader & Pick<SessionPerson, 'role' | 'flags'>

/** The row about completed conversations of others, unless a call has one of its own. */
export const completedOfOthers = getConversation.rows['GET /api/conversations/{completed}']

/**
 * Whether the person may read a conversation: only what is within their reach; open ones with
 * canViewConversations, completed ones if they were assigned to them or by the row about those of others.
 */
export function mayRead(who: Rights, conversation: ReachFacts, ofOthers: Row = completedOfOthers): boolean {
  if (!who.flags.canViewConversations || reachOf(who, conversation) !== 'whole') return false
  if (conversation.status !== 'completed' || conversation.assignedUserId === who.id) return true
  return isPermitted(who, ofOthers)
}

/** The conversations that the person may read, by `mayRead`. @param ofOthers the row about completed ones */
export const readableBy = (who: Rights, ofOthers: Row = completedOfOthers): SQL | undefined =>
  and(
    isInReach(who, conversations),
    isPermitted(who, ofOthers) ? undefined : or(isOpen, eq(conversations.assignedUserId, who.id)),
  )
