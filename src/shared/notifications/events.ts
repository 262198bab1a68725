import * as z from 'zod/mini'
import { logged } from '#shared/live-event.ts'
import { notification } from './notifications.ts'

export const events = {
  /** Sent to whoever a note mentions. */
  mentioned: logged(z.object({ notification }), { has: ['userId', 'conversationId', 'messageId'] }),
  /** Sent to the person whose mentions or notices are others, or were read on another device. */
  notifications_changed: logged(z.object({}), { has: ['userId'] }),
}
