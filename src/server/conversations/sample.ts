import { eq, sql } from 'drizzle-orm'
import type { priorities } from '#shared/conversations.ts'
import type { Db, Emit } from '#server/platform/db.ts'
import { conversations, messages } from '#server/schema/conversations.ts'
import { enterQueue, insertConversation, insertMessage, updateConversation } from './write.ts'

/** A conversation that already was: for demonstrations. Nothing of it is sent. */
export interface SampleConversation {
  instanceId: number
  contactId: number
  assignedUserId: number | null
  initiatedBy: 'contact' | 'operator'
  priority?: (typeof priorities)[number]
  /** Present: it was completed then. */
  completedAt?: Date
  messages: readonly {
    waId: string
    /** The contact, or the operator with this id. */
    from: 'contact' | number
    text: string
    at: Date
  }[]
}

/** Writes it with its own times, whatever their age. */
export async function writeSample(db: Db, emit: Emit, sample: SampleConversation): Promise<void> {
  const [first, last] = [sample.messages[0], sample.messages.at(-1)]
  if (!first || !last) return
  const isTaken = sample.assignedUserId !== null
  const conversation = await insertConversation(db, {
    instanceId: sample.instanceId,
    contactId: sample.contactId,
    initiatedBy: sample.initiatedBy,
    priority: sample.priority ?? 'normal',
    assignedUserId: sample.assignedUserId,
    status: sample.completedAt ? 'completed' : isTaken ? 'active' : 'waiting',
    subStatus: isTaken ? 'OPERADOR' : 'FILA',
    startedAt: first.at,
    completedAt: sample.completedAt ?? null,
  })
  if (!conversation) return
  let waitingSince: Date | null = null
  for (const said of sample.messages) {
    const isContact = said.from === 'contact'
    const { id } = await insertMessage(db, conversation, {
      senderType: isContact ? 'contact' : 'user',
      senderId: said.from === 'contact' ? null : said.from,
      content: said.text,
      whatsappMessageId: said.waId,
      sentAt: said.at,
      deliveryStatus: isContact ? null : 'read',
      responseMs: !isContact && waitingSince ? said.at.getTime() - waitingSince.getTime() : null,
    })
    // A sample is as old as it says, also where a live message would count as of now.
    await db.update(messages).set({ sortAt: said.at, createdAt: said.at }).where(eq(messages.id, id))
    await db.update(conversations).set({ lastMessageId: id }).where(eq(conversations.id, conversation.id))
    waitingSince = isContact ? (waitingSince ?? said.at) : null
  }
  const changed = await updateConversation(db, conversation.id, {
    waitingFor: last.from === 'contact' && !sample.completedAt ? 'operator' : 'client',
    waitingSince: sample.completedAt ? null : waitingSince,
    lastActivityAt: last.at,
    messageCount: sql`${sample.messages.length}`,
  })
  if (!sample.completedAt && !isTaken) await enterQueue(db, emit, changed)
}
