import * as marks from '#shared/contacts/client-phone.ts'
import type { Schema } from '#shared/endpoint.ts'
import { maskAddressesIn, maskPhone, maskPhonesIn } from '#shared/contacts/masked-phone.ts'

// Clients' telephone numbers are hidden from some people ('Ocultar telefones'). What leaves the server for
// one of them is masked here, by what the contract declares of it (`shared/contacts/client-phone.ts`): the
// rooms build the same answers for everybody.

/** Masks in a text the numbers of a conversation's client, and no other. */
export type MaskOwn = (conversationId: number, text: string) => string

/** What surrounds a value. */
interface Around {
  maskOwn: MaskOwn
  conversationId: number | undefined
  /** It is about a message in which the client's number is hidden: one that no person wrote, or of cards. */
  isHiddenIn: boolean
}

type HideIn = (value: unknown, around: Around) => unknown

/** A copy of a value with numbers masked; the value itself where it has none. */
export type Hide = (value: unknown, maskOwn: MaskOwn, conversationId?: number) => unknown

/** Where the parts of a schema are, by its kind. */
interface Def {
  type: string
  shape?: Record<string, Schema>
  element?: Schema
  items?: Schema[]
  valueType?: Schema
  options?: Schema[]
  innerType?: Schema
  in?: Schema
  left?: Schema
  right?: Schema
}

const ofText =
  (mask: (text: string, around: Around) => string): HideIn =>
  (value, around) =>
    typeof value === 'string' ? mask(value, around) : value

const maskOwnIn = (text: string, { maskOwn, conversationId }: Around) =>
  conversationId === undefined ? maskPhonesIn(text) : maskOwn(conversationId, text)

const hideMarked = new Map<unknown, HideIn>([
  [marks.clientPhone, ofText(maskPhone)],
  [marks.clientName, ofText(maskPhonesIn)],
  [marks.textOnClients, ofText(maskPhonesIn)],
  [marks.gatewayId, ofText(maskAddressesIn)],
  [marks.anythingOnClients, hideAnywhere],
  [marks.told, ofText(maskOwnIn)],
  [marks.messageContent, ofText((text, around) => (around.isHiddenIn ? maskOwnIn(text, around) : text))],
])

const withoutParts: ReadonlySet<string> = new Set(
  `string number int boolean enum literal null undefined void never bigint date unknown any
   template_literal custom`.split(/\s+/),
)

const known = new WeakMap<Schema, { hide: HideIn | undefined }>()

/**
 * What is done to values of a schema before somebody gets them from whom numbers are hidden.
 * @returns undefined for a schema that has no place for a number
 * @throws Error for a kind of schema of which nobody has said where its parts are
 */
export function hidingOf(schema: Schema): Hide | undefined {
  const hide = hidingIn(schema)
  return (
    hide && ((value, maskOwn, conversationId) => hide(value, { maskOwn, conversationId, isHiddenIn: false }))
  )
}

/**
 * What of a file is done to the rows of a schema for a person. Every number in what was told is masked.
 * @returns the row itself for somebody who sees numbers
 */
export function maskFor(who: { hidesPhones: boolean }, schema: Schema): <Row>(row: Row) => Row {
  const hide = who.hidesPhones ? hidingOf(schema) : undefined
  return <Row>(row: Row) => (hide ? (hide(row, maskAll) as Row) : row)
}

/** Of what was told in a conversation of which the client's own numbers are not known. */
export const maskAll: MaskOwn = (_conversationId, text) => maskPhonesIn(text)

function hidingIn(schema: Schema): HideIn | undefined {
  const found = known.get(schema)
  if (found) return found.hide
  const hide = hideMarked.get(schema) ?? hidingOfParts(schema._zod.def as Def)
  known.set(schema, { hide })
  return hide
}

function hidingOfParts(def: Def): HideIn | undefined {
  if (withoutParts.has(def.type)) return undefined
  if (def.shape) return hidingOfObject(def.shape)
  if (def.element) return hidingOfItems(() => hidingIn(def.element as Schema), [def.element])
  if (def.items) return hidingOfItems((n) => def.items?.[n] && hidingIn(def.items[n]), def.items)
  if (def.type === 'record' && def.valueType) return hidingOfRecord(hidingIn(def.valueType))
  // Of several forms each masks what it knows; what is masked stays as it is.
  const parts = def.options ?? [def.innerType ?? def.in ?? def.left, def.right]
  const inner = parts.filter((part) => part !== undefined)
  if (inner.length === 0) throw new Error(`nobody has said where the parts of a schema '${def.type}' are`)
  const hides = inner.map(hidingIn).filter((hide) => hide !== undefined)
  if (hides.length === 0) return undefined
  return (value, around) => hides.reduce((masked, hide) => hide(masked, around), value)
}

function hidingOfObject(shape: Record<string, Schema>): HideIn | undefined {
  const fields = Object.entries(shape).flatMap(([key, schema]) => {
    const hide = hidingIn(schema)
    return hide ? [[key, hide] as const] : []
  })
  if (fields.length === 0) return undefined
  return (value, outside) => {
    if (!isObject(value)) return value
    const around = {
      ...outside,
      conversationId: conversationOf(value) ?? outside.conversationId,
      isHiddenIn: isHiddenIn(value),
    }
    const masked = { ...value }
    for (const [key, hide] of fields) if (key in value) masked[key] = hide(value[key], around)
    return masked
  }
}

/** The conversation that an object is, or is about. */
function conversationOf({
  id,
  protocol,
  contact,
  conversationId,
}: Record<string, unknown>): number | undefined {
  const own = protocol !== undefined && contact !== undefined ? id : conversationId
  return typeof own === 'number' ? own : undefined
}

/** Whether an object is, or is of, a message that no person wrote, or the names on contact cards. */
function isHiddenIn({
  origin,
  metadata,
  messageType,
  isContact,
  senderName,
}: Record<string, unknown>): boolean {
  if (messageType === 'contact' || (isContact === false && senderName === null)) return true
  const from = origin ?? (isObject(metadata) ? metadata['origin'] : undefined)
  return from === 'automatic' || from === 'assistant'
}

function hidingOfItems(
  hideOf: (n: number) => HideIn | undefined,
  items: readonly Schema[],
): HideIn | undefined {
  if (!items.some((item) => hidingIn(item) !== undefined)) return undefined
  return (value, around) =>
    Array.isArray(value) ? value.map((one, n) => hideOf(n)?.(one, around) ?? one) : value
}

function hidingOfRecord(hide: HideIn | undefined): HideIn | undefined {
  if (!hide) return undefined
  return (value, around) =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, hide(one, around)]))
      : value
}

function hideAnywhere(value: unknown): unknown {
  if (typeof value === 'string') return maskPhonesIn(value)
  if (Array.isArray(value)) return value.map(hideAnywhere)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, hideAnywhere(one)]))
}

/** No dates, which are values. */
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
