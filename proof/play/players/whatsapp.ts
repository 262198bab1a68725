import { saying } from '#server/testing/test-person.ts'
import type { GatewayEvent } from '#server/gateway/gateway.ts'
import type { Agenda } from './agenda.ts'
import { type DayMs, instantOf, secondMs } from '../plan/day.ts'
import type { Word } from '../plan/plan.ts'

/** A message written on a client's phone. */
export interface Written {
  phone: string
  waId: string
  at: DayMs
  text: string
  /** When its webhook arrived; undefined until then. */
  arrivedAt: DayMs | undefined
}

/** A text received on a client's phone. */
export interface Got {
  phone: string
  at: DayMs
  text: string
}

/** The clients' phones and the gateway, which keeps messages while one side is down. */
export interface WhatsApp {
  readonly written: Written[]
  readonly got: Got[]
  write(phone: string, word: Word): void
  /** Shows a text on a phone. Not allowed while the gateway is down. */
  show(got: Got): void
  /** Stops or restarts the gateway. */
  setGatewayAway(isAway: boolean): void
  /** Makes the product unreachable or reachable for webhooks. */
  setProductAway(isAway: boolean): void
  readonly isGatewayAway: boolean
}

/** The delay from a phone to the product. */
const onTheWayMs = 1.5 * secondMs
/** The interval between delayed messages. */
const afterEachMs = 200

export function createWhatsApp(parts: {
  agenda: Agenda
  nowMs: () => DayMs
  /** Called for each webhook. */
  receive: (event: GatewayEvent) => Promise<void>
  /** Called for each text that a phone receives. */
  onGot: (got: Got) => void
}): WhatsApp {
  const { agenda, nowMs, receive, onGot } = parts
  const written: Written[] = []
  const got: Got[] = []
  let kept: { entry: Written; event: GatewayEvent }[] = []
  let isGatewayAway = false
  let isProductAway = false
  /** When the last delayed webhook is posted. */
  let lineEndsAt: DayMs = 0

  const bring = async (entry: Written, event: GatewayEvent) => {
    if (isGatewayAway || isProductAway) return void kept.push({ entry, event })
    entry.arrivedAt = nowMs()
    await receive(event)
  }
  /** Not before delayed messages: the gateway posts a chat's messages in the order of writing. */
  const deliver = (entry: Written, event: GatewayEvent) => {
    if (nowMs() >= lineEndsAt) return bring(entry, event)
    agenda.note(lineEndsAt, () => bring(entry, event))
    return undefined
  }
  const deliverKept = () => {
    if (isGatewayAway || isProductAway) return
    const waiting = kept.toSorted((a, b) => a.entry.at - b.entry.at)
    kept = []
    for (const [n, { entry, event }] of waiting.entries()) {
      lineEndsAt = nowMs() + onTheWayMs + n * afterEachMs
      agenda.note(lineEndsAt, () => bring(entry, event))
    }
  }

  return {
    written,
    got,
    write(phone, word) {
      const at = nowMs()
      const waId = `dia-${written.length + 1}`
      const text = word.isRefusedFile ? 'tabela.xls' : word.text
      const entry: Written = { phone, waId, at, text, arrivedAt: undefined }
      written.push(entry)
      agenda.note(at + onTheWayMs, () => deliver(entry, eventOf(entry, word)))
    },
    show(one) {
      if (isGatewayAway) throw new Error('the gateway is away')
      got.push(one)
      onGot(one)
    },
    setGatewayAway(isAway) {
      isGatewayAway = isAway
      deliverKept()
    },
    setProductAway(isAway) {
      isProductAway = isAway
      deliverKept()
    },
    get isGatewayAway() {
      return isGatewayAway
    },
  }
}

function eventOf({ phone, waId, at, text }: Written, { isRefusedFile }: Word): GatewayEvent {
  const file = { messageType: 'document', mimeType: 'application/vnd.ms-excel', fileName: text } as const
  return {
    kind: 'message',
    waId,
    peer: { phone, lid: undefined, jid: `${phone}@s.whatsapp.net` },
    origin: 'contact',
    name: `Cliente ${phone.slice(-4)}`,
    // The gateway's times are whole seconds.
    sentAt: instantOf(Math.floor(at / secondMs) * secondMs),
    content: isRefusedFile ? saying('', file) : saying(text),
    quoted: undefined,
    isHistory: false,
  }
}
