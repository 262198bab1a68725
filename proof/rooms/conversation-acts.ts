import { sql } from 'drizzle-orm'
import { returnFromHold } from '#server/conversations/snoozing/returns.ts'
import { rows } from '#server/platform/database/db.ts'
import { type Acts, anyone, type BroughtBy, call, onTalk, pick, someone, write } from '../walk/writing.ts'

/** Messages of clients, and what people do with a conversation. */
export const acts = {
  'somebody new writes': [6, (world) => write(world, world.newClient())],
  'somebody writes again': [12, (world) => write(world, someone(world))],
  'a message comes late': [
    3,
    (world) => {
      const sentAt = new Date(Date.now() - Math.floor(world.random() * 3_600_000))
      return write(world, someone(world), { sentAt, name: undefined })
    },
  ],
  'the past is synchronised': [
    1,
    (world) => write(world, someone(world), { isHistory: true, sentAt: new Date(Date.now() - 4_000_000) }),
  ],
  'an answer on the connected phone': [
    4,
    (world) => {
      const client = someone(world)
      const name = `m${++world.count}`
      client.names.push(name)
      return world.happens(client.person.byPhone(name, 1, { sentAt: new Date() }))
    },
  ],
  'a draft': [
    2,
    onTalk((world, talk) => {
      const content = world.random() < 0.6 ? `rascunho ${++world.count}` : ''
      return call(world, 'PUT', `${talk.id}/draft`, { content, quotedMessageId: null })
    }),
  ],
  'taken, given or put back': [
    7,
    onTalk((world, talk) => {
      const operatorId = pick(world.random, [...world.principals.map((who) => who.id), null]) ?? null
      return call(world, 'PATCH', `${talk.id}/assign-operator`, { operatorId })
    }),
  ],
  'a transfer': [
    3,
    onTalk((world, talk) => call(world, 'POST', `${talk.id}/transfer`, { newOperatorId: anyone(world)?.id })),
  ],
  'on hold, and back': [
    4,
    onTalk(async (world, talk) => {
      const until = new Date(Date.now() + 3_600_000).toISOString()
      const path = `${talk.id}/snooze`
      await call(world, 'PUT', path, { until, reason: 'esperando a diretoria' })
      if (world.random() < 0.3) return call(world, 'DELETE', path)
      // Its time comes.
      await rows(
        world.database,
        sql`update conversations set snoozed_until = app_now()
             where id = ${talk.id} and snoozed_until is not null`,
      )
      await returnFromHold(world.database)
    }),
  ],
  'read or marked as unread': [
    8,
    onTalk(async (world, talk) => {
      if (world.random() < 0.2) return call(world, 'DELETE', `${talk.id}/read`)
      const found = await rows<{ id: number }>(
        world.database,
        sql`select id from messages where conversation_id = ${talk.id} order by id`,
      )
      const lastMessageId = pick(world.random, found)?.id
      if (lastMessageId !== undefined) await call(world, 'PUT', `${talk.id}/read`, { lastMessageId })
    }),
  ],
  finalized: [4, onTalk((world, talk) => call(world, 'POST', `${talk.id}/finalize`, {}))],
} satisfies Acts

export const broughtBy = {
  new_conversation_with_sound: 'somebody new writes',
  new_conversation: 'a message comes late',
  new_conversation_notification: 'taken, given or put back',
  customer_message_notification: 'somebody writes again',
  message_received: 'somebody writes again',
  conversation_updated: 'taken, given or put back',
  conversation_returned: 'on hold, and back',
  conversation_transferred: 'a transfer',
  conversation_removed: 'finalized',
  conversation_read: 'read or marked as unread',
  draft_changed: 'a draft',
  queue_changed: 'somebody new writes',
} as const satisfies BroughtBy
