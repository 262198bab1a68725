import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { type Break, eraseFromAudit, verifyChain } from '#server/audit/audit.ts'
import { inTransaction, rows } from '#server/platform/database/db.ts'
import type { Random } from '#simulator/random.ts'
import { eachOf, type Person, type TwoInstances } from '../support/two-instances.ts'

/** What is done, by kind; each successful call leaves one row. */
const kinds: readonly ((who: Person, n: number) => [method: string, path: string, body?: unknown])[] = [
  (_who, n) => ['POST', '/api/companies', { name: `Empresa ${n}` }],
  (_who, n) => [
    'POST',
    '/api/contacts/by-phone',
    { phone: `55119${String(20_000_000 + n)}`, name: `Rita ${n}` },
  ],
  (_who, n) => ['PATCH', '/api/system-settings', { farewellMessage: `Até logo, ${n}` }],
  (_who, n) => ['PATCH', '/api/system-settings', { lgpdMessage: `Seus dados, ${n}` }],
  (who, n) => ['PUT', `/api/users/${who.id}`, { name: `${who.username} ${n}` }],
]

export interface Written {
  /** Number of calls that succeeded. */
  done: number
  /** How often whoever was sealing was cut off. */
  cut: number
  /** What the verifier found while rows were written. */
  breaks: Break[]
  verified: number
}

/** Many people act on two instances, both of which seal, while sealing is cut off again and again. */
export async function write(
  at: TwoInstances,
  people: readonly Person[],
  { rows: wanted, random }: { rows: number; random: Random },
): Promise<Written> {
  const written: Written = { done: 0, cut: 0, breaks: [], verified: 0 }
  let isWriting = true
  const disturbing = (async () => {
    while (isWriting) {
      const cut = await rows(
        at.database,
        sql`select pg_terminate_backend(pid) from pg_locks
             where locktype = 'advisory' and granted
               and (classid::bigint << 32) + objid::bigint = hashtextextended('audit', 0)`,
      )
      written.cut += cut.length
      await sleep(2)
    }
  })()
  const watching = (async () => {
    while (isWriting) {
      await verifyChain(at.database, (found) => void written.breaks.push(found))
      written.verified++
      await sleep(200)
    }
  })()
  const calls = Array.from({ length: wanted }, (_, n) => n)
  await eachOf(calls, 12, async (n) => {
    const who = people[Math.floor(random() * people.length)] as Person
    const kind = kinds[Math.floor(random() * kinds.length)] ?? kinds[0]
    if (!kind) return
    const { status } = await who.call(n % 2, ...kind(who, n))
    if (status < 300) written.done++
  })
  isWriting = false
  await Promise.all([disturbing, watching])
  return written
}

/** Erases the personal values of some contacts. @returns the number of erased rows */
export async function eraseSome(at: TwoInstances, count: number): Promise<number> {
  const contacts = await rows<{ id: number }>(
    at.database,
    sql`select id from contacts order by id limit ${count}`,
  )
  let erased = 0
  for (const { id: resourceId } of contacts)
    erased += await inTransaction(at.database, (db) =>
      eraseFromAudit(db, 'system', { resourceType: 'contact', resourceId }),
    )
  return erased
}

/** Waits until every row has its place. @returns false when some do not get theirs */
export async function untilSealed(at: TwoInstances): Promise<boolean> {
  for (let tries = 0; tries < 300; tries++) {
    const [left] = await rows<{ n: number }>(
      at.database,
      sql`select count(*)::int as n from audit_logs where position is null and repeat_key is null`,
    )
    if (left?.n === 0) return true
    await sleep(100)
  }
  return false
}
