import * as z from 'zod/mini'

/**
 * Messages that a client's phone or the company's own phone can send. Pure (zod only); the page imports it
 * through control-api.ts.
 */

/**
 * Releases of the gateway, grouped by the format of their webhooks. Each name covers the releases up to the
 * next one: '2.3.1' is 2.3.1 and 2.3.2, '2.3.3' is 2.3.3 and 2.3.4.
 */
export const encodings = ['1.8', '2.2', '2.3.0', '2.3.1', '2.3.3', '2.3.5', '2.3.6', '2.3.7', '2.4'] as const
export type Encoding = (typeof encodings)[number]

/** Wrappers around the real message; the gateway only removes `documentWithCaption`. */
export const wraps = [
  'ephemeral',
  'viewOnce',
  'viewOnceV2',
  'viewOnceV2Extension',
  'documentWithCaption',
  'edited',
  'albumChild',
  'deviceSent',
] as const
export type Wrap = (typeof wraps)[number]

export const clientId = z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/))

/**
 * The first of `wrap` is the outermost. `context` is copied into contextInfo: mentions, the ad that was
 * clicked.
 */
const common = {
  /** The WhatsApp id of the message; sending it again returns the existing message. */
  id: z.optional(clientId),
  quotedId: z.optional(z.string()),
  at: z.optional(z.iso.datetime()),
  instance: z.optional(z.string()),
  wrap: z.optional(z.union([z.enum(wraps), z.array(z.enum(wraps)).check(z.maxLength(8))])),
  forwarded: z.optional(z.boolean()),
  context: z.optional(z.record(z.string(), z.unknown())),
  /** Overrides the gateway's release for this message's webhook. */
  encoding: z.optional(z.enum(encodings)),
}
const base64 = z.string().check(z.minLength(1), z.maxLength(100_000_000))
const mimetype = z.optional(z.string().check(z.minLength(3)))
const file = { base64, mimetype, fileName: z.optional(z.string()), caption: z.optional(z.string()) }
const latitude = z.number().check(z.minimum(-90), z.maximum(90))
const longitude = z.number().check(z.minimum(-180), z.maximum(180))
const word = z.string().check(z.minLength(1), z.maxLength(4096))

/** `waid`: digits of the WhatsApp account; absent when the card does not contain them. */
const cardSchema = z.strictObject({
  name: word,
  phones: z
    .array(
      z.strictObject({
        number: word,
        waid: z.optional(z.string().check(z.regex(/^\d{6,20}$/))),
      }),
    )
    .check(z.maxLength(20)),
  organization: z.optional(z.string()),
  email: z.optional(z.string()),
  url: z.optional(z.string()),
})
export type ContactCard = z.infer<typeof cardSchema>

const pollShape = {
  kind: z.literal('poll'),
  name: word,
  options: z.array(word).check(z.minLength(2), z.maxLength(12)),
  /** 0: unlimited. */
  selectableCount: z._default(z.int().check(z.minimum(0), z.maximum(12)), 1),
  /** Version of pollCreationMessage. */
  version: z._default(z.union([z.literal(1), z.literal(2), z.literal(3)]), 3),
}

/** `amount` in cents. */
const rich = [
  z.strictObject({
    kind: z.literal('contact'),
    contacts: z.array(cardSchema).check(z.minLength(1), z.maxLength(50)),
    ...common,
  }),
  z.strictObject({
    kind: z.literal('listReply'),
    title: word,
    rowId: word,
    description: z.optional(z.string()),
    ...common,
  }),
  z.strictObject({ kind: z.literal('buttonReply'), text: word, buttonId: word, ...common }),
  z.strictObject({ kind: z.literal('templateReply'), text: word, buttonId: word, ...common }),
  z.strictObject({
    kind: z.literal('interactiveReply'),
    text: z.string(),
    name: word,
    params: z._default(z.record(z.string(), z.unknown()), {}),
    ...common,
  }),
  z.strictObject({ ...pollShape, ...common }),
  z.strictObject({
    kind: z.literal('liveLocation'),
    latitude,
    longitude,
    caption: z.optional(z.string()),
    accuracyMetres: z.optional(z.int().check(z.minimum(0))),
    sequence: z.optional(z.int().check(z.minimum(0))),
    ...common,
  }),
  z.strictObject({ kind: z.literal('viewOncePlaceholder'), ...common }),
  z.strictObject({
    kind: z.literal('order'),
    title: word,
    itemCount: z.int().check(z.minimum(1)),
    amount: z.int().check(z.minimum(0)),
    currency: z._default(z.string().check(z.length(3)), 'BRL'),
    message: z.optional(z.string()),
    ...common,
  }),
  z.strictObject({
    kind: z.literal('product'),
    title: word,
    description: z.optional(z.string()),
    amount: z.int().check(z.minimum(0)),
    currency: z._default(z.string().check(z.length(3)), 'BRL'),
    retailerId: z.optional(z.string()),
    url: z.optional(z.string()),
    ...common,
  }),
  z.strictObject({
    kind: z.literal('groupInvite'),
    groupName: word,
    code: word,
    caption: z.optional(z.string()),
    ...common,
  }),
  z.strictObject({
    kind: z.literal('unknown'),
    messageType: word,
    raw: z.record(z.string(), z.unknown()),
    ...common,
  }),
] as const

/**
 * A message sent on a phone; `base64` is raw, without a `data:` prefix. A video may be `round` (a video note)
 * or a `gif`; an audio is a voice message unless `voice` is false.
 */
export const phoneMessageSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('text'),
    text: z.string().check(z.minLength(1), z.maxLength(65_536)),
    ...common,
  }),
  z.strictObject({
    kind: z.literal('image'),
    ...file,
    width: z.optional(z.int().check(z.positive())),
    height: z.optional(z.int().check(z.positive())),
    ...common,
  }),
  z.strictObject({
    kind: z.literal('video'),
    ...file,
    seconds: z.optional(z.number()),
    round: z.optional(z.boolean()),
    gif: z.optional(z.boolean()),
    ...common,
  }),
  z.strictObject({
    kind: z.literal('audio'),
    base64,
    mimetype: z.optional(z.string()),
    seconds: z._default(z.number().check(z.nonnegative()), 1),
    voice: z._default(z.boolean(), true),
    ...common,
  }),
  z.strictObject({ kind: z.literal('document'), ...file, ...common }),
  z.strictObject({ kind: z.literal('sticker'), base64, mimetype: z.optional(z.string()), ...common }),
  z.strictObject({
    kind: z.literal('location'),
    latitude,
    longitude,
    name: z.optional(z.string()),
    address: z.optional(z.string()),
    ...common,
  }),
  ...rich,
])
export type PhoneMessage = z.input<typeof phoneMessageSchema>
export type CheckedPhoneMessage = z.output<typeof phoneMessageSchema>

type WithoutCommon<Message> = Message extends unknown ? Omit<Message, keyof typeof common> : never
/** A message without the fields common to all kinds. */
export type BareMessage = WithoutCommon<CheckedPhoneMessage>

/** A message beyond text, media and location, as its sender filled it in. */
export type Rich = WithoutCommon<z.output<(typeof rich)[number]>>
export type RichKind = Rich['kind']
export type RichOf<Kind extends RichKind> = Extract<Rich, { kind: Kind }>
