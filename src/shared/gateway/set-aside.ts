import * as z from 'zod/mini'
import { clientName, textOnClients } from '#shared/contacts/client-phone.ts'
import { tuning } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { id, instant } from '#shared/users/users.ts'

/** An event of the gateway that was kept without effect, since it could not be read. */
const setAsideEvent = z.object({
  id,
  receivedAt: instant,
  instanceName: z.string(),
  /** The kind of event, as the gateway calls it. */
  event: z.string(),
  /** The address at WhatsApp that it is about, and the name of its owner, where it says so. */
  address: z.nullable(textOnClients),
  name: z.nullable(clientName),
  /**
   * 'unknown address', 'unknown kind' with the gateway's name for it, or the error of the last of five
   * attempts.
   */
  reason: textOnClients,
})
export type SetAsideEvent = z.infer<typeof setAsideEvent>

/** More than so many are counted, but not listed. */
export const mostSetAside = 100

const setAside = z.object({
  total: z.int(),
  /** The newest first. */
  events: z.array(setAsideEvent),
})
export type SetAside = z.infer<typeof setAside>

export const listSetAside = endpoint({
  method: 'GET',
  path: '/api/evolution-config/set-aside',
  summary: 'Eventos do gateway que não puderam ser lidos, e foram guardados',
  act: 'manageGateway',
  audit: tuning,
  reply: setAside,
})

export const retrySetAside = endpoint({
  method: 'POST',
  path: '/api/evolution-config/set-aside/retry',
  summary: 'Ler de novo os eventos que foram guardados',
  act: 'manageGateway',
  audit: 'gateway.retry',
  /** How many are read again. */
  reply: z.object({ count: z.int() }),
})
