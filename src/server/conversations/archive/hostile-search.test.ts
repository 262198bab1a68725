import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { ArchivedPage } from '#shared/conversations/archive.ts'
import { wordsOf } from '#shared/text/words.ts'
import { inTransaction } from '#server/platform/database/db.ts'
import { indexAll } from '#server/conversations/conversations.ts'
import { spread } from '#server/testing/nightly.ts'
import { forAllTests, testApp } from '#server/testing/test-app.ts'
import { dictionary } from '@zxcvbn-ts/language-pt-br'
import { findTerms, mayContain, prepareTerms } from './excerpt.ts'
import { readQuery } from './search-query.ts'
import { stemsOf, stemsOfTerms } from './stems.ts'

// What breaks naive searches: wildcards, operators, quotes, sizes and signs. Each answers in time, and means
// what it says.
const t = forAllTests(testApp)
const admin = forAllTests(() => t.signIn('admin', 'chefe'))

const signs = '% _ \\ \' " ` & | ! ( ) : * <-> ;-- /* $$ ? # @ = < {} [ ~ \u200b \u0301 \u202e'.split(' ')
const shapes = [
  (sign: string) => sign,
  (sign: string) => `alfa${sign}`,
  (sign: string) => `${sign}beta`,
  (sign: string) => `gama${sign}delta`,
  (sign: string) => `"${sign} zeta`,
  (sign: string) => `eta ${sign} teta ${sign}${sign}`,
  (sign: string) => `'iota${sign}'`,
]
const inputs = [
  ...signs.flatMap((sign) => shapes.map((shape) => shape(sign))),
  '👍',
  '👩‍👩‍👧‍👦 família',
  '🇧🇷',
  '´`~^¨',
  '\u0301\u0302\u0303',
  '   ',
  "' OR 1=1 --",
  "'; drop table conversations; --",
  ':* & !a | (b',
  'خالد للأقمشة',
  '你好 世界',
  'ﬁm ｆｕｌｌ Ⅷ ½',
  'a'.repeat(10_000),
  'palavra '.repeat(1250),
  // As long as an address may be.
  '"'.repeat(3300),
  '%'.repeat(3300),
  Array.from({ length: 1500 }, (_, n) => `p${n}`).join(' '),
  '00000000000000000000',
  '-1',
  '1e309',
  'null undefined NaN',
]

let made = 0
/** Completes a conversation in one transaction, as the product does, which waits for `beforeCommit`. */
function archived(content: string, beforeCommit?: () => Promise<void>): Promise<number> {
  made += 1
  const phone = `5542${20_000_000 + made}`
  const protocol = `2031${String(made).padStart(10, '0')}`
  return inTransaction(t.database, async (db) => {
    const one = async (statement: ReturnType<typeof sql>) =>
      Number((await db.execute(statement)).rows[0]?.['id'])
    const contactId = await one(sql`insert into contacts (name, phone) values ('Zz', ${phone}) returning id`)
    const id = await one(
      sql`insert into conversations (contact_id, instance_id, protocol, status, completed_at, message_count)
          values (${contactId}, ${t.instanceId}, ${protocol}, 'completed', app_now(), 1) returning id`,
    )
    await db.execute(
      sql`insert into messages (conversation_id, instance_id, sender_type, content, sort_at, sent_at)
          values (${id}, ${t.instanceId}, 'contact', ${content}, app_now(), app_now())`,
    )
    await beforeCommit?.()
    return id
  })
}

test('there are hundreds of hostile inputs', () => {
  expect(inputs.length).toBeGreaterThanOrEqual(200)
})

const asked = spread(inputs, 80)

test(`${asked.length} hostile inputs answer in time, and find their words and nothing else`, async () => {
  const decoy = await archived('Nada disto por aqui')
  const own = new Map<string, number>()
  for (const input of asked) own.set(input, await archived(`diz ${input} e só`))
  await indexAll(t.database)
  for (const input of asked) {
    const began = performance.now()
    const { status, body } = await admin.request<ArchivedPage>(
      'GET',
      `/api/conversations/archived?limit=100&search=${encodeURIComponent(input)}`,
    )
    const what = JSON.stringify(input.slice(0, 60))
    expect(status, what).toBe(200)
    expect(performance.now() - began, what).toBeLessThan(3000)
    const found = body.conversations.map(({ id }) => id)
    // Blanks alone are no search: they list everything.
    if (input.trim() !== '') expect(found, what).not.toContain(decoy)
    const hasWords = wordsOf(input).length > 0
    // Longer than the first thousand of its hits are not on a page.
    if (hasWords && body.pagination.totalItems <= 100) expect(found, what).toContain(own.get(input))
    if (!hasWords && input.trim() !== '') expect(found, what).toEqual([])
  }
}, 240_000)

test.each(['', 'borda'])(
  'what commits after page 1 was read is on no later page (search %j)',
  async (search) => {
    for (let n = 0; n < 12; n++) await archived(`borda ${n}`)
    await indexAll(t.database)
    const page = async (query: string) =>
      (
        await admin.request<ArchivedPage>(
          'GET',
          `/api/conversations/archived?limit=10&search=${search}&${query}`,
        )
      ).body
    const begun = Promise.withResolvers<void>()
    const mayCommit = Promise.withResolvers<void>()
    const completing = archived('borda nova', () => {
      begun.resolve()
      return mayCommit.promise
    })
    await begun.promise
    const first = await page('page=1')
    mayCommit.resolve()
    const added = await completing
    await indexAll(t.database)
    const { totalPages, totalItems } = first.pagination
    const ids = first.conversations.map(({ id }) => id)
    for (let number = 2; number <= totalPages; number++) {
      const later = await page(`page=${number}&asOf=${first.asOf}`)
      expect(later.pagination.totalItems).toBe(totalItems)
      ids.push(...later.conversations.map(({ id }) => id))
    }
    // No row twice, none left out.
    expect(new Set(ids).size).toBe(totalItems)
    expect(ids).toHaveLength(totalItems)
    expect(ids).not.toContain(added)
    expect((await page('page=1')).conversations[0]?.id).toBe(added)
  },
)

test('a text in which a word is found, in any form of it, is one that may contain it', async () => {
  const words = Object.values(dictionary)
    .flat()
    .filter((word) => typeof word === 'string' && /^\p{L}{2,}$/u.test(word))
    .slice(0, 6000) as string[]
  expect(words.length).toBeGreaterThan(4000)
  const stems = await stemsOf(
    t.database,
    words.flatMap((word) => wordsOf(word).map(({ lower }) => lower)),
  )
  const byStem = Map.groupBy(words, (word) => stems.get(wordsOf(word)[0]?.lower ?? '')?.[0] ?? word)
  let pairs = 0
  for (const [, alike] of byStem) {
    const [asked = '', ...others] = alike
    const { terms } = readQuery(`${asked} `, { hidesPhones: false })
    const prepared = prepareTerms(terms, await stemsOfTerms(t.database, terms))
    for (const written of others) {
      const text = `Ontem ${written.toUpperCase()} chegou`
      const { found } = findTerms(wordsOf(text), prepared, stems)
      pairs += found
      expect(mayContain(text, prepared) || found === 0, `${asked} in ${text}`).toBe(true)
    }
    expect(mayContain('zzz 777', prepared)).toBe(false)
  }
  expect(pairs).toBeGreaterThan(500)
})
