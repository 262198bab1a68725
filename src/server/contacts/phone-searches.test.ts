import { beforeAll, describe, expect, test } from 'vitest'
import type { Contact } from '#shared/contacts/contacts.ts'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { onePersonEach } from '#shared/text/phones/test-spellings.ts'
import { listContactPage } from '#server/contacts/list.ts'
import { countCompanies } from '#server/companies/queries.ts'
import { searchArchive } from '#server/conversations/archive/search.ts'
import { indexAll } from '#server/conversations/conversations.ts'
import { forAllTests, testApp } from '#server/testing/test-app.ts'
import { someone } from '#server/testing/plain-who.ts'

const t = forAllTests(testApp)
const ana = forAllTests(() => t.signIn('operator', 'ana'))

const people = [...onePersonEach()].map(([country, all]) => ({
  country,
  phone: all[0]?.phone ?? '',
  spellings: all.map(({ written }) => written),
}))

const scope = {
  ownerId: undefined,
  who: someone,
  timezone: 'America/Sao_Paulo',
  asOf: new Date(Date.now() + 3_600_000),
}

beforeAll(async () => {
  for (const [n, { country, phone }] of people.entries()) {
    await t.sql`
      with person as (
        insert into contacts (name, phone) values (${`Pessoa de ${country}`}, ${phone}) returning id)
      insert into conversations
        (contact_id, instance_id, initiated_by, protocol, status, completed_at, started_at)
      select id, ${t.instanceId}::int, 'contact', ${`2020000000${1000 + n}`}, 'completed', now(),
             now() - interval '1 hour'
        from person
       union all
      select id, ${t.instanceId}::int, 'contact', ${`2020000000${2000 + n}`}, 'waiting', null, now()
        from person`
    await t.sql`insert into companies (name, phone) values (${`Empresa de ${country}`}, ${`+${phone}`})`
  }
  await t.sql`update conversations set version = version + 1`
  await indexAll(t.database)
})

describe.each(people)('the person of $country', ({ country, phone, spellings }) => {
  test('is found in the list of contacts by every spelling', async () => {
    const missed: string[] = []
    for (const search of spellings) {
      const { rows } = await listContactPage(
        t.database,
        { hidesPhones: false },
        { page: 1, limit: 10, search },
      )
      if (!rows.some((row) => row.phone === phone)) missed.push(search)
    }
    expect(missed).toEqual([])
  })

  test('is found in the archive by every spelling', async () => {
    const missed: string[] = []
    for (const search of spellings) {
      const { ids } = await searchArchive(t.database, scope, { search })
      if (ids.length !== 1) missed.push(search)
    }
    expect(missed).toEqual([])
  })

  test('is found among the open conversations by every spelling', async () => {
    const missed: string[] = []
    for (const search of spellings) {
      const query = new URLSearchParams({ page: '1', limit: '5', search }).toString()
      const { conversations } = await ana.get<{ conversations: Conversation[] }>(
        `/api/conversations?${query}`,
      )
      const found = conversations.map(({ contact }) => contact.phone)
      if (found.length !== 1 || found[0] !== phone) missed.push(search)
    }
    expect(missed).toEqual([])
  })

  test('has a company that is found by every spelling', async () => {
    const missed: string[] = []
    for (const search of spellings)
      if ((await countCompanies(t.database, { hidesPhones: false }, search, true)) !== 1) missed.push(search)
    expect([country, missed]).toEqual([country, []])
  })
})

test('the search of the API takes a number with invisible signs', async () => {
  const phone = people[0]?.phone ?? ''
  const [country, area, first, last] = /(..)(..)(.{5})(.*)/.exec(phone)?.slice(1) ?? []
  const written = `\u202a+${country} ${area} ${first}\u2011${last}\u202c`
  const { contacts } = await ana.get<{ contacts: Contact[] }>(
    `/api/contacts?search=${encodeURIComponent(written)}`,
  )
  expect(contacts.map((contact) => contact.phone)).toEqual([phone])
})
