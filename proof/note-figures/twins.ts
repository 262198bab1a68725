import { sql } from 'drizzle-orm'
import { handleGatewayEvent } from '#server/conversations/conversations.ts'
import { closeSilent } from '#server/conversations/automatic/inactivity.ts'
import { queueUndecided } from '#server/conversations/automatic/choice-expiry.ts'
import { distribute, sendPositions } from '#server/conversations/automatic/queue-turns.ts'
import type { GatewayEvent } from '#server/gateway/gateway.ts'
import { type Database, inTransaction, rows } from '#server/platform/database/db.ts'
import { computeFacts } from '#server/reports/reports.ts'
import { saveSettings } from '#server/settings/settings.ts'
import { createRandom, type Random } from '#simulator/random.ts'
import { flagNames } from '../access/law/table.ts'
import type { Form } from '../notes/office.ts'
import { makeAccounts, openSessions } from '../access/world/people.ts'
import { nothingByItself, startTwoInstances, type TwoInstances } from '../support/two-instances.ts'

/** Somebody of the team. */
export interface Colleague {
  id: number
  token: string
}

/** One of two installations in which the same happens; its clock stands still unless it is moved. */
export interface Twin {
  at: TwoInstances
  /** Of the instance that is asked, so that what is written by it is known to its lists at once. */
  database: Database
  random: Random
  /** Makes texts unique, alike in both. */
  count: number
  team: Colleague[]
  /** In milliseconds since 1970. */
  nowMs: number
  call(
    who: Colleague,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; text: string }>
  upload(who: Colleague, form: Form): Promise<{ status: number }>
  happens(event: GatewayEvent): Promise<void>
  /** Moves the clock. */
  pass(ms: number): Promise<void>
  /** What the product does by itself from time to time, now. */
  work(): Promise<void>
}

/** A Thursday afternoon in São Paulo. */
export const beginsAtMs = Date.UTC(2026, 2, 5, 17, 0, 0)

const settings = {
  workingHours: { start: '08:00', end: '18:00', days: [1, 2, 3, 4, 5] },
  lunchBreak: { enabled: true, start: '12:00', end: '13:00' },
  queueMessage: 'Fila {{position}}',
  queuePositionUpdateMessage: 'Agora {{position}}',
  finalizationMessage: 'Fim',
  inactivityMessage: 'Sem resposta',
  inactivityWarningMessage: 'Ainda está aí?',
  inactivityWarningMinutes: 5,
  autoReplyMessage: 'Voltamos amanhã',
  isAutoReplyEnabled: true,
  ratingsEnabled: true,
  ratingMessage: 'De 1 a 5?',
  thanksStayClosed: true,
  readReceiptsEnabled: false,
  undoSendSeconds: 0 as const,
}

export async function startTwin(defer: (close: () => unknown) => void): Promise<Twin> {
  const at = await startTwoInstances(nothingByItself)
  defer(at.close)
  const [database] = at.databases
  await database.execute(sql`create table proof_clock (now timestamptz not null)`)
  await database.execute(sql`insert into proof_clock values (now())`)
  // What is to be sent stays in the outbox: the proof decides what becomes of it.
  await database.execute(
    sql`create function proof_hold() returns trigger language plpgsql as
        $$ begin new.not_before := 'infinity'; return new; end $$`,
  )
  await database.execute(
    sql`create trigger proof_hold before insert or update on outbox for each row
        execute function proof_hold()`,
  )
  const record = Object.fromEntries(flagNames.map((flag) => [flag, true]))
  const ids = await makeAccounts(database, [
    { username: 'ana', role: 'operator', record },
    { username: 'bia', role: 'operator', record },
    { username: 'rita', role: 'supervisor', record },
    { username: 'chefe', role: 'admin' },
  ])
  const tokens = await openSessions(database, ids)
  const [app] = at.pools
  if (!app) throw new Error('no instance was started')
  const twin: Twin = {
    at,
    database,
    random: createRandom(1),
    count: 0,
    team: ids.map((id, n) => ({ id, token: tokens[n] ?? '' })),
    nowMs: beginsAtMs,
    async call({ token }, method, path, body) {
      const answer = await app.request({
        method,
        path,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return { status: answer.statusCode, text: await answer.body.text() }
    },
    async upload({ token }, { type, bytes }) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': type }
      const answer = await app.request({ method: 'POST', path: '/api/media/upload', headers, body: bytes })
      await answer.body.dump()
      return { status: answer.statusCode }
    },
    happens: (event) =>
      inTransaction(database, async (db) => {
        await handleGatewayEvent(db, at.instanceId, event)
      }),
    async pass(ms) {
      twin.nowMs += ms
      const now = new Date(twin.nowMs).toISOString()
      await database.execute(sql`update proof_clock set now = ${now}::timestamptz`)
      // Nobody is signed out, and everybody is there.
      await database.execute(
        sql`update sessions set created_at = app_now(), last_seen_at = app_now(), confirmed_at = app_now()`,
      )
    },
    async work() {
      await closeSilent(database, false)
      await queueUndecided(database)
      await distribute(database)
      await sendPositions(database)
      await computeFacts(database)
    },
  }
  await saveSettings(database, settings)
  await database.execute(
    sql`create or replace function app_now() returns timestamptz language sql stable parallel safe as
        $$ select now from public.proof_clock $$`,
  )
  await twin.pass(0)
  return twin
}

/** Removes all clients and what they said, and sets the clock. */
export async function restart(twin: Twin, random: Random): Promise<void> {
  const { database } = twin
  twin.random = random
  twin.count = 0
  twin.nowMs = beginsAtMs
  const ids = await rows<{ id: number }>(database, sql`select id from conversations`)
  await inTransaction(database, async (db) => {
    await db.execute(
      sql`truncate contacts, contact_identities, contact_merges, conversations, messages, outbox,
                   pending_updates restart identity cascade`,
    )
    for (const { id } of ids) db.emit({ type: 'conversation_updated', conversationId: id })
  })
  await saveSettings(database, settings)
  await twin.pass(0)
}

/** Uses up the id that the next message would get, as a note does at the other twin. */
export async function skipMessageId({ database }: Twin): Promise<void> {
  await rows(database, sql`select nextval(pg_get_serial_sequence('messages', 'id'))`)
}
