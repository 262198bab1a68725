import { expect, test } from 'vitest'
import { forAllTests, testDatabase } from '#server/testing/test-app.ts'
import { scanForPerson } from './scan.ts'
import type { ByteSource } from './search-bytes.ts'

const t = forAllTests(testDatabase)

const file = (name: string, ...pieces: Buffer[]): ByteSource => ({
  name,
  read: () =>
    Promise.resolve(
      (async function* () {
        for (const piece of pieces) yield await Promise.resolve(piece)
      })(),
    ),
})
async function* given(files: ByteSource[]) {
  for (const one of files) yield await Promise.resolve(one)
}
async function scan(phone: string, also: string[] = [], files: ByteSource[] = []): Promise<string[]> {
  const found: string[] = []
  await scanForPerson(
    t.database,
    { phone, also },
    given(files),
    ({ place, count }) => void found.push(`${place} ${count}`),
  )
  return found
}

test('looks through every column of every table, also of tables that the product does not know', async () => {
  await t.sql`create schema other`
  await t.sql`create table other.strange (id int, "Um Texto" varchar(80), doc json, raw bytea)`
  await t.sql`
    insert into other.strange values (1, 'fone (11) 98765-4321', '{"a": ["551187654321@s.whatsapp.net"]}',
                                      convert_to('11 98765 4321', 'UTF8')), (2, 'nada', '{}', null)`
  await t.sql`insert into contacts (name, tags) values ('João da Feira', '{"5511987654321"}')`
  expect(await scan('5511987654321')).toEqual([
    'other.strange.Um Texto 1',
    'other.strange.doc 1',
    'other.strange.raw 1',
    'contacts.tags 1',
    'contacts.tags_folded 1',
  ])
  expect(await scan('11 98765-4321')).toHaveLength(5)
  expect(await scan('5511987654320')).toEqual([])
  expect(await scan('5511987654320', ['joao da feira'])).toEqual([
    'contacts.name 1',
    'contacts.name_folded 1',
  ])
})

test('a further text may have any sign, also within JSON', async () => {
  const text = 'diz "oi" 100%_\\'
  await t.sql`
    insert into notices (kind, subject, fact) values ('x', '', ${JSON.stringify({ said: text })}::jsonb)`
  expect(await scan('5511987654320', [text])).toEqual(['notices.fact 1'])
})

test('looks into files and their names, also where two pieces meet', async () => {
  const [start, end] = [Buffer.from('x'.repeat(1000) + '(11) 98'), Buffer.from('765-4321 y')]
  expect(
    await scan(
      '5511900001111',
      ['açúcar'],
      [
        file('a', Buffer.from('nada')),
        file('pasta/5511900001111.log'),
        file('b', Buffer.from('muito AÇÚCAR'.toLowerCase())),
      ],
    ),
  ).toEqual(['pasta/5511900001111.log 1', 'b 1'])
  expect(await scan('5511987654399', [], [file('c', start, end)])).toEqual([])
  await t.sql`drop schema other cascade`
  await t.sql`delete from contacts`
  expect(await scan('5511987654321', [], [file('c', start, end)])).toEqual(['c 1'])
})
