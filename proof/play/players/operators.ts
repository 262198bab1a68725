import { plainWho } from '#server/testing/plain-who.ts'
import { sql } from 'drizzle-orm'
import { assign, finalize, takeNext, transfer } from '#server/conversations/acts/assign.ts'
import { handOver } from '#server/conversations/acts/hand-over.ts'
import { sendReply } from '#server/conversations/outgoing/reply.ts'
import { defaultFlags, type Who } from '#server/platform/http/access.ts'
import { type Database, rows } from '#server/platform/database/db.ts'
import type { Clients } from './clients.ts'
import type { DayMs } from '../plan/day.ts'

/** An act of an operator. */
export interface Act {
  kind: 'take' | 'reply' | 'transfer' | 'back' | 'finalize'
  at: DayMs
  conversationId: number
  /** For 'take', the conversation that had waited longest at that time. */
  longestWaitingId?: number
}

/**
 * An open conversation on an operator's screen: an assigned one, or the one that waits longest in the FILA.
 */
interface Shown extends Record<string, unknown> {
  id: number
  phone: string
  waitingFor: 'operator' | 'client'
  isMine: boolean
}

/** An operator takes more until this many wait for a reply, or this many are open. */
const mostWaiting = 2
const mostOpen = 8

export const whoIs = (id: number, username: string): Who => ({
  id,
  name: username,
  username,
  email: `${username}@prova.example`,
  role: 'operator',
  ...plainWho,
  flags: defaultFlags('operator'),
  sessionId: 0,
  source: { address: null, device: null },
})

/** Whether a conversation is in the FILA, as specified. */
export const inQueue = sql`v.status <> 'completed' and v.sub_status = 'FILA' and v.waiting_for = 'operator'`

export interface AtWork {
  database: Database
  clients: Clients
  acts: Act[]
  nowMs: () => DayMs
  /** Present colleagues, for a transfer. */
  colleagues: readonly Who[]
  /** Whether conversations of the FILA are distributed automatically. */
  isDistributed: boolean
}

/** Lets an operator do the most urgent thing on the screen. */
export async function checkScreen(at: AtWork, who: Who): Promise<void> {
  const shown = await rows<Shown>(
    at.database,
    sql`select v.id, c.phone, v.waiting_for as "waitingFor", v.assigned_user_id is not null as "isMine"
          from conversations v join contacts c on c.id = v.contact_id
         where v.status <> 'completed'
           and (v.assigned_user_id = ${who.id}
                or v.id = (select v.id from conversations v where ${inQueue} and v.assigned_user_id is null
                            order by v.started_at, v.id limit 1))
         order by coalesce(v.waiting_since, v.last_activity_at), v.id`,
  )
  const mine = shown.filter(({ isMine }) => isMine)
  const longest = shown.find(({ isMine }) => !isMine)
  const waiting = mine.filter(({ waitingFor }) => waitingFor === 'operator')
  const takesMore = waiting.length < mostWaiting && mine.length < mostOpen && !at.isDistributed
  if (takesMore && longest) return takeOne(at, who, longest)
  const [first] = waiting
  if (first) return answer(at, who, first)
  const done = mine.find(({ phone }) => at.clients.nextHandling(phone) === 'finalize')
  if (!done) return
  await finalize(at.database, who, { conversationId: done.id })
  noteHandled(at, 'finalize', done)
}

function noteHandled(at: AtWork, kind: Act['kind'], { id, phone }: Shown): void {
  at.clients.noteHandled(phone)
  note(at, kind, id)
}

function note(at: AtWork, kind: Act['kind'], conversationId: number, more: Partial<Act> = {}): void {
  at.acts.push({ kind, at: at.nowMs(), conversationId, ...more })
}

/** Replies to the waiting client, or hands the conversation over. */
async function answer(at: AtWork, who: Who, one: Shown): Promise<void> {
  const conversationId = one.id
  const handling = at.clients.nextHandling(one.phone)
  const [colleague] = at.colleagues.filter(({ id }) => id !== who.id)
  if (handling === 'transfer' && colleague) {
    await transfer(at.database, who, { conversationId, newOperatorId: colleague.id })
    noteHandled(at, 'transfer', one)
  } else if (handling === 'back') {
    await assign(at.database, who, { conversationId, operatorId: null })
    noteHandled(at, 'back', one)
  } else await reply(at, who, one, handling)
}

async function reply(at: AtWork, who: Who, one: Shown, planned: string): Promise<void> {
  const content = `resposta ${at.acts.length + 1} de ${who.username}`
  await sendReply(at.database, who, one.id, { content })
  // A client who writes after the end of the plan gets a reply, and the conversation is finalized after that.
  if (planned === 'finalize') note(at, 'reply', one.id)
  else noteHandled(at, 'reply', one)
}

async function takeOne(at: AtWork, who: Who, longest: Shown): Promise<void> {
  if (at.clients.talkOf(longest.phone)?.visit.entry === 'reply')
    return reply(at, who, longest, at.clients.nextHandling(longest.phone))
  const taken = await takeNext(at.database, who)
  note(at, 'take', taken, { longestWaitingId: longest.id })
}

/** Returns all of the operator's conversations to the queue, and leaves. */
export async function goHome(at: AtWork, who: Who): Promise<void> {
  const mine = await rows<{ id: number }>(
    at.database,
    sql`select id from conversations
         where assigned_user_id = ${who.id} and status <> 'completed' order by id`,
  )
  await handOver(at.database, who, { to: null })
  for (const { id } of mine) note(at, 'back', id)
}
