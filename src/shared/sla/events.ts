import * as z from 'zod/mini'
import { logged } from '#shared/live-event.ts'
import { conversation } from '#shared/conversations/conversations.ts'
import { id } from '#shared/users/users.ts'

export const events = {
  /** The targets are others. */
  sla_changed: logged(z.object({}), {}),
  /** Sent to who has a conversation, or leads its sector: a clock of it is near its end. */
  sla_near: logged(z.object({ conversationId: id, conversation }), { has: ['conversationId', 'userId'] }),
}
