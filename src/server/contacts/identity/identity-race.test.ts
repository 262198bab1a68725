import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { type Db, inTransaction } from '#server/platform/database/db.ts'
import { inTurn } from '#server/testing/database/in-turn.ts'
import { forAllTests, testDatabase } from '#server/testing/test-app.ts'
import { contactOf, type Identity, nameByBook } from './identity.ts'

// Contacts who are found at the moment at which somebody changes them.

const t = forAllTests(() => testDatabase())

const find = (identity: Identity) => inTransaction(t.database, (db) => contactOf(db, identity))

let people = 0

/** Finds a contact by what the gateway tells, after a change that began before. */
async function afterChange<T>(
  change: (id: number) => Promise<unknown>,
  act: (db: Db, of: Identity) => Promise<T>,
) {
  const phone = `5511983${String(++people).padStart(6, '0')}`
  const identity = { phone, lid: undefined, jid: `${phone}@s.whatsapp.net`, name: undefined }
  const { id } = await find(identity)
  const [, acted] = await inTurn(
    t.database,
    sql`select from contacts where id = ${id} for update`,
    () => change(id),
    () => inTransaction(t.database, (db) => act(db, identity)),
  )
  if (acted.status === 'rejected') throw acted.reason
  const [row] = await t.sql`select name, has_gateway_name as "isByGateway" from contacts where id = ${id}`
  return { id, identity, row, acted: acted.value }
}

const block = (id: number) => t.sql`update contacts set is_blocked = true where id = ${id}`
const typeName = (id: number) =>
  t.sql`update contacts set name = 'Dona Rita', has_gateway_name = false where id = ${id}`
const typed = { name: 'Dona Rita', isByGateway: false }

test('a contact who is blocked while their message comes is blocked', async () => {
  const { id, acted } = await afterChange(block, contactOf)
  expect(acted).toMatchObject({ id, isBlocked: true })
})

test('a name that is typed while a message brings one stays', async () => {
  const { row } = await afterChange(typeName, (db, of) => contactOf(db, { ...of, name: 'rita ✨' }))
  expect(row).toEqual(typed)
})

test('a name that is typed while the address book brings one stays', async () => {
  const { row, acted } = await afterChange(typeName, (db, of) => nameByBook(db, { ...of, name: 'rita ✨' }))
  expect(row).toEqual(typed)
  expect(acted).toBeUndefined()
})

test('a contact whose address goes to another while their message comes is that other', async () => {
  const other = await find({ phone: undefined, lid: '99', jid: '99@lid', name: undefined })
  const { acted } = await afterChange(
    (id) =>
      inTransaction(t.database, async (db) => {
        await db.execute(sql`select from contacts where id = ${id} for update`)
        await db.execute(sql`update contact_identities set contact_id = ${other.id} where contact_id = ${id}`)
      }),
    contactOf,
  )
  expect(acted.id).toBe(other.id)
})
