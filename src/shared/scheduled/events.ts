import * as z from 'zod/mini'
import { logged } from '#shared/live-event.ts'
import { id } from '#shared/users/users.ts'

/** The scheduled messages of a conversation are others. */
export const events = {
  scheduled_changed: logged(z.object({ conversationId: id }), { has: ['conversationId'] }),
}
