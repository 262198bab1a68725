import type { OracleReport } from '#simulator/control-views.ts'
import type { Case } from './cases.ts'

/** A sent message as the console has it. */
export interface Sent {
  id: number
  conversationId: number
  content: string
  status: string | null
  state: string | null
  tries: number | null
}

interface Row {
  name: string
  sent: number
  unknown: number
  failed: number
  /** How many messages the phone received not at all, once, and more often. */
  got: [number, number, number]
}

export interface Verdict {
  rows: Row[]
  got: [number, number, number]
  sent: number
  unknown: number
  failed: number
  faults: string[]
  /** Where a phone got our messages in another order than the conversation shows. */
  disorder: string[]
}

const isSent = (status: string | null) => ['sent', 'delivered', 'read', 'played'].includes(status ?? '')

/** Compares the messages received by phones with those that the console shows. */
export function compareSends(
  planned: { text: string; plan: Case; name: string }[],
  stored: Sent[],
  received: OracleReport['received'],
): Verdict {
  const bubbles = Map.groupBy(stored, (one) => one.content)
  const copies = new Map<string, number>()
  for (const { text, times } of received) copies.set(text, (copies.get(text) ?? 0) + times)
  const byName = new Map<string, Row>()
  const faults: string[] = []
  for (const { text, name, plan } of planned) {
    const row = byName.get(name) ?? { name, sent: 0, unknown: 0, failed: 0, got: [0, 0, 0] }
    byName.set(name, row)
    const times = copies.get(text) ?? 0
    row.got[times === 0 ? 0 : times === 1 ? 1 : 2]++
    const own = bubbles.get(text) ?? []
    const [bubble] = own
    const about = `«${text}» ${name.replace(/\s+/g, ' ')}: ${own.map((one) => one.status).join(', ')}`
    if (own.length !== 1 || !bubble) faults.push(`${own.length} bubbles: ${about}`)
    if (times > (plan.script.copies ?? 1)) faults.push(`received ${times} times: ${about}`)
    const status = bubble?.status ?? null
    if (isSent(status)) row.sent++
    else if (status === 'failed') row.failed++
    else if (status === 'unknown') row.unknown++
    else faults.push(`neither sent nor failed: ${about}`)
    if (isSent(status) && times === 0) faults.push(`shown as sent, never arrived: ${about}`)
  }
  const rows = [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const total = (pick: (row: Row) => number) => rows.reduce((sum, row) => sum + pick(row), 0)
  return {
    rows,
    faults,
    disorder: outOfOrder(stored, received),
    got: [total((row) => row.got[0]), total((row) => row.got[1]), total((row) => row.got[2])],
    sent: total((row) => row.sent),
    unknown: total((row) => row.unknown),
    failed: total((row) => row.failed),
  }
}

/** Where a phone got our messages in another order than the conversation shows. */
function outOfOrder(stored: Sent[], received: OracleReport['received']): string[] {
  const place = new Map(stored.map((one, index) => [one.content, index]))
  const last = new Map<string, number>()
  const faults: string[] = []
  for (const { phone, text } of received.toSorted((a, b) => a.seq - b.seq)) {
    const index = place.get(text)
    if (index === undefined) faults.push(`received without a record: «${text}»`)
    else if (index < (last.get(phone) ?? -1)) faults.push(`out of order on the phone: «${text}»`)
    last.set(phone, Math.max(index ?? -1, last.get(phone) ?? -1))
  }
  return faults
}

export function formatCases(rows: Row[]): string[] {
  const head =
    `${'answer'.padEnd(20)} │ ${'arrived'.padEnd(14)} │ ${'echo'.padEnd(11)} │ record    ` +
    '│    sent verif. failed │   phone 0    1    2'
  const cell = (value: number, width: number) => String(value).padStart(width)
  return [
    head,
    ...rows.map(
      ({ name, sent, unknown, failed, got }) =>
        `${name.padEnd(head.indexOf('│    sent') - 1)} ` +
        `│ ${cell(sent, 7)} ${cell(unknown, 6)} ${cell(failed, 6)} ` +
        `│ ${cell(got[0], 9)} ${cell(got[1], 4)} ${cell(got[2], 4)}`,
    ),
  ]
}
