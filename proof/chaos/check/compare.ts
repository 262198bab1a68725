import type { OracleReport } from '#simulator/control-views.ts'

/**
 * What can be wrong with a delivery. `lost`: acknowledged and missing. `doubled`: present twice. `stale`: one
 * side has an older state. `unexpected`: nobody sent it. `stuck`: pending without progress.
 */
export const faultKinds = ['lost', 'doubled', 'stale', 'unexpected', 'out of order', 'stuck'] as const
export type FaultKind = (typeof faultKinds)[number]

export interface Fault {
  kind: FaultKind
  what: string
}

/** A message in the database. */
export interface StoredMessage {
  waId: string | null
  contactPhone: string | null
  senderType: 'contact' | 'user'
  content: string
  deliveryStatus: string | null
}

export interface Comparison {
  written: number
  stored: number
  answered: number
  received: number
  /** One line for each wrong message. */
  faults: Fault[]
  /** Failures that the user sees, which are no faults. */
  visible: string[]
}

/**
 * Compares the oracle (what the phones wrote and received) with the database: no message is lost, duplicated
 * or unknown, and replies are received in the order of the conversation.
 *
 * @param rows the messages of the oracle's phones, in the order of the conversations
 */
export function compare(
  oracle: Pick<OracleReport, 'written' | 'received'>,
  rows: StoredMessage[],
): Comparison {
  const incoming = compareIncoming(oracle.written, rows)
  const ours = rows.filter((row) => row.senderType === 'user')
  const outgoing = compareOutgoing(oracle.received, ours)
  return {
    written: oracle.written.length,
    stored: rows.length - ours.length,
    answered: ours.length,
    received: oracle.received.length,
    faults: [...incoming, ...outgoing.faults, ...disorder(oracle.received, ours)],
    visible: outgoing.visible,
  }
}

function compareIncoming(written: OracleReport['written'], rows: StoredMessage[]): Fault[] {
  const faults: Fault[] = []
  const byId = new Map<string, StoredMessage[]>()
  for (const row of rows) if (row.waId) byId.set(row.waId, [...(byId.get(row.waId) ?? []), row])
  for (const { waId, text } of written) {
    const stored = byId.get(waId) ?? []
    if (stored.length === 0) faults.push({ kind: 'lost', what: `not stored: ${waId} «${text}»` })
    if (stored.length > 1) faults.push({ kind: 'doubled', what: `stored twice: ${waId} «${text}»` })
    if (stored[0] && stored[0].content !== text)
      faults.push({ kind: 'unexpected', what: `changed: ${waId} «${text}» → «${stored[0].content}»` })
  }
  const writtenIds = new Set(written.map((entry) => entry.waId))
  for (const { waId, senderType, content } of rows)
    if (senderType === 'contact' && (!waId || !writtenIds.has(waId)))
      faults.push({ kind: 'unexpected', what: `nobody wrote it: ${waId} «${content}»` })
  return faults
}

function compareOutgoing(
  received: OracleReport['received'],
  ours: StoredMessage[],
): { faults: Fault[]; visible: string[] } {
  const faults: Fault[] = []
  const visible: string[] = []
  const known = new Set(ours.map((row) => row.waId))
  const receipts = new Set(received.map((entry) => entry.waId))
  const times = new Map<string, number>()
  for (const entry of received) {
    const { waId, text } = entry
    times.set(text, (times.get(text) ?? 0) + entry.times)
    if (!known.has(waId))
      faults.push({ kind: 'unexpected', what: `received without a record: ${waId} «${text}»` })
  }
  const texts = Map.groupBy(ours, (row) => row.content)
  for (const [text, rows] of texts)
    if ((times.get(text) ?? 0) > rows.length)
      faults.push({ kind: 'doubled', what: `received ${times.get(text)} times: «${text}»` })
  for (const { waId, content, deliveryStatus } of ours) {
    if (waId && receipts.has(waId)) continue
    if (deliveryStatus === 'failed') visible.push(`failed, visibly: «${content}»`)
    else if (deliveryStatus === 'unknown') visible.push(`being verified, visibly: «${content}»`)
    else {
      const kind = deliveryStatus === 'pending' || deliveryStatus === 'sending' ? 'stuck' : 'lost'
      faults.push({ kind, what: `never arrived (${deliveryStatus}): «${content}»` })
    }
  }
  return { faults, visible }
}

/** Replies that a phone received in another order than that of the conversation. */
function disorder(received: OracleReport['received'], ours: StoredMessage[]): Fault[] {
  const place = new Map(ours.map((row, index) => [row.waId, index]))
  const last = new Map<string, number>()
  const faults: Fault[] = []
  for (const entry of received.toSorted((a, b) => a.seq - b.seq)) {
    const index = place.get(entry.waId)
    if (index === undefined) continue
    if (index < (last.get(entry.phone) ?? -1))
      faults.push({ kind: 'out of order', what: `received out of order: ${entry.waId} «${entry.text}»` })
    last.set(entry.phone, Math.max(index, last.get(entry.phone) ?? -1))
  }
  return faults
}
