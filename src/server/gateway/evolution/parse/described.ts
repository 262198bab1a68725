import { describedTexts as words } from '#shared/text/text.ts'
import { jsonIn } from './flows.ts'
import { chargeLines, money, paymentLines, requestLines, thousandths } from './payments.ts'
import { enumerated, field, items, natural, text, timeMs } from './values.ts'

type Described = (value: unknown) => (string | undefined)[]

const mostOptions = 100
const option = (value: unknown) => {
  const label = text(value)?.trim()
  return label ? `• ${label}` : undefined
}
const at = (value: unknown, ...path: string[]) => path.reduce(field, value)

/** By kind, the texts of lists, buttons, orders, invitations and the like. Each line may be missing. */
const described = new Map<string, Described>([
  ['listMessage', listLines],
  ['buttonsMessage', buttonsLines],
  ['templateMessage', templateLines],
  ['interactiveMessage', interactiveLines],
  ['orderMessage', orderLines],
  ['productMessage', productLines],
  ['groupInviteMessage', inviteLines],
  ['eventMessage', eventLines],
  ['albumMessage', albumLines],
  ['stickerPackMessage', packLines],
  ['newsletterAdminInviteMessage', channelLines],
  ['newsletterFollowerInviteMessage', channelLines],
  ['newsletterFollowerInviteMessageV2', channelLines],
  ['scheduledCallCreationMessage', scheduledLines],
  ['richResponseMessage', answerLines],
  ['requestPaymentMessage', requestLines],
  ['sendPaymentMessage', paymentLines],
  ['declinePaymentRequestMessage', () => [words.paymentDeclined]],
  ['cancelPaymentRequestMessage', () => [words.paymentCancelled]],
  ['paymentInviteMessage', () => [words.paymentInvite]],
  ['callLogMessage', callLines],
  // The spelling of the protocol.
  ['callLogMesssage', callLines],
])

/**
 * Describes in readable lines content that the console has no form for; undefined when it has no words. A
 * kind that nobody knows yet is described by the fields that people read in the others.
 */
export function describe(type: string, value: unknown): string | undefined {
  const lines = (described.get(type) ?? anyLines)(value).map((line) => line?.trim())
  return lines?.filter(Boolean).join('\n') || undefined
}

const wordFields = ['title', 'name', 'subtitle', 'text', 'contentText', 'caption', 'description', 'body']

function anyLines(value: unknown): (string | undefined)[] {
  const linesOf = (part: unknown) =>
    wordFields.map((name) => text(field(part, name)) ?? text(at(part, name, 'text')))
  const [header, body, footer] = ['header', 'body', 'footer'].map((part) => field(value, part))
  const all = [text(value), header, value, body, footer].flatMap((part) => text(part) ?? linesOf(part))
  return [...new Set(all)]
}

function packLines(value: unknown): (string | undefined)[] {
  const name = text(field(value, 'name'))
  return [
    name ? `${words.stickerPack}: ${name}` : words.stickerPack,
    text(field(value, 'publisher')),
    text(field(value, 'caption')),
    text(field(value, 'packDescription')),
  ]
}

function channelLines(value: unknown): (string | undefined)[] {
  const name = text(field(value, 'newsletterName'))
  return [name ? `${words.channelInvite} ${name}` : words.channelInvite, text(field(value, 'caption'))]
}

const shownTime = (ms: number) =>
  new Date(ms).toLocaleString('pt-BR', {
    timeZone: 'America/Sao_Paulo',
    dateStyle: 'short',
    timeStyle: 'short',
  })

function scheduledLines(value: unknown): (string | undefined)[] {
  const title = text(field(value, 'title'))
  const startMs = timeMs(field(value, 'scheduledTimestampMs'))
  return [
    title ? `${words.scheduledCall}: ${title}` : words.scheduledCall,
    startMs > 0 ? shownTime(startMs) : undefined,
  ]
}

/** What an assistant of WhatsApp answered. */
function answerLines(value: unknown): (string | undefined)[] {
  return items(field(value, 'submessages'), mostOptions).map((part) => text(field(part, 'messageText')))
}

function listLines(value: unknown): (string | undefined)[] {
  const sections = items(field(value, 'sections'), mostOptions).flatMap((section) => [
    text(field(section, 'title')),
    ...items(field(section, 'rows'), mostOptions).map((row) => option(titled(row))),
  ])
  return [
    text(field(value, 'title')),
    text(field(value, 'description')),
    text(field(value, 'footerText')),
    ...sections,
  ]
}

function titled(row: unknown): string | undefined {
  const [title, description] = [text(field(row, 'title')), text(field(row, 'description'))]
  return title && description ? `${title} – ${description}` : (title ?? description)
}

function buttonsLines(value: unknown): (string | undefined)[] {
  return [
    text(field(value, 'text')),
    text(field(value, 'contentText')),
    text(field(value, 'footerText')),
    ...items(field(value, 'buttons'), mostOptions).map((button) =>
      option(at(button, 'buttonText', 'displayText') ?? field(button, 'buttonId')),
    ),
  ]
}

const templates = ['hydratedTemplate', 'hydratedFourRowTemplate']
const templateButtons = ['quickReplyButton', 'urlButton', 'callButton']

function templateLines(value: unknown): (string | undefined)[] {
  const interactive = field(value, 'interactiveMessageTemplate')
  if (interactive) return interactiveLines(interactive)
  const template = templates.map((name) => field(value, name)).find((one) => one !== undefined)
  return [
    text(field(template, 'hydratedTitleText')),
    text(field(template, 'hydratedContentText')),
    text(field(template, 'hydratedFooterText')),
    ...items(field(template, 'hydratedButtons'), mostOptions).map((button) =>
      option(templateButtons.map((name) => text(at(button, name, 'displayText'))).find(Boolean)),
    ),
  ]
}

function interactiveLines(value: unknown): (string | undefined)[] {
  const cards = items(at(value, 'carouselMessage', 'cards'), 20)
  return [...cardLines(value), ...cards.flatMap(cardLines)]
}

function cardLines(card: unknown): (string | undefined)[] {
  return [
    text(at(card, 'header', 'title')),
    text(at(card, 'header', 'subtitle')),
    text(at(card, 'body', 'text')),
    text(at(card, 'footer', 'text')),
    ...items(at(card, 'nativeFlowMessage', 'buttons'), mostOptions).flatMap(buttonLines),
  ]
}

/** What a button is for, if it is one of a payment; else what is written on it. */
function buttonLines(button: unknown): (string | undefined)[] {
  const params = field(button, 'buttonParamsJson')
  const charge = chargeLines(jsonIn(params)).filter(Boolean)
  return charge.length > 0 ? charge : [option(labelIn(params) ?? field(button, 'name'))]
}

/** The human-readable label in parameters that are JSON within a string. */
export function labelIn(json: unknown): string | undefined {
  const params = jsonIn(json)
  return ['display_text', 'title', 'description', 'id'].map((name) => text(field(params, name))).find(Boolean)
}

const counted = (count: number, one: string, many: string) =>
  count === 1 ? one : many.replace('{count}', () => String(count))

function orderLines(value: unknown): (string | undefined)[] {
  const [title, count] = [text(field(value, 'orderTitle')), natural(field(value, 'itemCount'))]
  const total = money(thousandths(field(value, 'totalAmount1000')), field(value, 'totalCurrencyCode'))
  return [
    title ? `${words.order}: ${title}` : words.order,
    count ? counted(count, words.item, words.items) : undefined,
    total && words.total.replace('{amount}', () => total),
    text(field(value, 'message')),
  ]
}

function productLines(value: unknown): (string | undefined)[] {
  const product = field(value, 'product')
  const title = text(field(product, 'title'))
  return [
    title ? `${words.product}: ${title}` : words.product,
    text(field(product, 'description')),
    money(thousandths(field(product, 'priceAmount1000')), field(product, 'currencyCode')),
    text(field(product, 'url')),
    text(field(value, 'body')),
    text(field(value, 'footer')),
  ]
}

function inviteLines(value: unknown): (string | undefined)[] {
  const name = text(field(value, 'groupName'))
  return [
    name ? words.groupInviteNamed.replace('{name}', () => name) : words.groupInvite,
    text(field(value, 'caption')),
  ]
}

function eventLines(value: unknown): (string | undefined)[] {
  const name = text(field(value, 'name'))
  const word = field(value, 'isCanceled') === true ? words.cancelledEvent : words.event
  const startMs = timeMs(field(value, 'startTime'), 1000)
  return [
    name ? `${word}: ${name}` : word,
    startMs > 0 ? shownTime(startMs) : undefined,
    text(at(value, 'location', 'name')),
    text(at(value, 'location', 'address')),
    text(field(value, 'description')),
    text(field(value, 'joinLink')),
  ]
}

function albumLines(value: unknown): (string | undefined)[] {
  const images = natural(field(value, 'expectedImageCount')) ?? 0
  const videos = natural(field(value, 'expectedVideoCount')) ?? 0
  const parts = [
    ...(images > 0 ? [counted(images, words.photo, words.photos)] : []),
    ...(videos > 0 ? [counted(videos, words.video, words.videos)] : []),
  ]
  return [parts.length > 0 ? `${words.album}: ${parts.join(words.and)}` : words.album]
}

const callOutcomes = [
  'CONNECTED',
  'MISSED',
  'FAILED',
  'REJECTED',
  'ACCEPTED_ELSEWHERE',
  'ONGOING',
  'SILENCED_BY_DND',
  'SILENCED_UNKNOWN_CALLER',
]
const missed = new Set(['MISSED', 'FAILED', 'SILENCED_BY_DND', 'SILENCED_UNKNOWN_CALLER'])

function callLines(value: unknown): (string | undefined)[] {
  const call = field(value, 'isVideo') === true ? words.videoCall : words.voiceCall
  const outcome = enumerated(field(value, 'callOutcome'), callOutcomes)
  if (outcome === 'REJECTED') return [words.refusedCall.replace('{call}', call)]
  return [outcome && missed.has(outcome) ? words.missedCall.replace('{call}', call) : call]
}
