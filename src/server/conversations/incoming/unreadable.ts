import { lockKnown } from '#server/contacts/contacts.ts'
import { cancelAnswered } from '#server/conversations/scheduled/answered.ts'
import { lockForMessages } from '#server/conversations/store/lock.ts'
import { noteAct } from '#server/conversations/store/write.ts'
import { Aside, type GatewayEvent } from '#server/gateway/gateway.ts'
import type { Tx } from '#server/platform/database/db.ts'

/**
 * Notes content that nobody can be shown as a line of the open conversation. It is no message: it opens
 * nothing and counts nothing. From somebody without an open conversation it is kept aside.
 */
export async function noteUnreadable(
  db: Tx,
  instanceId: number,
  { waId, peer, fromMe, sentAt, gatewayType, isHistory }: Extract<GatewayEvent, { kind: 'unreadable' }>,
): Promise<Aside | void> {
  if (isHistory) return undefined
  const [contact] = await lockKnown(db, [{ ...peer, name: undefined }])
  if (contact?.isBlocked) return undefined
  const conversations = await lockForMessages(db, {
    instanceId,
    contactIds: contact ? [contact.id] : [],
    conversationIds: [],
    waIds: [waId],
    sentAt,
    isOwn: false,
  })
  const open = conversations.find(({ status }) => status !== 'completed')
  if (open) {
    if (contact && !fromMe) await cancelAnswered(db, { contactId: contact.id, instanceId, sentAt })
    await noteAct(db, open, { by: null, act: 'not_shown', to: gatewayType })
    return undefined
  }
  return fromMe ? undefined : new Aside(`unknown kind ${gatewayType}`)
}
