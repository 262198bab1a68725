import * as z from 'zod/mini'
import { logged } from '#shared/live-event.ts'

export const events = {
  permissions_changed: logged(z.object({}), { mayHave: ['userId'] }),
  /** Sent to one person: what `GET /api/auth/me` says of the account, other than its permissions. */
  account_changed: logged(z.object({}), { has: ['userId'] }),
}
