import { z } from 'zod'

/** Everything a phone, or the company's own one, can send. Pure (zod only); the page reaches it by control-api.ts. */

/**
 * Releases of the gateway by what differs in their webhooks. Each name stands for the releases from it up to the next one:
 * '2.3.1' is 2.3.1 and 2.3.2, '2.3.3' is 2.3.3 and 2.3.4.
 */
export const encodings = ['1.8', '2.2', '2.3.0', '2.3.1', '2.3.3', '2.3.5', '2.3.6', '2.3.7', '2.4'] as const
export type Encoding = (typeof encodings)[number]

/** Messages that hold the real one inside; `documentWithCaption` is the only one the gateway takes off. */
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

export const clientId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/)

/** Of `wrap`, the first is the outermost. `context` is put into contextInfo as it stands: mentions, the ad that was clicked. */
const common = {
  /** The WhatsApp id the message gets: a second send with it answers the first one and adds nothing. */
  id: clientId.optional(),
  quotedId: z.string().optional(),
  at: z.iso.datetime().optional(),
  instance: z.string().optional(),
  wrap: z.union([z.enum(wraps), z.array(z.enum(wraps)).max(8)]).optional(),
  forwarded: z.boolean().optional(),
  context: z.record(z.string(), z.unknown()).optional(),
  /** Instead of the gateway's own version, for this message's webhook. */
  encoding: z.enum(encodings).optional(),
}
const base64 = z.string().min(1).max(100_000_000)
const mimetype = z.string().min(3).optional()
const file = { base64, mimetype, fileName: z.string().optional(), caption: z.string().optional() }
const latitude = z.number().min(-90).max(90)
const longitude = z.number().min(-180).max(180)
const word = z.string().min(1).max(4096)

/** `waid`: the digits WhatsApp knows the number by; absent: the card does not say. */
const cardSchema = z.strictObject({
  name: word,
  phones: z
    .array(
      z.strictObject({
        number: word,
        waid: z
          .string()
          .regex(/^\d{6,20}$/)
          .optional(),
      }),
    )
    .max(20),
  organization: z.string().optional(),
  email: z.string().optional(),
  url: z.string().optional(),
})
export type ContactCard = z.infer<typeof cardSchema>

const pollShape = {
  kind: z.literal('poll'),
  name: word,
  options: z.array(word).min(2).max(12),
  /** 0: as many as one likes. */
  selectableCount: z.int().min(0).max(12).default(1),
  /** Which pollCreationMessage it is. */
  version: z.union([z.literal(1), z.literal(2), z.literal(3)]).default(3),
}

/** `amount` in whole cents. */
const rich = [
  z.strictObject({ kind: z.literal('contact'), contacts: z.array(cardSchema).min(1).max(50), ...common }),
  z.strictObject({
    kind: z.literal('listReply'),
    title: word,
    rowId: word,
    description: z.string().optional(),
    ...common,
  }),
  z.strictObject({ kind: z.literal('buttonReply'), text: word, buttonId: word, ...common }),
  z.strictObject({ kind: z.literal('templateReply'), text: word, buttonId: word, ...common }),
  z.strictObject({
    kind: z.literal('interactiveReply'),
    text: z.string(),
    name: word,
    params: z.record(z.string(), z.unknown()).default({}),
    ...common,
  }),
  z.strictObject({ ...pollShape, ...common }),
  z.strictObject({
    kind: z.literal('liveLocation'),
    latitude,
    longitude,
    caption: z.string().optional(),
    accuracyMetres: z.int().min(0).optional(),
    sequence: z.int().min(0).optional(),
    ...common,
  }),
  z.strictObject({ kind: z.literal('viewOncePlaceholder'), ...common }),
  z.strictObject({
    kind: z.literal('order'),
    title: word,
    itemCount: z.int().min(1),
    amount: z.int().min(0),
    currency: z.string().length(3).default('BRL'),
    message: z.string().optional(),
    ...common,
  }),
  z.strictObject({
    kind: z.literal('product'),
    title: word,
    description: z.string().optional(),
    amount: z.int().min(0),
    currency: z.string().length(3).default('BRL'),
    retailerId: z.string().optional(),
    url: z.string().optional(),
    ...common,
  }),
  z.strictObject({
    kind: z.literal('groupInvite'),
    groupName: word,
    code: word,
    caption: z.string().optional(),
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
 * What a phone sends; `base64` is raw, without a `data:` prefix. A video is `round` (recorded in a circle) or a `gif`; an
 * audio is a voice message unless `voice` is false.
 */
export const phoneMessageSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), text: z.string().min(1).max(65_536), ...common }),
  z.strictObject({
    kind: z.literal('image'),
    ...file,
    width: z.int().positive().optional(),
    height: z.int().positive().optional(),
    ...common,
  }),
  z.strictObject({
    kind: z.literal('video'),
    ...file,
    seconds: z.number().optional(),
    round: z.boolean().optional(),
    gif: z.boolean().optional(),
    ...common,
  }),
  z.strictObject({
    kind: z.literal('audio'),
    base64,
    mimetype: z.string().optional(),
    seconds: z.number().nonnegative().default(1),
    voice: z.boolean().default(true),
    ...common,
  }),
  z.strictObject({ kind: z.literal('document'), ...file, ...common }),
  z.strictObject({ kind: z.literal('sticker'), base64, mimetype: z.string().optional(), ...common }),
  z.strictObject({
    kind: z.literal('location'),
    latitude,
    longitude,
    name: z.string().optional(),
    address: z.string().optional(),
    ...common,
  }),
  ...rich,
])
export type PhoneMessage = z.input<typeof phoneMessageSchema>
export type CheckedPhoneMessage = z.output<typeof phoneMessageSchema>

type WithoutCommon<Message> = Message extends unknown ? Omit<Message, keyof typeof common> : never
/** Without what every message may have. */
export type BareMessage = WithoutCommon<CheckedPhoneMessage>

/** What the console sends beside what phones can: choices to answer. */
type Choices =
  | {
      kind: 'list'
      title: string
      description: string
      button: string
      footer: string
      rows: { title: string; rowId: string; description: string }[]
    }
  | {
      kind: 'buttons'
      title: string
      description: string
      footer: string
      buttons: { id: string; text: string }[]
    }
/** A message beyond text, media and place, as its sender filled it in. */
export type Rich = WithoutCommon<z.output<(typeof rich)[number]>> | Choices
export type RichKind = Rich['kind']
export type RichOf<Kind extends RichKind> = Extract<Rich, { kind: Kind }>
