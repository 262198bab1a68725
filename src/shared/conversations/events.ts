import * as z from 'zod/mini'
import { logged, momentary } from '#shared/live-event.ts'
import { message } from '#shared/messages/messages.ts'
import { id } from '#shared/users/users.ts'
import { conversation } from './conversations.ts'
import { draft } from './drafts.ts'
import { conversationRead } from './reads.ts'
import { stats } from './stats.ts'

const aboutMessage = z.object({ conversationId: id, conversation, message })
const aboutConversation = z.object({ conversationId: id, conversation })

const ofConversation = { has: ['conversationId'] } as const
const ofMessage = { has: ['conversationId', 'messageId'] } as const
const ofPersonsConversation = { has: ['conversationId', 'userId'] } as const

export const events = {
  new_conversation_with_sound: logged(
    z.extend(aboutConversation, { playSound: z.boolean() }),
    ofConversation,
  ),
  new_conversation: logged(aboutConversation, ofConversation),
  new_conversation_notification: logged(aboutConversation, ofPersonsConversation),
  customer_message_notification: logged(aboutMessage, { has: ['conversationId', 'messageId', 'userId'] }),
  message_received: logged(aboutMessage, ofMessage),
  new_message: logged(aboutMessage, ofMessage),
  /** Sent to its operator: it has returned from hold by the clock. */
  conversation_returned: logged(aboutConversation, ofPersonsConversation),
  conversation_updated: logged(aboutConversation, ofConversation),
  conversation_transferred: logged(aboutConversation, ofConversation),
  /** Instead of another event, to those who may not see the conversation any more. */
  conversation_removed: momentary(z.object({ conversationId: id })),
  /** Messages were removed, or moved into this conversation or out of it: refetch those that are shown. */
  timeline_changed: logged(z.object({ conversationId: id }), ofConversation),
  /** Sent to the reader only, for the reader's other devices. */
  conversation_read: logged(z.object({ conversationId: id, read: conversationRead }), ofPersonsConversation),
  /** Sent to the author only; null after the draft was removed. */
  draft_changed: logged(z.object({ conversationId: id, draft: z.nullable(draft) }), ofPersonsConversation),
  queue_changed: logged(z.object({}), {}),
  stats_update: momentary(z.object({ stats })),
}
