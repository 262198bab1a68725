import { deliveryStatuses } from '#shared/messages/delivery.ts'
import type { OracleReport } from '#simulator/control-views.ts'
import { compare, type Comparison, type Fault, type StoredMessage } from './compare.ts'

/** A message in a frame or a fetch. */
export interface PushedMessage {
  id: number
  conversationId: number
  version: number
  /** ISO-8601 */
  sortAt: string
  createdAt: string
}

export interface PushedConversation {
  id: number
  version: number
}

/** An item that a socket delivered. */
export type Note =
  /** `isInTurn`: neither part of a replay nor before a fetch, so that its order matters. */
  | {
      kind: 'pushed'
      isInTurn: boolean
      conversation: PushedConversation
      message: PushedMessage | undefined
    }
  | { kind: 'fetched'; conversations: PushedConversation[]; messages: PushedMessage[] }
  | { kind: 'frame'; type: string }

export interface Transcript {
  name: string
  notes: Note[]
}

/** Messages of the database, in the order of their conversations. */
export interface StoredRow extends StoredMessage, PushedMessage {
  clientMessageId: string | null
}

/** Unfinished work in the database. */
export interface Remaining {
  table: 'webhook_inbox' | 'outbox'
  what: string
}

/** Everything observed, after the run has come to rest. */
export interface Evidence {
  oracle: Pick<OracleReport, 'written' | 'received'>
  /** The messages written on phones whose webhook was answered 2xx. */
  accepted: ReadonlySet<string>
  /** For each sent message, by id, the last receipt that the gateway posted and that was answered 2xx. */
  ticks: ReadonlyMap<string, string>
  /** Replies answered 2xx, by `clientMessageId`. */
  acknowledged: ReadonlyMap<string, { conversationId: number; content: string }>
  /** Replies answered otherwise. */
  refused: string[]
  rows: StoredRow[]
  /** The event lines of the timeline. */
  lines: PushedConversation[]
  conversations: PushedConversation[]
  remaining: Remaining[]
  transcripts: Transcript[]
  /** For each message with a file, whether it opens and equals what the phone sent. */
  files: { content: string; isWhole: boolean; seen: string }[]
  /** The state that HTTP returns at the end. */
  shown: { conversations: PushedConversation[]; messages: PushedMessage[] }
}

export interface Verdict extends Comparison {
  /** Written on a phone, but never answered 2xx: the gateway still retries, or has given up. */
  unaccepted: number
}

/**
 * Judges a run: the answers, the database, the phones, the sockets and a fetch must agree.
 * @see reliability §3.2
 */
export function checkEvidence(evidence: Evidence): Verdict {
  const { oracle, accepted, rows } = evidence
  // A message that was never answered 2xx may be missing. If it is stored, it is compared like the others.
  const known = new Set(rows.map((row) => row.waId))
  const written = oracle.written.filter(({ waId }) => accepted.has(waId) || known.has(waId))
  const comparison = compare({ written, received: oracle.received }, rows)
  const faults = [
    ...comparison.faults,
    ...judgeAnswers(evidence),
    ...judgeTicks(evidence),
    ...evidence.files
      .filter(({ isWhole }) => !isWhole)
      .map(({ content, seen }): Fault => ({ kind: 'lost', what: `file of «${content}»: ${seen}` })),
    ...evidence.remaining.map(({ table, what }): Fault => ({ kind: 'stuck', what: `${table}: ${what}` })),
    ...judgeKnowledge('GET', collect([{ kind: 'fetched', ...evidence.shown }]), evidence),
    ...evidence.transcripts.flatMap((transcript) => [
      ...judgeKnowledge(transcript.name, collect(transcript.notes), evidence),
      ...judgeOrder(transcript),
    ]),
  ]
  return { ...comparison, faults, unaccepted: oracle.written.length - written.length }
}

/** Each reply answered 201 is stored once, with the text that was sent. */
function judgeAnswers({ acknowledged, refused, rows }: Evidence): Fault[] {
  const faults: Fault[] = refused.map((what) => ({ kind: 'unexpected', what: `reply refused: ${what}` }))
  const stored = Map.groupBy(
    rows.filter((row) => row.clientMessageId !== null),
    (row) => row.clientMessageId,
  )
  for (const [id, { conversationId, content }] of acknowledged) {
    const found = stored.get(id) ?? []
    if (found.length === 0) faults.push({ kind: 'lost', what: `reply accepted: «${content}»` })
    if (found.length > 1) faults.push({ kind: 'doubled', what: `reply stored: «${content}»` })
    if (found.some((row) => row.content !== content || row.conversationId !== conversationId))
      faults.push({ kind: 'unexpected', what: `reply changed: «${content}»` })
  }
  for (const id of stored.keys())
    if (id !== null && !acknowledged.has(id))
      faults.push({ kind: 'unexpected', what: `reply that nobody sent: ${id}` })
  return faults
}

const rankOf = (status: string | null) => deliveryStatuses.findIndex((known) => known === status)

/** A row must have the last receipt accepted for its message, or a later one. */
function judgeTicks({ ticks, rows }: Evidence): Fault[] {
  const faults: Fault[] = []
  for (const { waId, content, deliveryStatus } of rows) {
    const receipt = waId === null ? undefined : ticks.get(waId)
    if (receipt !== undefined && rankOf(deliveryStatus) < rankOf(receipt))
      faults.push({
        kind: 'stale',
        what: `${deliveryStatus} stored, ${receipt} at the gateway: «${content}»`,
      })
  }
  return faults
}

interface Knowledge {
  messages: Map<number, number>
  conversations: Map<number, number>
}

/** The newest versions, as a browser's cache keeps them. */
function collect(notes: Note[]): Knowledge {
  const known: Knowledge = { messages: new Map(), conversations: new Map() }
  const keep = (into: Map<number, number>, { id, version }: { id: number; version: number }) =>
    void into.set(id, Math.max(version, into.get(id) ?? 0))
  for (const note of notes) {
    if (note.kind === 'frame') continue
    const isFetch = note.kind === 'fetched'
    for (const one of isFetch ? note.conversations : [note.conversation]) keep(known.conversations, one)
    for (const one of isFetch ? note.messages : note.message ? [note.message] : []) keep(known.messages, one)
  }
  return known
}

/** Every socket must have delivered exactly the database's content: nothing missing, old or unknown. */
function judgeKnowledge(name: string, known: Knowledge, { rows, lines, conversations }: Evidence): Fault[] {
  const faults: Fault[] = []
  const compare = (what: string, mine: Map<number, number>, truth: PushedConversation[]) => {
    const ids = new Set(truth.map(({ id }) => id))
    for (const { id, version } of truth) {
      const seen = mine.get(id)
      if (seen === undefined) faults.push({ kind: 'lost', what: `${name} never received: ${what} ${id}` })
      else if (seen < version)
        faults.push({ kind: 'stale', what: `${name}: ${what} ${id} at version ${seen}, stored ${version}` })
    }
    for (const id of mine.keys())
      if (!ids.has(id)) faults.push({ kind: 'unexpected', what: `${name}: ${what} ${id} does not exist` })
  }
  compare('message', known.messages, [...rows, ...lines])
  compare('conversation', known.conversations, conversations)
  return faults
}

/**
 * The first delivery of new messages follows the order of the conversation. Backdated ones may come at any
 * time.
 */
function judgeOrder({ name, notes }: Transcript): Fault[] {
  const faults: Fault[] = []
  const seen = new Set<number>()
  const last = new Map<number, PushedMessage>()
  for (const note of notes) {
    if (note.kind === 'frame') continue
    const isFetch = note.kind === 'fetched'
    for (const message of isFetch ? note.messages : note.message ? [note.message] : []) {
      const isFirst = !seen.has(message.id)
      seen.add(message.id)
      if (!isFirst || message.sortAt < message.createdAt) continue
      const before = last.get(message.conversationId)
      const isAfter = before === undefined || isOrdered(before, message)
      if (!isAfter && !isFetch && note.isInTurn)
        faults.push({ kind: 'out of order', what: `${name}: ${message.id} after ${before.id}` })
      if (isAfter) last.set(message.conversationId, message)
    }
  }
  return faults
}

function isOrdered(a: PushedMessage, b: PushedMessage): boolean {
  return a.sortAt === b.sortAt ? a.id < b.id : a.sortAt < b.sortAt
}
