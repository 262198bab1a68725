import { dictionary } from '@zxcvbn-ts/language-pt-br'
import { expect, test } from 'vitest'
import { wordsOf } from '#shared/text/words.ts'
import { forAllTests, testDatabase } from '#server/testing/test-app.ts'
import { findTerms, mayContain, prepareTerms } from './excerpt.ts'
import { readQuery } from './search-query.ts'
import { stemsOf, stemsOfTerms } from './stems.ts'

const t = forAllTests(testDatabase)

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
    const { terms } = readQuery(`${asked} `)
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
