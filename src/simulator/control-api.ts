import * as z from 'zod/mini'
import { clientId, encodings } from './control-messages.ts'

export { encodings, phoneMessageSchema } from './control-messages.ts'
export type {
  BareMessage,
  CheckedPhoneMessage,
  ContactCard,
  Encoding,
  PhoneMessage,
  Rich,
  RichKind,
  RichOf,
  Wrap,
} from './control-messages.ts'

/**
 * Requests of the control API, for the simulator's page, drivers and tests. Pure (zod only), so the browser
 * can import it. Instants are ISO-8601 UTC strings unless the name says otherwise.
 */

/**
 * How the gateway addresses a phone. `pn`: by phone number only. `pn-with-lid`: by phone number, with the LID
 * in a second field. `lid`: a LID chat as 2.3.7 reports it (phone number, LID lost). `lid-2.3.6`: by LID,
 * with the phone number in a second field. `lid-only`: by LID only.
 */
export const identityModes = ['pn', 'pn-with-lid', 'lid', 'lid-2.3.6', 'lid-only'] as const
export type IdentityMode = (typeof identityModes)[number]

/** The minimal kind a message can be shown as; details beyond it are in the message's `rich`. */
export const messageKinds = [
  'text',
  'image',
  'video',
  'audio',
  'document',
  'sticker',
  'location',
  'reaction',
] as const
export type MessageKind = (typeof messageKinds)[number]

/**
 * Acknowledgements: `pending` not sent yet, `sent` one tick, `delivered` two, `read` two blue, `played`
 * listened to. Monotonic.
 */
export const acks = ['pending', 'sent', 'delivered', 'read', 'played'] as const
export type Ack = (typeof acks)[number] | 'error'

const digits = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text) => text.replace(/\D/g, '')),
  ),
  z.string().check(z.regex(/^\d{8,15}$/)),
)

/** Without `number` one is generated. Repeating an `id` returns the existing phone. */
export const newPhoneSchema = z.strictObject({
  id: z.optional(clientId),
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(80)),
  number: z.optional(digits),
  lid: z.optional(z.string().check(z.regex(/^\d{6,20}$/))),
  identity: z.optional(z.enum(identityModes)),
  lidOnly: z.optional(z.boolean()),
  autoRead: z.optional(z.boolean()),
  onWhatsApp: z.optional(z.boolean()),
})
export type NewPhone = z.input<typeof newPhoneSchema>

export const phonePatchSchema = z.strictObject({
  name: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(80))),
  identity: z.optional(z.enum(identityModes)),
  autoRead: z.optional(z.boolean()),
  onWhatsApp: z.optional(z.boolean()),
})
export type PhonePatch = z.input<typeof phonePatchSchema>

const by = z._default(z.enum(['phone', 'owner']), 'phone')
/** The author: this client, or the company on its own phone. */
export type By = z.infer<typeof by>

/** An empty emoji removes the reaction. */
export const reactionSchema = z.strictObject({
  messageId: z.string(),
  emoji: z.string().check(z.maxLength(16)),
  id: z.optional(clientId),
  by,
})
export type Reaction = z.input<typeof reactionSchema>

export const editSchema = z.strictObject({ text: z.string().check(z.minLength(1), z.maxLength(65_536)), by })
export const bySchema = z.object({ by })

/** The current choice; an empty list withdraws the vote. */
export const voteSchema = z.strictObject({
  messageId: z.string(),
  options: z.array(z.string()).check(z.maxLength(12)),
  id: z.optional(clientId),
  by,
})
export type Vote = z.input<typeof voteSchema>

export const pinSchema = z.strictObject({
  messageId: z.string(),
  pinned: z.boolean(),
  id: z.optional(clientId),
  by,
})
export type Pin = z.input<typeof pinSchema>

/** Repeating the `id` of a ringing call ends it; repeating the id of a call that is over does nothing. */
export const callSchema = z.strictObject({
  id: z.optional(clientId),
  video: z._default(z.boolean(), false),
  outcome: z.enum(['missed', 'answered', 'rejected', 'ringing']),
})
export type PhoneCall = z.input<typeof callSchema>

/** A message outside the chat: in a group, a status story or a newsletter. */
export const elsewhereSchema = z.strictObject({
  where: z.enum(['group', 'status', 'newsletter']),
  text: z.string().check(z.minLength(1), z.maxLength(65_536)),
  id: z.optional(clientId),
})
export type Elsewhere = z.input<typeof elsewhereSchema>

export const typingSchema = z.strictObject({
  state: z.enum(['composing', 'recording', 'paused', 'available', 'unavailable']),
})
export type Typing = z.input<typeof typingSchema>

/**
 * `{body}` is posted verbatim; `{event, data}` is wrapped in Evolution's envelope. Filters and faults do not
 * apply.
 */
export const injectSchema = z.union([
  z.strictObject({ body: z.record(z.string(), z.unknown()), instance: z.optional(z.string()) }),
  z.strictObject({ event: z.string(), data: z.unknown(), instance: z.optional(z.string()) }),
])
export type Injection = z.input<typeof injectSchema>

const historyMessages = z
  .array(
    z.strictObject({
      id: z.optional(clientId),
      from: z.enum(['phone', 'company']),
      text: z.string().check(z.minLength(1)),
      at: z.iso.datetime(),
      ack: z._default(z.enum(acks), 'read'),
    }),
  )
  .check(z.maxLength(10_000))

/** Past messages of a chat: not announced and not recorded by the oracle. Idempotent by id. */
export const historySchema = z.strictObject({ messages: historyMessages })
export type History = z.input<typeof historySchema>

/** History that the gateway posts in one messages.set; without `messages`, the whole chat. */
export const historySyncSchema = z.strictObject({
  messages: z.optional(historyMessages),
  isLatest: z._default(z.boolean(), true),
  progress: z._default(z.int().check(z.minimum(0), z.maximum(100)), 100),
})
export type HistorySync = z.input<typeof historySyncSchema>

/**
 * The address book in one contacts.upsert; without `phones`, all of them. Names are optional, as in reality.
 */
export const contactSyncSchema = z.strictObject({
  phones: z.optional(z.array(z.string())),
  names: z._default(z.boolean(), true),
})
export type ContactSync = z.input<typeof contactSyncSchema>

/** 2.4 refuses every call until a licence is activated online; earlier releases have no licence. */
export const versionSchema = z.strictObject({
  version: z.enum(encodings),
  licensed: z._default(z.boolean(), true),
})

const restartMs = z._default(z.int().check(z.minimum(0), z.maximum(600_000)), 1000)
/** A restart of the gateway's process. */
export const gatewayRestartSchema = z.strictObject({
  /** How long it answers no connection. */
  awayMs: restartMs,
  /** How long its sockets stay 'connecting' afterwards. */
  connectingMs: restartMs,
})
export type GatewayRestart = z.input<typeof gatewayRestartSchema>

const oneIn = z.int().check(z.minimum(1), z.maximum(1_000_000))
const events = z.array(z.string())
const echo = z.enum(['early', 'late', 'never'])

/**
 * All fault switches. `oneIn: 5` triggers for one in five on average, from the seed; `events: []` means all
 * events.
 */
export const faultsSchema = z.strictObject({
  dropWebhook: z.strictObject({ on: z.boolean(), oneIn, events }),
  duplicateWebhook: z.strictObject({ on: z.boolean(), oneIn, events }),
  reorderWebhook: z.strictObject({ on: z.boolean(), oneIn, events, holdMs: z.int().check(z.minimum(0)) }),
  delayAcks: z.strictObject({ on: z.boolean(), ms: z.int().check(z.minimum(0)) }),
  answer500: z.strictObject({ on: z.boolean(), oneIn, delivered: z.boolean(), echo }),
  timeoutDelivered: z.strictObject({ on: z.boolean(), oneIn, hangMs: z.int().check(z.minimum(0)), echo }),
  timeoutNotDelivered: z.strictObject({ on: z.boolean(), oneIn, hangMs: z.int().check(z.minimum(0)) }),
  failMedia: z.strictObject({ on: z.boolean(), oneIn }),
  disconnect: z.strictObject({ on: z.boolean(), state: z.enum(['close', 'connecting']) }),
  lidOnly: z.strictObject({ on: z.boolean() }),
})
export type Faults = z.infer<typeof faultsSchema>
export type FaultName = keyof Faults

const shape = faultsSchema.shape
/** Only the changes: `{ duplicateWebhook: { on: true, oneIn: 1 } }`. */
export const faultsPatchSchema = z.strictObject({
  dropWebhook: z.optional(z.partial(shape.dropWebhook)),
  duplicateWebhook: z.optional(z.partial(shape.duplicateWebhook)),
  reorderWebhook: z.optional(z.partial(shape.reorderWebhook)),
  delayAcks: z.optional(z.partial(shape.delayAcks)),
  answer500: z.optional(z.partial(shape.answer500)),
  timeoutDelivered: z.optional(z.partial(shape.timeoutDelivered)),
  timeoutNotDelivered: z.optional(z.partial(shape.timeoutNotDelivered)),
  failMedia: z.optional(z.partial(shape.failMedia)),
  disconnect: z.optional(z.partial(shape.disconnect)),
  lidOnly: z.optional(z.partial(shape.lidOnly)),
})
export type FaultsPatch = z.input<typeof faultsPatchSchema>

/**
 * Scripts the next send call, overriding the faults.
 * - `status`: default 201
 * - `delivered`: default, whether the status is 2xx
 * - `echo`: 'early' posts the send.message webhook before the answer; default 'late' when delivered, else
 * 'never'
 * - `stored` (found by findMessages, gets acknowledgements): default, whether `echo` is not 'never' or the
 * status is 2xx
 * - `copies`: how many times the phone receives it, each under its own id
 * - `acks`: 'error' makes WhatsApp reject the message afterwards
 * - `cut`: closes the connection before the first byte of the answer, or within its body
 * - `body`: a string is sent verbatim, as by a proxy
 * - `text`: applies only to the next send of this text
 */
export const sendAnswerSchema = z.strictObject({
  status: z.optional(z.int().check(z.minimum(200), z.maximum(599))),
  body: z.optional(z.unknown()),
  delivered: z.optional(z.boolean()),
  echo: z.optional(echo),
  stored: z.optional(z.boolean()),
  hangMs: z.optional(z.int().check(z.minimum(0))),
  copies: z.optional(z.int().check(z.minimum(1), z.maximum(10))),
  acks: z.optional(z.enum(['normal', 'none', 'error'])),
  cut: z.optional(z.enum(['before', 'within'])),
  text: z.optional(z.string()),
})
export type SendAnswer = z.input<typeof sendAnswerSchema>
export const sendAnswersSchema = z.strictObject({ answers: z.array(sendAnswerSchema) })
