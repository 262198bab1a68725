import { expect, test } from 'vitest'
import type { OracleReport } from '#simulator/control-views.ts'
import type { Fault, FaultKind } from './compare.ts'
import { type Evidence, checkEvidence, type Note, type StoredRow, type PushedMessage } from './checker.ts'

const instant = (second: number) => new Date(Date.UTC(2026, 10, 20, 12, 0, second)).toISOString()

const row = (id: number, more: Partial<StoredRow>): StoredRow => ({
  id,
  conversationId: 1,
  version: 1,
  sortAt: instant(id),
  createdAt: instant(id),
  waId: `wa${id}`,
  contactPhone: '5511955554444',
  senderType: 'contact',
  content: `texto ${id}`,
  deliveryStatus: null,
  clientMessageId: null,
  ...more,
})
const reply = (id: number, more: Partial<StoredRow> = {}) =>
  row(id, { senderType: 'user', deliveryStatus: 'read', clientMessageId: `resposta-${id}`, ...more })

const entry = (seq: number, id: number, direction: 'written' | 'received') => ({
  seq,
  at: instant(id),
  direction,
  phone: 'celular-1',
  phoneNumber: '5511955554444',
  instance: 'loja',
  waId: `wa${id}`,
  kind: 'text' as const,
  text: `texto ${id}`,
  fromConsole: direction === 'received',
  times: 1,
})

const reportedOf = ({ id, conversationId, version, sortAt, createdAt }: StoredRow): PushedMessage => ({
  id,
  conversationId,
  version,
  sortAt,
  createdAt,
})
const pushed = (from: StoredRow, isInTurn = true): Note => ({
  kind: 'pushed',
  isInTurn,
  conversation: { id: 1, version: 5 },
  message: reportedOf(from),
})

/** A run without faults: a client wrote 1 and 3, an operator answered 2 and 4. */
function good() {
  const rows = [row(1, {}), reply(2), row(3, {}), reply(4)]
  const conversations = [{ id: 1, version: 5 }]
  const oracle: Pick<OracleReport, 'written' | 'received'> = {
    written: [entry(1, 1, 'written'), entry(3, 3, 'written')],
    received: [entry(2, 2, 'received'), entry(4, 4, 'received')],
  }
  return {
    oracle,
    accepted: new Set(['wa1', 'wa3']),
    ticks: new Map([
      ['wa2', 'read'],
      ['wa4', 'read'],
    ]),
    acknowledged: new Map(
      [2, 4].map((id) => [`resposta-${id}`, { conversationId: 1, content: `texto ${id}` }]),
    ),
    refused: [] as string[],
    rows,
    lines: [] as Evidence['lines'],
    conversations,
    remaining: [] as Evidence['remaining'],
    transcripts: [{ name: 'ana', notes: rows.map((one) => pushed(one)) }],
    files: [] as Evidence['files'],
    shown: { conversations, messages: rows.map(reportedOf) },
  }
}

/** The faults found after a change to that run. */
function faultsAfter(damage: (run: ReturnType<typeof good>) => void): Fault[] {
  const run = good()
  damage(run)
  return checkEvidence(run).faults
}

/** Removes a row from the database and from what the sockets delivered. */
function forget(run: ReturnType<typeof good>, id: number): void {
  run.rows = run.rows.filter((one) => one.id !== id)
  run.shown.messages = run.shown.messages.filter((one) => one.id !== id)
  for (const transcript of run.transcripts)
    transcript.notes = transcript.notes.filter((note) => note.kind !== 'pushed' || note.message?.id !== id)
}

const kindsOf = (faults: Fault[]): FaultKind[] => [...new Set(faults.map(({ kind }) => kind))]

test('A line of the timeline is known by everybody, and is no message', () => {
  const line = row(5, {})
  const withLine = (stored: Evidence['lines']) =>
    faultsAfter((run) => {
      run.lines = stored
      run.transcripts[0]?.notes.push(pushed(line))
      run.shown.messages.push(reportedOf(line))
    })
  expect(withLine([line])).toEqual([])
  expect(kindsOf(withLine([{ ...line, version: line.version + 1 }]))).toEqual(['stale'])
  expect(kindsOf(withLine([]))).toEqual(['unexpected'])
})

test('A run in which all witnesses agree has no fault', () => {
  expect(checkEvidence(good())).toMatchObject({ faults: [], unaccepted: 0, visible: [] })
})

test('A message that was answered 200 and is not stored is lost, one that was never answered is not', () => {
  expect(kindsOf(faultsAfter((run) => forget(run, 1)))).toEqual(['lost'])
  const run = good()
  forget(run, 1)
  run.accepted.delete('wa1')
  expect(checkEvidence(run)).toMatchObject({ faults: [], unaccepted: 1 })
})

test('A reply that was answered 201 and is not stored is lost', () => {
  const faults = faultsAfter((run) => {
    forget(run, 4)
    run.oracle.received.pop()
  })
  expect(faults).toEqual([{ kind: 'lost', what: 'reply accepted: «texto 4»' }])
})

test('A file that does not open as it was sent is lost', () => {
  const file = { content: 'foto', seen: '502, 0 bytes' }
  expect(faultsAfter((run) => run.files.push({ ...file, isWhole: true }))).toEqual([])
  expect(faultsAfter((run) => run.files.push({ ...file, isWhole: false }))).toEqual([
    { kind: 'lost', what: 'file of «foto»: 502, 0 bytes' },
  ])
})

test('A reply that the phone got twice is doubled, under one id or under two', () => {
  const once = faultsAfter((run) => (run.oracle.received[0]!.times = 2))
  expect(kindsOf(once)).toEqual(['doubled'])
  const again = faultsAfter((run) =>
    run.oracle.received.push({ ...entry(5, 9, 'received'), text: 'texto 2' }),
  )
  expect(kindsOf(again)).toEqual(['unexpected', 'doubled'])
})

test('A message that stands twice in the database is doubled', () => {
  const faults = faultsAfter((run) => {
    run.rows.push(row(5, { waId: 'wa1', content: 'texto 1' }))
    run.shown.messages.push(reportedOf(row(5, {})))
    run.transcripts[0]!.notes.push(pushed(row(5, {})))
  })
  expect(kindsOf(faults)).toEqual(['doubled'])
})

test('A message that nobody wrote and a reply that nobody sent are unexpected', () => {
  expect(kindsOf(faultsAfter((run) => run.oracle.written.pop()))).toEqual(['unexpected'])
  expect(kindsOf(faultsAfter((run) => run.acknowledged.delete('resposta-2')))).toEqual(['unexpected'])
})

test('A refused reply is unexpected', () => {
  expect(kindsOf(faultsAfter((run) => run.refused.push('409 «texto 5»')))).toEqual(['unexpected'])
})

test('A state behind the last receipt of the gateway is stale', () => {
  expect(kindsOf(faultsAfter((run) => (run.rows[1]!.deliveryStatus = 'delivered')))).toEqual(['stale'])
})

test('A reply that failed visibly is no fault, one that went nowhere in silence is', () => {
  const end = (deliveryStatus: string) => {
    const run = good()
    run.oracle.received.pop()
    Object.assign(run.rows[3]!, { deliveryStatus, waId: null })
    return checkEvidence(run)
  }
  expect(end('failed')).toMatchObject({ faults: [], visible: ['failed, visibly: «texto 4»'] })
  expect(end('unknown').visible).toHaveLength(1)
  expect(kindsOf(end('sending').faults)).toEqual(['stuck'])
  expect(kindsOf(end('sent').faults)).toEqual(['lost'])
})

test('Work that remains is stuck', () => {
  const remaining = [{ table: 'webhook_inbox' as const, what: 'messages.upsert' }]
  expect(kindsOf(faultsAfter((run) => (run.remaining = remaining)))).toEqual(['stuck'])
})

test('A phone that got replies in another order than the conversation shows is out of order', () => {
  const swapped = faultsAfter((run) => {
    run.oracle.received[0]!.seq = 9
  })
  expect(kindsOf(swapped)).toEqual(['out of order'])
})

test('A socket that never received a message has lost it, one that knows an old version is stale', () => {
  const unreported = faultsAfter((run) => run.transcripts[0]!.notes.splice(2, 1))
  expect(unreported).toEqual([{ kind: 'lost', what: 'ana never received: message 3' }])
  const old = faultsAfter((run) => {
    run.rows[2]!.version = 2
    run.shown.messages[2]!.version = 2
  })
  expect(old).toEqual([{ kind: 'stale', what: 'ana: message 3 at version 1, stored 2' }])
})

test('A socket that fetched again knows what was not pushed', () => {
  const faults = faultsAfter((run) => {
    const notes = run.transcripts[0]!.notes
    notes.splice(1, 2, { kind: 'frame', type: 'resync' }, { kind: 'fetched', ...run.shown })
  })
  expect(faults).toEqual([])
})

test('A fetch that shows an older conversation than the database is stale', () => {
  const faults = faultsAfter((run) => (run.shown.conversations = [{ id: 1, version: 4 }]))
  expect(faults).toEqual([{ kind: 'stale', what: 'GET: conversation 1 at version 4, stored 5' }])
})

test('A socket that shows what does not exist shows something unexpected', () => {
  const faults = faultsAfter((run) => run.transcripts[0]!.notes.push(pushed(row(9, {}))))
  expect(kindsOf(faults)).toEqual(['unexpected'])
})

test('New messages pushed in another order are a fault, unless replayed, repeated or backdated', () => {
  const order = (...notes: Note[]) => faultsAfter((run) => (run.transcripts[0]!.notes = notes))
  const [one, two, three, four] = good().rows as [StoredRow, StoredRow, StoredRow, StoredRow]
  expect(kindsOf(order(pushed(one), pushed(three), pushed(two), pushed(four)))).toEqual(['out of order'])
  expect(order(pushed(one), pushed(three), pushed(two, false), pushed(four))).toEqual([])
  expect(order(pushed(one), pushed(two), pushed(one), pushed(three), pushed(four))).toEqual([])
  const late = { ...two, createdAt: instant(200) }
  expect(order(pushed(one), pushed(three), pushed(late), pushed(four))).toEqual([])
})
