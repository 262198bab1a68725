import { saying } from '#server/testing/test-person.ts'
import type { GatewayEvent } from '#server/gateway/gateway.ts'
import type { Agenda } from './agenda.ts'
import { type DayMs, instantOf, secondMs } from '../plan/day.ts'
import type { Word } from '../plan/plan.ts'

/** A message that a client has written on the phone. */
export interface Written {
  phone: string
  waId: string
  at: DayMs
  text: string
  /** When its webhook came; undefined: not yet. */
  arrivedAt: DayMs | undefined
}

/** Something that came up on a client's phone. */
export interface Got {
  phone: string
  at: DayMs
  text: string
}

/**
 * The phones of all clients and the gateway between them and us, with all that it has to keep while one side
 * is away.
 */
export interface WhatsApp {
  readonly written: Written[]
  readonly got: Got[]
  write(phone: string, word: Word): void
  /** Something of ours comes up on a phone; not while the gateway is away. */
  show(got: Got): void
  /** The gateway stops answering, or answers again. */
  setGatewayAway(isAway: boolean): void
  /** We take nothing from now on, or do again. */
  setHouseAway(isAway: boolean): void
  readonly isGatewayAway: boolean
}

/** From a phone to us. */
const onTheWayMs = 1.5 * secondMs
/** Between two messages of those that had to wait. */
const afterEachMs = 200

export function createWhatsApp(parts: {
  agenda: Agenda
  nowMs: () => DayMs
  /** A webhook comes in. */
  receive: (event: GatewayEvent) => Promise<void>
  /** A client reads the phone. */
  onGot: (got: Got) => void
}): WhatsApp {
  const { agenda, nowMs, receive, onGot } = parts
  const written: Written[] = []
  const got: Got[] = []
  let kept: { entry: Written; event: GatewayEvent }[] = []
  let isGatewayAway = false
  let isHouseAway = false
  /** When the last delayed webhook is posted. */
  let lineEndsAt: DayMs = 0

  const bring = async (entry: Written, event: GatewayEvent) => {
    if (isGatewayAway || isHouseAway) return void kept.push({ entry, event })
    entry.arrivedAt = nowMs()
    await receive(event)
  }
  /** Behind what had to wait: the gateway tells of one chat in the order in which it was written. */
  const deliver = (entry: Written, event: GatewayEvent) => {
    if (nowMs() >= lineEndsAt) return bring(entry, event)
    agenda.note(lineEndsAt, () => bring(entry, event))
    return undefined
  }
  const deliverKept = () => {
    if (isGatewayAway || isHouseAway) return
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
    setHouseAway(isAway) {
      isHouseAway = isAway
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
    // The gateway's seconds have no fraction.
    sentAt: instantOf(Math.floor(at / secondMs) * secondMs),
    content: isRefusedFile ? saying('', file) : saying(text),
    quoted: undefined,
    isHistory: false,
  }
}
