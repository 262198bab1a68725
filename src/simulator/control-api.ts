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
 * What the simulator's page, a driver and a test may ask of the client phones, and what they get back.
 * Pure (zod only), so the browser imports it too. Instants are ISO-8601 UTC strings unless the name says otherwise.
 */

/**
 * How the gateway addresses a phone. `pn`: phone number only. `pn-with-lid`: phone number, LID beside it. `lid`: what 2.3.7
 * makes of a LID chat (phone number, LID lost). `lid-2.3.6`: LID, phone number beside it. `lid-only`: nothing but the LID.
 */
export const identityModes = ['pn', 'pn-with-lid', 'lid', 'lid-2.3.6', 'lid-only'] as const
export type IdentityMode = (typeof identityModes)[number]

/** How a bubble is drawn at the least; what is beyond these stands in the message's `rich`. */
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

/** Ticks: `pending` not gone yet, `sent` one tick, `delivered` two, `read` two blue, `played` heard. Only moves forward. */
export const acks = ['pending', 'sent', 'delivered', 'read', 'played'] as const
export type Ack = (typeof acks)[number] | 'error'

const digits = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text) => text.replace(/\D/g, '')),
  ),
  z.string().check(z.regex(/^\d{8,15}$/)),
)

/** `number` absent: one is made. A second call with the same `id` answers the phone that is there. */
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
/** Who does it: this client, or the company on its own phone. */
export type By = z.infer<typeof by>

/** `emoji: ''` takes the reaction back. */
export const reactionSchema = z.strictObject({
  messageId: z.string(),
  emoji: z.string().check(z.maxLength(16)),
  id: z.optional(clientId),
  by,
})
export type Reaction = z.input<typeof reactionSchema>

export const editSchema = z.strictObject({ text: z.string().check(z.minLength(1), z.maxLength(65_536)), by })
export const bySchema = z.object({ by })

/** The choice that now stands: no options take the vote back. */
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

/** A second call with the `id` of one that rings ends it; one that is over is not told again. */
export const callSchema = z.strictObject({
  id: z.optional(clientId),
  video: z._default(z.boolean(), false),
  outcome: z.enum(['missed', 'answered', 'rejected', 'ringing']),
})
export type PhoneCall = z.input<typeof callSchema>

/** Something of this person that is no part of the chat: a group, a status story, a newsletter. */
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

/** `{body}` is posted as it stands; `{event, data}` is put into Evolution's envelope first. Filters and faults do not apply. */
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

/** A chat that already was: nothing is announced, nothing enters the oracle. Ids make it idempotent. */
export const historySchema = z.strictObject({ messages: historyMessages })
export type History = z.input<typeof historySchema>

/** A past that the gateway hands over in one messages.set; no `messages`: the whole chat as it stands. */
export const historySyncSchema = z.strictObject({
  messages: z.optional(historyMessages),
  isLatest: z._default(z.boolean(), true),
  progress: z._default(z.int().check(z.minimum(0), z.maximum(100)), 100),
})
export type HistorySync = z.input<typeof historySyncSchema>

/** The address book in one contacts.upsert; no `phones`: all. Without names, as some come. */
export const contactSyncSchema = z.strictObject({
  phones: z.optional(z.array(z.string())),
  names: z._default(z.boolean(), true),
})
export type ContactSync = z.input<typeof contactSyncSchema>

/** 2.4 refuses every call until it is licensed online; the others know no licence. */
export const versionSchema = z.strictObject({
  version: z.enum(encodings),
  licensed: z._default(z.boolean(), true),
})

const oneIn = z.int().check(z.minimum(1), z.maximum(1_000_000))
const events = z.array(z.string())
const echo = z.enum(['early', 'late', 'never'])

/** Every switch. `oneIn: 5` strikes one time in five on average, by seed; `events: []` means all webhook events. */
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
/** Only what changes: `{ duplicateWebhook: { on: true, oneIn: 1 } }`. */
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
 * What the next send call does, whatever the faults say. Absent `status`: the usual 201. `delivered` defaults to "status is
 * 2xx"; `echo` ('early': the send.message webhook is posted before the answer) to 'late' when delivered, else 'never';
 * `stored` (found by findMessages, gets acks) to "echo is not never, or 2xx". `copies`: how often the phone gets it, each
 * with an id of its own. `acks: 'error'`: WhatsApp refuses afterwards. `cut`: the connection is closed before a byte of the
 * answer, or within its body. A `body` that is a text goes out as it stands, as a proxy's page. `text`: only for a send of
 * this text, whenever that comes.
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
