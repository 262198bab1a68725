import { z } from 'zod'

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

const clientId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/)
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

/** `id` is the WhatsApp id the message gets: a second send with it answers the first one and adds nothing. */
const common = {
  id: clientId.optional(),
  quotedId: z.string().optional(),
  at: z.iso.datetime().optional(),
  instance: z.string().optional(),
}
const base64 = z.string().min(1).max(100_000_000)
const file = {
  base64,
  mimetype: z.string().min(3).optional(),
  fileName: z.string().optional(),
  caption: z.string().optional(),
}

/** What a phone sends; `base64` is raw, without a `data:` prefix. */
export const phoneMessageSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), text: z.string().min(1).max(65_536), ...common }),
  z.strictObject({
    kind: z.literal('image'),
    ...file,
    width: z.int().positive().optional(),
    height: z.int().positive().optional(),
    ...common,
  }),
  z.strictObject({ kind: z.literal('video'), ...file, seconds: z.number().optional(), ...common }),
  z.strictObject({
    kind: z.literal('audio'),
    base64,
    mimetype: z.string().optional(),
    seconds: z.number().nonnegative().default(1),
    ...common,
  }),
  z.strictObject({ kind: z.literal('document'), ...file, ...common }),
  z.strictObject({ kind: z.literal('sticker'), base64, mimetype: z.string().optional(), ...common }),
  z.strictObject({
    kind: z.literal('location'),
    latitude: z.number().min(-90).max(90),
    longitude: z.number().min(-180).max(180),
    name: z.string().optional(),
    address: z.string().optional(),
    ...common,
  }),
])
export type PhoneMessage = z.input<typeof phoneMessageSchema>

/** `emoji: ''` takes the reaction back. */
export const reactionSchema = z.strictObject({
  messageId: z.string(),
  emoji: z.string().max(16),
  id: clientId.optional(),
})
export type Reaction = z.input<typeof reactionSchema>

export const editSchema = z.strictObject({ text: z.string().min(1).max(65_536) })

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

/** A chat that already was: nothing is announced, nothing enters the oracle. Ids make it idempotent. */
export const historySchema = z.strictObject({
  messages: z
    .array(
      z.strictObject({
        id: clientId.optional(),
        from: z.enum(['phone', 'company']),
        text: z.string().min(1),
        at: z.iso.datetime(),
        ack: z.enum(acks).default('read'),
      }),
    )
    .max(10_000),
})
export type History = z.input<typeof historySchema>

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
 * with an id of its own. `acks: 'error'`: WhatsApp refuses afterwards.
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
})
export type SendAnswer = z.input<typeof sendAnswerSchema>
export const sendAnswersSchema = z.strictObject({ answers: z.array(sendAnswerSchema) })
