import { sql } from 'drizzle-orm'
import { handleGatewayEvent } from '#server/conversations/conversations.ts'
import { handleBatch } from '#server/conversations/incoming/batch.ts'
import { complete } from '#server/conversations/acts/complete.ts'
import { sendReply } from '#server/conversations/outgoing/reply.ts'
import { lockConversation } from '#server/conversations/store/lock.ts'
import type { IncomingMessage } from '#server/gateway/gateway.ts'
import { type Database, inTransaction, migrateDatabase, rows } from '#server/platform/database/db.ts'
import type { Who } from '#server/platform/http/access.ts'
import { saveSettings } from '#server/settings/settings.ts'
import { type MovableClock, movableClock } from '#server/testing/database/movable-clock.ts'
import { plainWho } from '#server/testing/plain-who.ts'
import { saying } from '#server/testing/test-person.ts'
import { testNumber } from '#server/testing/test-app.ts'
import { createUser } from '#server/users/users.ts'
import { defaultFlags } from '#shared/users/default-flags.ts'
import { startThrowawayDatabase } from '../support/throwaway-database.ts'

/** In São Paulo. */
const tuesday = new Date('2027-03-09T10:00:00-03:00')

export const texts = {
  preAttendanceMessage: 'Olá! Escolha uma opção:\n1 - Falar com um atendente\n2 - Encerrar',
  preAttendanceInvalidMessage: 'Não entendi',
  preAttendanceCancelMessage: 'Até logo',
  ratingMessage: 'De 1 a 5?',
  finalizationMessage: 'Tchau',
  queueWelcomeMessage: '',
  queueMessage: '',
  isAutoReplyEnabled: false,
  ratingsEnabled: true,
  thanksStayClosed: true,
  preAttendanceMostInvalid: 3,
}

/** A conversation, and what was said in it by the client. */
export interface Course {
  id: number
  status: string
  stage: string | null
  satisfaction: number | null
  /** The client's words, and those of ours behind '> '. */
  said: string[]
}

/** A database without a server: what the gateway reports is given to the product as its inbox does. */
export interface World {
  clock: MovableClock
  /** Whether clients choose before the queue. */
  ask(isAsked: boolean): Promise<void>
  /** Begins anew at ten in the morning of a working day. */
  newDay(): Promise<void>
  newClient(): Client
}

/** Somebody new. Times are on WhatsApp's clock; what arrives, arrives now. */
export interface Client {
  writes(text: string, sentAt: Date): Promise<void>
  /** Somebody of the shop writes on its phone. */
  phoneWrites(text: string, sentAt: Date): Promise<void>
  operatorReplies(text: string): Promise<void>
  finalize(): Promise<void>
  /** WhatsApp has now all that waits for the client. */
  deliver(): Promise<void>
  courses(): Promise<Course[]>
}

export async function startWorld(defer: (close: () => unknown) => void): Promise<World> {
  const { database, close } = await startThrowawayDatabase('played-answers', 4)
  defer(close)
  await migrateDatabase(database)
  const instanceId = await testNumber(database)
  await database.execute(sql`update evolution_api_config set status = 'open'`)
  const clock = await movableClock(database)
  const ana = await makeOperator(database)
  let made = 0
  return {
    clock,
    async ask(isAsked) {
      await saveSettings(database, { ...texts, preAttendanceEnabled: isAsked })
    },
    newDay: () => clock.set(tuesday),
    newClient: () => newClient({ database, instanceId, ana }, ++made),
  }
}

async function makeOperator(database: Database): Promise<Who> {
  const [username, email, name] = ['ana', 'ana@teste.example', 'Ana']
  const id = await createUser(database, {
    username,
    email,
    name,
    password: 'senha-de-prova',
    role: 'operator',
  })
  const flags = defaultFlags('operator')
  const source = { address: null, device: null }
  return { id, name, username, email, role: 'operator', ...plainWho, flags, sessionId: 0, source }
}

function newClient(
  { database, instanceId, ana }: { database: Database; instanceId: number; ana: Who },
  number: number,
): Client {
  const phone = `55118${String(number).padStart(8, '0')}`
  let count = 0
  const feed = async (content: string, sentAt: Date, more: Partial<IncomingMessage>) => {
    const event: IncomingMessage = {
      kind: 'message',
      waId: `c${number}-${++count}`,
      peer: { phone, lid: undefined, jid: `${phone}@s.whatsapp.net` },
      origin: 'contact',
      name: `Cliente ${number}`,
      sentAt,
      content: saying(content),
      quoted: undefined,
      isHistory: false,
      ...more,
    }
    await inTransaction(database, async (db) => {
      const [isDone] = await handleBatch(db, instanceId, [event])
      if (!isDone) await handleGatewayEvent(db, instanceId, event)
    })
  }
  const courses = () =>
    rows<Course & Record<string, unknown>>(
      database,
      sql`select v.id, v.status, v.pre_attendance_stage as stage,
                 (select r.service_rating from conversation_ratings r where r.conversation_id = v.id)
                   as satisfaction,
                 coalesce((select array_agg(case when m.sender_type = 'contact' then m.content
                                                 else '> ' || m.content end order by m.sort_at, m.id)
                             from messages m where m.conversation_id = v.id and m.message_type <> 'event'),
                          '{}') as said
            from conversations v join contacts k on k.id = v.contact_id where k.phone = ${phone}
           order by v.started_at, v.id`,
    )
  const lastId = async () => (await courses()).at(-1)?.id ?? 0
  return {
    courses,
    writes: (text, sentAt) => feed(text, sentAt, {}),
    phoneWrites: (text, sentAt) => feed(text, sentAt, { origin: 'phone', name: undefined }),
    async operatorReplies(content) {
      await sendReply(database, ana, await lastId(), { content })
    },
    async finalize() {
      const id = await lastId()
      await inTransaction(database, async (db) => {
        const conversation = await lockConversation(db, id)
        if (!conversation) throw new Error('a client has no conversation')
        const end = { by: ana.id, act: 'finalized', reason: undefined } as const
        await complete(db, conversation, 'finalizationMessage', end)
      })
    },
    async deliver() {
      await database.execute(sql`
        with m as (
          update messages m set delivery_status = 'sent', accepted_at = app_now()
            from conversations v join contacts k on k.id = v.contact_id
           where v.id = m.conversation_id and k.phone = ${phone} and m.delivery_status = 'pending'
          returning m.id)
        update outbox o set state = 'sent' from m where m.id = o.message_id`)
    },
  }
}
