import { type SQL, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Db, inTransaction, rows } from '#server/platform/database/db.ts'
import { forAllTests, testDatabase } from '#server/testing/test-app.ts'
import { type Break, type ChainHead, eraseFromAudit, record, verifyChain, walkChain } from './audit.ts'
import { chainStart, contentOf, hashOf } from './chain.ts'
import { block, faultsOf, marina, sealAll } from './test-rows.ts'

const t = forAllTests(testDatabase)

beforeAll(async () => {
  for (let n = 0; n < 40; n++) await block(t.database, n)
  await sealAll(t.database)
})

async function verify(noted?: ChainHead) {
  const breaks: Break[] = []
  const { head, ...found } = await verifyChain(t.database, (one) => void breaks.push(one), noted)
  return { ...found, head: head ?? { position: -1, hash: '' }, faults: faultsOf(breaks) }
}

class Undone extends Error {}

/** What the verifier says after somebody has changed the tables by hand, which is undone afterwards. */
async function faultsAfter(...tampering: (SQL | ((db: Db) => Promise<unknown>))[]): Promise<string[]> {
  const breaks: Break[] = []
  await inTransaction(t.database, async (db) => {
    await db.execute(sql`alter table audit_logs disable trigger user`)
    for (const change of tampering) await (typeof change === 'function' ? change(db) : db.execute(change))
    await walkChain(db, (one) => void breaks.push(one))
    throw new Undone()
  }).catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error
  })
  return faultsOf(breaks)
}

/** Whoever owns the tables can take away what protects them. */
const withoutProtection = [
  sql`do $$
    declare one record;
    begin
      for one in select conrelid::regclass as place, conname from pg_constraint
                  where conrelid in ('audit_logs'::regclass, 'audit_personal'::regclass)
                    and contype in ('c', 'f')
      loop execute format('alter table %s drop constraint %I', one.place, one.conname); end loop;
    end $$`,
  sql`alter table audit_logs alter column id drop identity`,
  sql`drop index audit_logs_position`,
]

/** Computes the hashes of these places anew, as the sealer would. */
const rehash = (from: number, to: number) => async (db: Db) => {
  const [before] = await rows<{ hash: string }>(
    db,
    sql`select coalesce((select hash from audit_logs where position = ${from - 1}), ${chainStart}) as hash`,
  )
  let hash = before?.hash ?? ''
  const found = await rows<{ position: number; content: string }>(
    db,
    sql`select l.position, ${contentOf} as content from audit_logs l
         where l.position between ${from} and ${to} order by l.position`,
  )
  for (const { position, content } of found) {
    hash = hashOf(hash, position, content)
    await db.execute(sql`update audit_logs set hash = ${hash} where position = ${position}`)
  }
}

describe('the verifier finds', () => {
  const at = (position: number) => sql`position = ${position}`
  const gone = (which: SQL) => [
    sql`delete from audit_personal where log_id in (select id from audit_logs where ${which})`,
    sql`delete from audit_logs where ${which}`,
  ]

  test('another value of any column of the log, at its row', async () => {
    const columns = await t.sql<{ table: string; name: string; type: string }>`
      select table_name as table, column_name as name, data_type as type from information_schema.columns
           where table_schema = 'public' and table_name in ('audit_logs', 'audit_personal')`
    expect(columns.length).toBeGreaterThan(15)
    for (const { table, name, type } of columns) {
      const column = sql.identifier(name)
      const other: Record<string, SQL> = {
        integer: sql`coalesce(${column}, 0) + 1000000`,
        jsonb: sql`coalesce(${column}, '{}') || '{"tampered": 1}'`,
        'timestamp with time zone': sql`${column} + interval '1 microsecond'`,
      }
      const value = other[type] ?? sql`coalesce(${column}, '') || 'x'`
      const which =
        table === 'audit_logs' ? at(12) : sql`log_id = (select id from audit_logs where ${at(12)})`
      const change = sql`update ${sql.identifier(table)} set ${column} = ${value} where ${which}`
      const faults = await faultsAfter(...withoutProtection, change)
      expect(faults, `${table}.${name}`).toContainEqual(expect.stringMatching(/^12 /))
    }
  })

  test.each<[string, string, (SQL | ((db: Db) => Promise<unknown>))[]]>([
    [
      'a row that was taken out and the gap closed',
      '12 changed',
      [...gone(at(12)), sql`update audit_logs set position = position - 1 where position > 12`],
    ],
    [
      'a copy that was put in between',
      '12 changed',
      [
        sql`update audit_logs set position = position + 1 where position >= 12`,
        sql`insert into audit_logs (id, user_id, role, session_id, origin, action, resource_type, resource_id,
                                  outcome, repeats, details, created_at, position, hash)
          select (select max(id) + 1 from audit_logs), user_id, role, session_id, origin, action,
                 resource_type, resource_id, outcome, repeats, details, created_at, 12, hash
            from audit_logs where position = 5`,
      ],
    ],
    [
      'two rows whose details were swapped',
      '12 changed',
      [
        sql`update audit_logs l set details = o.details from audit_logs o
           where (l.position, o.position) in ((12, 20), (20, 12))`,
      ],
    ],
    [
      'two rows that changed places and left their hashes there',
      '12 changed',
      [
        sql`update audit_logs l set position = o.position, hash = o.hash from audit_logs o
           where (l.position, o.position) in ((12, 20), (20, 12))`,
      ],
    ],
    [
      'a row whose hash was computed anew, by the next one',
      '13 changed',
      [sql`update audit_logs set user_id = 4711 where position = 12`, rehash(12, 12)],
    ],
    [
      'rows whose hashes were all computed anew, by the head',
      '40 head',
      [sql`update audit_logs set user_id = 4711 where position = 12`, rehash(12, 40)],
    ],
    [
      'an end that was cut with a head that does not fit',
      '38 head',
      [...gone(sql`position > 38`), sql`update audit_head set position = 38`],
    ],
  ])('the verifier of the audit finds %s', async (_what, fault, tampering) => {
    expect(await faultsAfter(...withoutProtection, ...tampering)).toContain(fault)
  })

  test.each([
    ['a number that is written in another way', sql`details = '{"freed": 12.0}'`],
    ['a later year', sql`created_at = created_at + interval '1 year'`],
    ['no personal values as if none had been recorded', sql`personal_hash = null`],
  ])('the verifier of the audit finds a row with %s', async (_what, change) => {
    const faults = await faultsAfter(sql`update audit_logs set ${change} where ${at(12)}`)
    expect(faults[0]).toMatch(/^12 /)
  })

  test('another hash, at the row and the one after it', async () => {
    const other = sql`update audit_logs set hash = repeat('b', 64) where ${at(12)}`
    expect(await faultsAfter(other)).toEqual(['12 changed', '13 changed'])
  })

  test('the verifier of the audit finds deleted rows', async () => {
    expect(await faultsAfter(...gone(at(12)))).toEqual(['12 missing'])
    const unsealed = sql`update audit_logs set position = null, hash = null where ${at(12)}`
    expect(await faultsAfter(...withoutProtection, unsealed)).toContain('12 missing')
    expect(await faultsAfter(...gone(sql`position <= 3`))).toEqual(['1 missing'])
    const { head } = await verify()
    expect(await faultsAfter(...gone(sql`position > ${head.position - 2}`))).toEqual([
      `${head.position - 1} missing`,
    ])
    expect(await faultsAfter(...gone(sql`true`))).toEqual(['1 missing'])
  })

  test('an end that was cut together with the kept one, by a noted one alone', async () => {
    const { head } = await verify()
    const [before] = await t.sql<
      ChainHead & Record<string, unknown>
    >`select position, hash from audit_logs where position = ${head.position - 1}`
    const cut = [
      ...gone(at(head.position)),
      sql`update audit_head set position = ${before?.position}, hash = ${before?.hash}`,
    ]
    expect(await faultsAfter(...cut)).toEqual([])
    const noted: Break[] = []
    const withNoted = (db: Db) => walkChain(db, (one) => void noted.push(one), head)
    await faultsAfter(...cut, withNoted)
    expect(faultsOf(noted)).toEqual([`${head.position} missing`])
    expect(await verify(head)).toMatchObject({ faults: [] })
    expect((await verify({ position: 5, hash: 'a'.repeat(64) })).faults).toEqual(['5 noted'])
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
    await sealAll(t.database)
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
  await sealAll(t.database)
  const before = await verify()
  const erase = () =>
    inTransaction(t.database, (db) =>
      eraseFromAudit(db, marina, { resourceType: 'contact', resourceId: 4711 }),
    )
  expect(await erase()).toBe(2)
  expect(await erase()).toBe(0)
  await sealAll(t.database)
  expect(await verify()).toMatchObject({ sealed: before.sealed + 1, erased: 2, faults: [] })
  // An erased row has no salt, by which a value could be guessed.
  const salted = sql`update audit_personal set salt = 'x' where erased_by is not null`
  expect(await faultsAfter(...withoutProtection, salted)).toHaveLength(2)
  const left = JSON.stringify(
    await t.sql`select l.*, p.* from audit_logs l left join audit_personal p on p.log_id = l.id
                                where l.resource_id = '4711'`,
  )
  expect(left).not.toContain('Rita')
})
