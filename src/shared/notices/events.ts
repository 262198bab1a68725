import * as z from 'zod/mini'
import { logged } from '#shared/live-event.ts'

export const events = {
  /** Sent to whoever may have notices: one begins, ends, or was dismissed. */
  notices_changed: logged(z.object({}), { mayHave: ['userId'] }),
}
