import type { OracleReport } from '#simulator/control-views.ts'

/** A message as the database has it. */
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
  /** Each line names one message that is not as it must be; empty when the two agree. */
  faults: string[]
  /** Visible side exits: neither lost nor silent. */
  visible: string[]
}

/**
 * Holds the oracle (what the phones wrote and received) against the database, message for message: nothing lost,
 * nothing doubled, nothing that nobody wrote, replies received in the order of the conversation.
 *
 * @param rows the messages of the phones in the oracle, in the order of the conversations
 */
export function compare(
  oracle: Pick<OracleReport, 'written' | 'received'>,
  rows: StoredMessage[],
): Comparison {
  const faults: string[] = []
  const visible: string[] = []
  const byId = new Map<string, StoredMessage[]>()
  for (const row of rows) if (row.waId) byId.set(row.waId, [...(byId.get(row.waId) ?? []), row])

  for (const { waId, text } of oracle.written) {
    const stored = byId.get(waId) ?? []
    if (stored.length === 0) faults.push(`perdida: ${waId} «${text}»`)
    if (stored.length > 1) faults.push(`duplicada no banco: ${waId} «${text}»`)
    if (stored[0] && stored[0].content !== text)
      faults.push(`alterada: ${waId} «${text}» → «${stored[0].content}»`)
  }
  const writtenIds = new Set(oracle.written.map((entry) => entry.waId))
  const fromContacts = rows.filter((row) => row.senderType === 'contact')
  for (const row of fromContacts)
    if (!row.waId || !writtenIds.has(row.waId)) faults.push(`ninguém escreveu: ${row.waId} «${row.content}»`)

  const ours = rows.filter((row) => row.senderType === 'user')
  const receipts = new Map(oracle.received.map((entry) => [entry.waId, entry]))
  const texts = new Map<string, number>()
  for (const entry of oracle.received) {
    texts.set(entry.text, (texts.get(entry.text) ?? 0) + entry.times)
    if (entry.times > 1) faults.push(`recebida ${entry.times} vezes: ${entry.waId} «${entry.text}»`)
    if (!byId.has(entry.waId)) faults.push(`recebida sem registro: ${entry.waId} «${entry.text}»`)
  }
  for (const row of ours) {
    const times = texts.get(row.content) ?? 0
    if (times > 1) faults.push(`recebida ${times} vezes: «${row.content}»`)
    if (row.waId && receipts.has(row.waId)) continue
    if (row.deliveryStatus === 'failed') visible.push(`falhou, visível: «${row.content}»`)
    else faults.push(`não chegou (${row.deliveryStatus}): «${row.content}»`)
  }
  faults.push(...disorder(oracle.received, ours))
  const [written, stored] = [oracle.written.length, fromContacts.length]
  return { written, stored, answered: ours.length, received: oracle.received.length, faults, visible }
}

/** Where a phone received replies in another order than the conversation shows. */
function disorder(received: OracleReport['received'], ours: StoredMessage[]): string[] {
  const place = new Map(ours.map((row, index) => [row.waId, index]))
  const last = new Map<string, number>()
  const faults: string[] = []
  for (const entry of received.toSorted((a, b) => a.seq - b.seq)) {
    const index = place.get(entry.waId)
    if (index === undefined) continue
    if (index < (last.get(entry.phone) ?? -1)) faults.push(`fora de ordem: ${entry.waId} «${entry.text}»`)
    last.set(entry.phone, index)
  }
  return faults
}
