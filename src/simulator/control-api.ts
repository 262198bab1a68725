import { z } from 'zod'
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

const digits = z
  .string()
  .transform((text) => text.replace(/\D/g, ''))
  .pipe(z.string().regex(/^\d{8,15}$/))

/** `number` absent: one is made. A second call with the same `id` answers the phone that is there. */
export const newPhoneSchema = z.strictObject({
  id: clientId.optional(),
  name: z.string().trim().min(1).max(80),
  number: digits.optional(),
  lid: z
    .string()
    .regex(/^\d{6,20}$/)
    .optional(),
  identity: z.enum(identityModes).optional(),
  lidOnly: z.boolean().optional(),
  autoRead: z.boolean().optional(),
  onWhatsApp: z.boolean().optional(),
})
export type NewPhone = z.input<typeof newPhoneSchema>

export const phonePatchSchema = z.strictObject({
  name: z.string().trim().min(1).max(80).optional(),
  identity: z.enum(identityModes).optional(),
  autoRead: z.boolean().optional(),
  onWhatsApp: z.boolean().optional(),
})
export type PhonePatch = z.input<typeof phonePatchSchema>

const by = z.enum(['phone', 'owner']).default('phone')
/** Who does it: this client, or the company on its own phone. */
export type By = z.infer<typeof by>

/** `emoji: ''` takes the reaction back. */
export const reactionSchema = z.strictObject({
  messageId: z.string(),
  emoji: z.string().max(16),
  id: clientId.optional(),
  by,
})
export type Reaction = z.input<typeof reactionSchema>

export const editSchema = z.strictObject({ text: z.string().min(1).max(65_536), by })
export const bySchema = z.object({ by })

/** The choice that now stands: no options take the vote back. */
export const voteSchema = z.strictObject({
  messageId: z.string(),
  options: z.array(z.string()).max(12),
  id: clientId.optional(),
  by,
})
export type Vote = z.input<typeof voteSchema>

export const pinSchema = z.strictObject({
  messageId: z.string(),
  pinned: z.boolean(),
  id: clientId.optional(),
  by,
})
export type Pin = z.input<typeof pinSchema>

/** A second call with the `id` of one that rings ends it; one that is over is not told again. */
export const callSchema = z.strictObject({
  id: clientId.optional(),
  video: z.boolean().default(false),
  outcome: z.enum(['missed', 'answered', 'rejected', 'ringing']),
})
export type PhoneCall = z.input<typeof callSchema>

/** Something of this person that is no part of the chat: a group, a status story, a newsletter. */
export const elsewhereSchema = z.strictObject({
  where: z.enum(['group', 'status', 'newsletter']),
  text: z.string().min(1).max(65_536),
  id: clientId.optional(),
})
export type Elsewhere = z.input<typeof elsewhereSchema>

export const typingSchema = z.strictObject({
  state: z.enum(['composing', 'recording', 'paused', 'available', 'unavailable']),
})
export type Typing = z.input<typeof typingSchema>

/** `{body}` is posted as it stands; `{event, data}` is put into Evolution's envelope first. Filters and faults do not apply. */
export const injectSchema = z.union([
  z.strictObject({ body: z.record(z.string(), z.unknown()), instance: z.string().optional() }),
  z.strictObject({ event: z.string(), data: z.unknown(), instance: z.string().optional() }),
])
export type Injection = z.input<typeof injectSchema>

const historyMessages = z
  .array(
    z.strictObject({
      id: clientId.optional(),
      from: z.enum(['phone', 'company']),
      text: z.string().min(1),
      at: z.iso.datetime(),
      ack: z.enum(acks).default('read'),
    }),
  )
  .max(10_000)

/** A chat that already was: nothing is announced, nothing enters the oracle. Ids make it idempotent. */
export const historySchema = z.strictObject({ messages: historyMessages })
export type History = z.input<typeof historySchema>

/** A past that the gateway hands over in one messages.set; no `messages`: the whole chat as it stands. */
export const historySyncSchema = z.strictObject({
  messages: historyMessages.optional(),
  isLatest: z.boolean().default(true),
  progress: z.int().min(0).max(100).default(100),
})
export type HistorySync = z.input<typeof historySyncSchema>

/** The address book in one contacts.upsert; no `phones`: all. Without names, as some come. */
export const contactSyncSchema = z.strictObject({
  phones: z.array(z.string()).optional(),
  names: z.boolean().default(true),
})
export type ContactSync = z.input<typeof contactSyncSchema>

/** 2.4 refuses every call until it is licensed online; the others know no licence. */
export const versionSchema = z.strictObject({
  version: z.enum(encodings),
  licensed: z.boolean().default(true),
})

const oneIn = z.int().min(1).max(1_000_000)
const events = z.array(z.string())
const echo = z.enum(['early', 'late', 'never'])

/** Every switch. `oneIn: 5` strikes one time in five on average, by seed; `events: []` means all webhook events. */
export const faultsSchema = z.strictObject({
  dropWebhook: z.strictObject({ on: z.boolean(), oneIn, events }),
  duplicateWebhook: z.strictObject({ on: z.boolean(), oneIn, events }),
  reorderWebhook: z.strictObject({ on: z.boolean(), oneIn, events, holdMs: z.int().min(0) }),
  delayAcks: z.strictObject({ on: z.boolean(), ms: z.int().min(0) }),
  answer500: z.strictObject({ on: z.boolean(), oneIn, delivered: z.boolean(), echo }),
  timeoutDelivered: z.strictObject({ on: z.boolean(), oneIn, hangMs: z.int().min(0), echo }),
  timeoutNotDelivered: z.strictObject({ on: z.boolean(), oneIn, hangMs: z.int().min(0) }),
  failMedia: z.strictObject({ on: z.boolean(), oneIn }),
  disconnect: z.strictObject({ on: z.boolean(), state: z.enum(['close', 'connecting']) }),
  lidOnly: z.strictObject({ on: z.boolean() }),
})
export type Faults = z.infer<typeof faultsSchema>
export type FaultName = keyof Faults

const shape = faultsSchema.shape
/** Only what changes: `{ duplicateWebhook: { on: true, oneIn: 1 } }`. */
export const faultsPatchSchema = z.strictObject({
  dropWebhook: shape.dropWebhook.partial().optional(),
  duplicateWebhook: shape.duplicateWebhook.partial().optional(),
  reorderWebhook: shape.reorderWebhook.partial().optional(),
  delayAcks: shape.delayAcks.partial().optional(),
  answer500: shape.answer500.partial().optional(),
  timeoutDelivered: shape.timeoutDelivered.partial().optional(),
  timeoutNotDelivered: shape.timeoutNotDelivered.partial().optional(),
  failMedia: shape.failMedia.partial().optional(),
  disconnect: shape.disconnect.partial().optional(),
  lidOnly: shape.lidOnly.partial().optional(),
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
  status: z.int().min(200).max(599).optional(),
  body: z.unknown().optional(),
  delivered: z.boolean().optional(),
  echo: echo.optional(),
  stored: z.boolean().optional(),
  hangMs: z.int().min(0).optional(),
  copies: z.int().min(1).max(10).optional(),
  acks: z.enum(['normal', 'none', 'error']).optional(),
  cut: z.enum(['before', 'within']).optional(),
  text: z.string().optional(),
})
export type SendAnswer = z.input<typeof sendAnswerSchema>
export const sendAnswersSchema = z.strictObject({ answers: z.array(sendAnswerSchema) })
