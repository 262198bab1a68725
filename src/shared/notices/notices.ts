import * as z from 'zod/mini'
import { ownState, reading } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { gatewayStates } from '#shared/gateway/gateway.ts'
import { id, idParam, instant } from '#shared/users/users.ts'

const count = z.int().check(z.minimum(1))

/** What is wrong with the installation, with what the words for it need. */
export const noticeFact = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('gateway_away'), instanceName: z.string(), state: z.enum(gatewayStates) }),
  /** Its connection told nothing in hours of work, and was restarted, or could not be. */
  z.object({
    kind: z.literal('gateway_silent'),
    instanceName: z.string(),
    silentSince: instant,
    isRestarted: z.boolean(),
  }),
  /** Sends that WhatsApp has taken, and no phone has acknowledged, while none of others was acknowledged. */
  z.object({ kind: z.literal('sends_undelivered'), count }),
  z.object({ kind: z.literal('webhooks_refused'), count }),
  /** Clients' messages that cannot be processed: of how many people. */
  z.object({ kind: z.literal('inbox_stuck'), count }),
  /** Events of the last day that could not be read. */
  z.object({ kind: z.literal('events_set_aside'), count }),
  /** Sends of which nobody can say whether they arrived. */
  z.object({ kind: z.literal('sends_unconfirmed'), count }),
  z.object({ kind: z.literal('sends_failed'), count }),
  z.object({ kind: z.literal('disk_low'), host: z.string(), freeBytes: z.number() }),
  /** Clients who wait in the queue of a sector of which nobody can take them. */
  z.object({ kind: z.literal('queue_unserved'), sectorId: id, sectorName: z.string(), count }),
  /** Times ahead of the clock were found: it was set back within a day. */
  z.object({ kind: z.literal('clock_corrected') }),
  /** Sessions travel unprotected: the cookie has no Secure. */
  z.object({ kind: z.literal('plain_http') }),
])
export type NoticeFact = z.infer<typeof noticeFact>
export type NoticeKind = NoticeFact['kind']

/** One occurrence of a trouble, from its beginning to its end. */
const notice = z.object({ id, since: instant, fact: noticeFact })
export type Notice = z.infer<typeof notice>
export const notices = z.array(notice)

export const listNotices = endpoint({
  method: 'GET',
  path: '/api/notices',
  summary: 'Avisos sobre a instalação que a pessoa não dispensou',
  act: 'viewNotices',
  audit: reading,
  reply: notices,
})

export const dismissNotice = endpoint({
  method: 'POST',
  path: '/api/notices/:id/dismiss',
  summary: 'Dispensar um aviso por um dia; só para si mesmo',
  act: 'viewNotices',
  audit: ownState,
  ids: { id: 'notice' },
  params: z.object({ id: idParam }),
})
