import * as z from 'zod/mini'
import { clientName } from '#shared/contacts/client-phone.ts'
import { tuning } from '#shared/audit/unaudited.ts'
import { endpoint } from '#shared/endpoint.ts'
import { gatewayStates } from './gateway.ts'
import { id, idParam, instant } from '#shared/users/users.ts'

// How a number is linked to a phone, and the first steps of an installation, of which that is one.

/**
 * Why a number is not connected: nobody has scanned any of its codes, it was logged out on its phone or by
 * us, WhatsApp has blocked it, another program took its session over, or WhatsApp did not answer in time.
 */
export const closedReasons = ['codes', 'phone', 'us', 'banned', 'replaced', 'timed_out'] as const
export type ClosedReason = (typeof closedReasons)[number]

const gatewayLink = z.object({
  id,
  instanceName: z.string(),
  isActive: z.boolean(),
  state: z.enum(gatewayStates),
  /** Why it is not connected. 'replaced' is told for some minutes after it is connected again, too. */
  reason: z.nullable(z.enum(closedReasons)),
  reasonAt: z.nullable(instant),
  /** Somebody links the number; the code may still have to come. */
  isLinking: z.boolean(),
  code: z.nullable(
    z.object({
      /** Of the QR code. */
      text: z.string(),
      pairingCode: z.nullable(z.string()),
      /** The first code of this linking is 1. */
      count: z.int(),
      shownAt: instant,
    }),
  ),
  /** Digits with country code. */
  number: z.nullable(z.string()),
  profileName: z.nullable(z.string()),
  lastConnectedAt: z.nullable(instant),
  webhookSetAt: z.nullable(instant),
  /** When the gateway last posted to our webhook, within the last day. */
  heardAt: z.nullable(instant),
  /** How many messages wait until it is connected. */
  waitingCount: z.int(),
})
export type GatewayLink = z.infer<typeof gatewayLink>

/** How long a code is valid at WhatsApp. */
export const codeLifeMs = 45_000

const params = z.object({ id: idParam })

export const getGatewayLink = endpoint({
  method: 'GET',
  path: '/api/evolution-config/:id/link',
  summary: 'Como o número está ligado ao celular',
  act: 'manageGateway',
  audit: tuning,
  ids: { id: 'number' },
  params,
  reply: gatewayLink,
})

export const connectGatewayNumber = endpoint({
  method: 'POST',
  path: '/api/evolution-config/:id/connect',
  summary: 'Ligar o número a um celular, por QR code ou por código de pareamento',
  act: 'manageGateway',
  audit: 'gateway.connect',
  ids: { id: 'number' },
  params,
  body: z.object({
    /** The phone's own number, for a pairing code. */
    number: z.optional(z.string().check(z.trim(), z.maxLength(40))),
  }),
  reply: gatewayLink,
})

export const restartGatewayNumber = endpoint({
  method: 'POST',
  path: '/api/evolution-config/:id/restart',
  summary: 'Abrir de novo a conexão do número com o WhatsApp',
  act: 'manageGateway',
  audit: 'gateway.restart',
  ids: { id: 'number' },
  params,
  reply: gatewayLink,
})

export const logOutGatewayNumber = endpoint({
  method: 'POST',
  path: '/api/evolution-config/:id/logout',
  summary: 'Sair do WhatsApp neste número',
  act: 'manageGateway',
  audit: 'gateway.logout',
  isSensitive: true,
  ids: { id: 'number' },
  params,
  reply: gatewayLink,
})

export const verifyGatewayWebhook = endpoint({
  method: 'POST',
  path: '/api/evolution-config/:id/webhook',
  summary: 'Registrar nosso webhook com um segredo novo, e conferir que o gateway nos alcança',
  act: 'manageGateway',
  audit: 'gateway.webhook',
  ids: { id: 'number' },
  params,
  reply: z.object({
    /** null: nothing can be provoked while the number is not connected. */
    isHeard: z.nullable(z.boolean()),
    /** From the event until our webhook heard it, in milliseconds. */
    tookMs: z.nullable(z.int()),
    message: z.string(),
  }),
})

const step = z.object({ isDone: z.boolean(), isSkipped: z.boolean() })
const firstStepsView = z.object({
  gateway: step,
  number: step,
  message: z.extend(step, {
    /** The conversation of the first message. */
    conversationId: z.nullable(id),
    contactName: z.nullable(clientName),
  }),
  team: step,
  /** The hours and the texts of the installation. */
  hours: step,
})
export type FirstSteps = z.infer<typeof firstStepsView>
export type FirstStep = keyof FirstSteps

/** Those that nothing else waits for. */
export const skippableSteps = ['message', 'team', 'hours'] as const satisfies readonly FirstStep[]
export type SkippableStep = (typeof skippableSteps)[number]

export const getFirstSteps = endpoint({
  method: 'GET',
  path: '/api/first-steps',
  summary: 'Os primeiros passos da instalação; null quando terminaram',
  act: 'manageGateway',
  audit: tuning,
  reply: z.nullable(firstStepsView),
})

export const skipFirstStep = endpoint({
  method: 'POST',
  path: '/api/first-steps/skip',
  summary: 'Deixar um dos primeiros passos para depois',
  act: 'manageGateway',
  audit: { not: 'hides a reminder, and nothing else' },
  body: z.object({ step: z.enum(skippableSteps) }),
  reply: z.nullable(firstStepsView),
})
