import { type SQL, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, type Db, inTransaction, rows } from '#server/platform/database/db.ts'
import { type MovableClock, movableClock } from '#server/testing/movable-clock.ts'
import { testDatabase, type TestDatabase } from '#server/testing/test-app.ts'
import {
  type Break,
  type ChainHead,
  eraseFromAudit,
  record,
  recordRepeated,
  sealRows,
  verifyChain,
  walkChain,
} from './audit.ts'

let t: TestDatabase
let clock: MovableClock
beforeAll(async () => {
  t = await testDatabase()
  clock = await movableClock(t.database)
})
afterAll(() => t.close())

const source = { address: '203.0.113.7', device: 'Prova/1.0' }
const marina = { id: 1, name: 'Marina', role: 'admin', sessionId: 7, source } as const

const block = (db: Db, userId: number) =>
  record(db, marina, { action: 'user.block', resourceId: userId, details: { freed: userId } })

async function sealAll(database: Database = t.database): Promise<number> {
  let sealed = 0
  for (let some = await sealRows(database); some > 0; some = await sealRows(database)) sealed += some
  return sealed
}

const faultsOf = (breaks: Break[]) => breaks.map(({ position, kind }) => `${position} ${kind}`)

async function verify(noted?: ChainHead) {
  const breaks: Break[] = []
  const { head, ...found } = await verifyChain(t.database, (one) => void breaks.push(one), noted)
  return { ...found, head: head ?? { position: -1, hash: '' }, faults: faultsOf(breaks) }
}

class Undone extends Error {}

/** What the verifier says after somebody has changed the tables by hand, which is undone afterwards. */
async function faultsAfter(...tampering: SQL[]): Promise<string[]> {
  const breaks: Break[] = []
  await inTransaction(t.database, async (db) => {
    await db.execute(sql`alter table audit_logs disable trigger user`)
    for (const change of tampering) await db.execute(change)
    await walkChain(db, (one) => void breaks.push(one))
    throw new Undone()
  }).catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error
  })
  return faultsOf(breaks)
}

describe('the sealer', () => {
  test('gives rows their places in the order in which they are committed', async () => {
    const late = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<number>()
    const slow = inTransaction(t.database, async (db) => {
      begun.resolve(await block(db, 1))
      await late.promise
    })
    const first = await begun.promise
    const second = await block(t.database, 2)
    expect(second).toBeGreaterThan(first)
    expect(await sealAll()).toBe(1)
    late.resolve()
    await slow
    expect(await sealAll()).toBe(1)
    const places = await rows(
      t.database,
      sql`select id, position from audit_logs where id in (${first}, ${second}) order by position`,
    )
    expect(places.map(({ id }) => id)).toEqual([second, first])
    expect(await verify()).toMatchObject({ unsealed: 0, faults: [] })
  })

  test('makes one chain of what two instances write and seal at once', async () => {
    const other = t.openAgain()
    let isWriting = true
    const sealers = [t.database, other].map(async (database) => {
      let sealed = 0
      while (isWriting) sealed += await sealRows(database)
      return sealed
    })
    const before = await verify()
    await Promise.all(
      [t.database, other].flatMap((database) =>
        Array.from({ length: 4 }, async (_, writer) => {
          for (let n = 0; n < 40; n++) await block(database, writer * 100 + n)
        }),
      ),
    )
    isWriting = false
    const [one = 0, two = 0] = await Promise.all(sealers)
    const rest = await sealAll()
    expect(one + two + rest).toBe(320)
    expect(await verify()).toMatchObject({ sealed: before.sealed + 320, unsealed: 0, faults: [] })
  })

  test('counts repetitions in one row, and seals it when its minute is over', async () => {
    const deny = () =>
      recordRepeated(
        t.database,
        marina,
        { action: 'access.denied', details: { call: 'GET /api/users', reason: 'auth.forbidden' } },
        'GET /api/users',
      )
    await Promise.all(Array.from({ length: 30 }, deny))
    await deny()
    expect(await sealAll()).toBe(0)
    const counted = () =>
      rows(
        t.database,
        sql`select repeats, position is not null as "isSealed" from audit_logs
             where action = 'access.denied' order by id`,
      )
    expect(await counted()).toEqual([{ repeats: 31, isSealed: false }])
    await clock.forward(61_000)
    expect(await sealAll()).toBe(1)
    await deny()
    expect(await counted()).toEqual([
      { repeats: 31, isSealed: true },
      { repeats: 1, isSealed: false },
    ])
    expect(await verify()).toMatchObject({ unsealed: 1, faults: [] })
  })

  test('leaves a row alone whose repetition is being counted', async () => {
    await clock.forward(61_000)
    await inTransaction(t.database, async (db) => {
      await db.execute(sql`update audit_logs set repeats = repeats + 1 where repeat_key is not null`)
      expect(await sealAll()).toBe(0)
    })
    expect(await sealAll()).toBe(1)
    expect(await verify()).toMatchObject({ unsealed: 0, faults: [] })
  })

  test('goes no further when the head is gone', async () => {
    await block(t.database, 1)
    const { head } = await verify()
    await t.database.execute(sql`delete from audit_head`)
    await expect(sealRows(t.database)).rejects.toThrow('head')
    await t.database.execute(
      sql`insert into audit_head (position, hash) values (${head.position}, ${head.hash})`,
    )
    expect(await sealAll()).toBe(1)
  })
})

describe('a row', () => {
  test('is neither changed nor deleted, sealed or not', async () => {
    await block(t.database, 1)
    for (const attempt of [
      sql`update audit_logs set details = '{}' where position = 1`,
      sql`update audit_logs set user_id = 2 where position is null`,
      sql`update audit_logs set position = null, hash = null where position = 1`,
      sql`delete from audit_logs where position = 1`,
      sql`delete from audit_logs where position is null`,
      sql`truncate audit_logs cascade`,
    ])
      await expect(t.database.execute(attempt)).rejects.toMatchObject({
        cause: { message: 'audit_logs: rows are only added' },
      })
    await sealAll()
  })

  test('has the values of persons apart', async () => {
    const id = await record(
      t.database,
      { source },
      {
        action: 'auth.login_failed',
        outcome: 'refused',
        details: { reason: 'auth.invalid_credentials' },
        personal: { typed: 'ana' },
      },
    )
    const [row] = await rows(
      t.database,
      sql`select l.user_id as "userId", l.origin, l.details, p.values
            from audit_logs l join audit_personal p on p.log_id = l.id where l.id = ${id}`,
    )
    expect(row).toEqual({
      userId: null,
      origin: 'request',
      details: { reason: 'auth.invalid_credentials' },
      values: { typed: 'ana', address: '203.0.113.7', device: 'Prova/1.0' },
    })
    await sealAll()
  })
})

describe('the verifier finds', () => {
  const at = (position: number) => sql`position = ${position}`

  test.each([
    ['another person', sql`user_id = 99`],
    ['another role', sql`role = 'operator'`],
    ['another session', sql`session_id = 8`],
    ['another origin', sql`origin = 'system'`],
    ['another action', sql`action = 'user.unblock'`],
    ['another object', sql`resource_id = '77'`],
    ['another kind of object', sql`resource_type = 'contact'`],
    ['another outcome', sql`outcome = 'refused'`],
    ['other repetitions', sql`repeats = 2`],
    ['other details', sql`details = '{"freed": 3}'`],
    ['a number that is written in another way', sql`details = '{"freed": 12.0}'`],
    ['a microsecond', sql`created_at = created_at + interval '1 microsecond'`],
    ['a later year', sql`created_at = created_at + interval '1 year'`],
    ['other personal values as if they had been recorded', sql`personal_hash = repeat('a', 64)`],
    ['no personal values as if none had been recorded', sql`personal_hash = null`],
  ])('%s', async (_what, change) => {
    const faults = await faultsAfter(sql`update audit_logs set ${change} where ${at(12)}`)
    expect(faults[0]).toMatch(/^12 /)
  })

  test('another hash, at the row and the one after it', async () => {
    const other = sql`update audit_logs set hash = repeat('b', 64) where ${at(12)}`
    expect(await faultsAfter(other)).toEqual(['12 changed', '13 changed'])
  })

  test('deleted rows', async () => {
    const gone = (which: SQL) => [
      sql`delete from audit_personal where log_id in (select id from audit_logs where ${which})`,
      sql`delete from audit_logs where ${which}`,
    ]
    expect(await faultsAfter(...gone(at(12)))).toEqual(['12 missing'])
    expect(await faultsAfter(...gone(sql`position <= 3`))).toEqual(['1 missing'])
    const { head } = await verify()
    expect(await faultsAfter(...gone(sql`position > ${head.position - 2}`))).toEqual([
      `${head.position - 1} missing`,
    ])
    expect(await faultsAfter(...gone(sql`true`))).toEqual(['1 missing'])
  })

  test('an end that was cut together with the kept one, by a noted one alone', async () => {
    const { head } = await verify()
    const [before] = await rows<ChainHead & Record<string, unknown>>(
      t.database,
      sql`select position, hash from audit_logs where position = ${head.position - 1}`,
    )
    const breaks: Break[] = []
    await inTransaction(t.database, async (db) => {
      await db.execute(sql`alter table audit_logs disable trigger user`)
      const last = sql`position = ${head.position}`
      await db.execute(
        sql`delete from audit_personal where log_id in (select id from audit_logs where ${last})`,
      )
      await db.execute(sql`delete from audit_logs where ${last}`)
      await db.execute(sql`update audit_head set position = ${before?.position}, hash = ${before?.hash}`)
      await walkChain(db, (one) => void breaks.push(one))
      expect(breaks).toEqual([])
      await walkChain(db, (one) => void breaks.push(one), head)
      throw new Undone()
    }).catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error
    })
    expect(faultsOf(breaks)).toEqual([`${head.position} missing`])
    expect(await verify(head)).toMatchObject({ faults: [] })
    expect((await verify({ position: 5, hash: 'a'.repeat(64) })).faults).toEqual(['5 noted'])
  })

  test('rows that changed places', async () => {
    const swap = [
      sql`update audit_logs set position = -1 where ${at(12)}`,
      sql`update audit_logs set position = 12 where ${at(20)}`,
      sql`update audit_logs set position = 20 where position = -1`,
    ]
    expect((await faultsAfter(...swap)).slice(0, 1)).toEqual(['12 changed'])
  })

  test('a row in the place of another, beyond the end and before the beginning', async () => {
    const { head } = await verify()
    const insert = (position: number) =>
      sql`insert into audit_logs (action, resource_type, position, hash)
            values ('auth.logout', 'user', ${position}, repeat('c', 64))`
    expect(await faultsAfter(insert(head.position + 1))).toEqual([
      `${head.position + 1} changed`,
      `${head.position + 1} beyond`,
    ])
    expect((await faultsAfter(insert(-5)))[0]).toBe('-5 changed')
    expect(await faultsAfter(sql`drop index audit_logs_position`, insert(12))).toContain('12 doubled')
  })

  test('a head that was changed or is gone', async () => {
    const { head } = await verify()
    const last = head.position
    expect(await faultsAfter(sql`update audit_head set hash = repeat('d', 64)`)).toEqual([`${last} head`])
    expect(await faultsAfter(sql`update audit_head set position = position + 1`)).toEqual([
      `${last + 1} missing`,
    ])
    expect(await faultsAfter(sql`update audit_head set position = position - 1`)).toEqual([`${last} beyond`])
    expect(await faultsAfter(sql`delete from audit_head`)).toEqual([`${last} head`])
  })

  test('personal values that were changed, added or taken away', async () => {
    const of = (position: number) => sql`(select id from audit_logs where position = ${position})`
    const erasure = sql`(select min(id) from audit_logs)`
    const set = (change: SQL) => sql`update audit_personal set ${change} where log_id = ${of(12)}`
    expect(await faultsAfter(set(sql`values = values || '{"actor": "Outra"}'`))).toEqual([
      '12 personal changed',
    ])
    expect(await faultsAfter(set(sql`salt = repeat('0', 32)`))).toEqual(['12 personal changed'])
    expect(await faultsAfter(sql`delete from audit_personal where log_id = ${of(12)}`)).toEqual([
      '12 personal missing',
    ])
    // As if they had been erased.
    expect(await faultsAfter(set(sql`values = null, salt = null, erased_by = ${erasure}`))).toEqual([
      '12 personal missing',
    ])
    await record(t.database, 'system', { action: 'contact.merge', resourceId: 3, details: { mergedId: 2 } })
    await sealAll()
    const { head } = await verify()
    const added = sql`insert into audit_personal (log_id, salt, values)
      values (${of(head.position)}, repeat('0', 32), '{}')`
    expect(await faultsAfter(added)).toEqual([`${head.position} personal added`])
  })
})

test('erased personal values leave the chain whole, and are counted', async () => {
  const contact = {
    action: 'contact.create',
    resourceId: 4711,
    personal: { name: 'Rita', phone: '5511' },
  } as const
  await record(t.database, marina, contact)
  await record(t.database, marina, {
    action: 'contact.change',
    resourceId: 4711,
    details: { fields: ['name'], changes: {} },
    personal: { changes: { name: ['Rita', 'Rita Lee'] } },
  })
  await record(t.database, marina, { ...contact, resourceId: 4712 })
  await sealAll()
  const before = await verify()
  const erase = () =>
    inTransaction(t.database, (db) =>
      eraseFromAudit(db, marina, { resourceType: 'contact', resourceId: 4711 }),
    )
  expect(await erase()).toBe(2)
  expect(await erase()).toBe(0)
  await sealAll()
  expect(await verify()).toMatchObject({ sealed: before.sealed + 1, erased: 2, faults: [] })
  const left = JSON.stringify(
    await rows(
      t.database,
      sql`select l.*, p.* from audit_logs l left join audit_personal p on p.log_id = l.id
                                where l.resource_id = '4711'`,
    ),
  )
  expect(left).not.toContain('Rita')
})
