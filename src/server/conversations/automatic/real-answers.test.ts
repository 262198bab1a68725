import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { optionOf } from '#shared/choice.ts'
import { ratingOf } from './ratings.ts'

// What people really answer to the question before the queue and to that for a rating, and what a careful
// person would take it for. A request that is taken for a choice or a rating is never seen by anybody, so
// whatever says more than a number is neither.

const question = 'Olá! Escolha uma opção:\n1 - Falar com um atendente\n2 - Encerrar'

interface Group {
  is: string
  option?: 'attend' | 'cancel'
  rating?: number
  texts: string[]
}

/** After the question for a rating, what the lines of the other question say are requests. */
const groups = readFileSync(join(import.meta.dirname, 'real-answers.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Group)

const answers = groups.flatMap(({ is, option, rating, texts }) =>
  texts.map((text) => ({ is, text, option, rating })),
)

test.each(answers)('the real answer $text is read as $is', ({ text, option, rating }) => {
  const read = { option: optionOf(text, question), rating: ratingOf(text, ['Ana'])?.rating }
  expect(read).toEqual({ option, rating })
})

test('each is written down once', () => {
  const texts = answers.map(({ text }) => text)
  expect(new Set(texts).size).toBe(texts.length)
  expect(texts.length).toBeGreaterThanOrEqual(400)
})
