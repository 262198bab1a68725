import type { ContactCard, Rich } from '#simulator/control-api.ts'
import { phoneJid } from '#simulator/world/jids.ts'
import type { Message } from '#simulator/world/state.ts'
import { bytes, int64, type Json, seconds } from './wire.ts'

/** The content of messages beyond text, media and location: `{ contactMessage: {…} }`. */

function phoneCard({ name, phones, organization, email, url }: ContactCard): string {
  return [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:;${name};;;`,
    `FN:${name}`,
    ...(organization ? [`ORG:${organization};`] : []),
    ...phones.map(({ number, waid }) => `TEL;type=CELL${waid ? `;waid=${waid}` : ''}:${number}`),
    ...(email ? [`EMAIL:${email}`] : []),
    ...(url ? [`URL:${url}`] : []),
    'END:VCARD',
  ].join('\n')
}

function contactContent(contacts: ContactCard[]): Json {
  const cards = contacts.map((card) => ({ displayName: card.name, vcard: phoneCard(card) }))
  const [first] = cards
  if (cards.length === 1) return { contactMessage: first }
  return {
    contactsArrayMessage: {
      displayName: `${first?.displayName} e outros ${cards.length - 1}`,
      contacts: cards,
    },
  }
}

/** Replies to a list, a button or a form. */
function replyContent(rich: Rich): Json | undefined {
  switch (rich.kind) {
    case 'listReply': {
      const { title, rowId, description } = rich
      const reply = { title, listType: 1, singleSelectReply: { selectedRowId: rowId } }
      return { listResponseMessage: { ...reply, ...(description === undefined ? {} : { description }) } }
    }
    case 'buttonReply':
      return {
        buttonsResponseMessage: {
          selectedButtonId: rich.buttonId,
          selectedDisplayText: rich.text,
          type: 1,
        },
      }
    case 'templateReply': {
      const selected = { selectedId: rich.buttonId, selectedDisplayText: rich.text, selectedIndex: 0 }
      return { templateButtonReplyMessage: selected }
    }
    case 'interactiveReply': {
      const { text, name, params } = rich
      const flow = { name, paramsJson: JSON.stringify(params), version: 3 }
      return { interactiveResponseMessage: { body: { text, format: 0 }, nativeFlowResponseMessage: flow } }
    }
    default:
      return undefined
  }
}

function thousandths(cents: number) {
  return { ...int64(cents * 10), unsigned: false }
}

function shopContent(rich: Rich, message: Message, seller: string): Json | undefined {
  if (rich.kind === 'order')
    return {
      orderMessage: {
        orderId: `ORD${message.waId.slice(-8)}`,
        itemCount: rich.itemCount,
        status: 1,
        surface: 1,
        ...(rich.message === undefined ? {} : { message: rich.message }),
        orderTitle: rich.title,
        sellerJid: seller,
        token: Buffer.from(message.waId).toString('base64'),
        totalAmount1000: thousandths(rich.amount),
        totalCurrencyCode: rich.currency,
      },
    }
  if (rich.kind !== 'product') return undefined
  const { title, description, amount, currency: currencyCode, retailerId, url } = rich
  const product = {
    productId: `PRD${message.waId.slice(-8)}`,
    title,
    ...(description === undefined ? {} : { description }),
    currencyCode,
    priceAmount1000: thousandths(amount),
    ...(retailerId === undefined ? {} : { retailerId }),
    ...(url === undefined ? {} : { url }),
    productImageCount: 1,
  }
  return { productMessage: { product, businessOwnerJid: seller } }
}

function pollContent(rich: Rich & { kind: 'poll' }, message: Message): Json {
  const suffix = rich.version === 1 ? '' : `V${rich.version}`
  const poll = {
    name: rich.name,
    selectableOptionsCount: rich.selectableCount,
    options: rich.options.map((optionName) => ({ optionName })),
  }
  const messageContextInfo = { messageSecret: bytes(`${message.waId}:secret`) }
  return { messageContextInfo, [`pollCreationMessage${suffix}`]: poll }
}

/** @param ownerNumber digits of the company's number */
export function richContent(rich: Rich, message: Message, ownerNumber: string): Json {
  switch (rich.kind) {
    case 'contact':
      return contactContent(rich.contacts)
    case 'poll':
      return pollContent(rich, message)
    case 'viewOncePlaceholder':
      return { messageContextInfo: { threadId: [], deviceListMetadataVersion: 2 } }
    case 'liveLocation': {
      const { latitude, longitude, caption, accuracyMetres = 10, sequence = 1 } = rich
      const place = { degreesLatitude: latitude, degreesLongitude: longitude }
      const measured = { accuracyInMeters: accuracyMetres, ...(caption === undefined ? {} : { caption }) }
      const sequenceNumber = { ...int64(sequence), unsigned: false }
      return { liveLocationMessage: { ...place, ...measured, sequenceNumber, timeOffset: 0 } }
    }
    case 'groupInvite': {
      const { groupName, code, caption } = rich
      const inviteExpiration = { ...int64(seconds(message.at) + 259_200), unsigned: false }
      const invite = { groupJid: '120363042345678901@g.us', inviteCode: code, inviteExpiration, groupName }
      return { groupInviteMessage: { ...invite, ...(caption === undefined ? {} : { caption }) } }
    }
    case 'unknown':
      return rich.raw
    default:
      return replyContent(rich) ?? shopContent(rich, message, phoneJid(ownerNumber)) ?? {}
  }
}

/** The plain text for readers that know no more, and for the oracle. */
export function richText(rich: Rich): string {
  switch (rich.kind) {
    case 'contact':
      return rich.contacts.map(({ name }) => name).join(', ')
    case 'poll':
      return rich.name
    case 'buttonReply':
    case 'templateReply':
    case 'interactiveReply':
      return rich.text
    case 'listReply':
    case 'order':
    case 'product':
      return rich.title
    case 'groupInvite':
      return rich.groupName
    case 'liveLocation':
      return rich.caption ?? ''
    case 'viewOncePlaceholder':
    case 'unknown':
      return ''
  }
}
