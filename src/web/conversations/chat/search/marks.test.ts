// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { fold } from '#shared/text/fold.ts'
import { rangesOf } from './marks.ts'

/** What is marked of the HTML for the words. */
function marked(html: string, words: string): string[] {
  const element = document.createElement('div')
  element.innerHTML = html
  return rangesOf(element, fold(words)).map((range) => {
    const { startContainer: from, startOffset, endContainer: to, endOffset } = range
    if (from === to) return from.textContent?.slice(startOffset, endOffset) ?? ''
    return `${from.textContent?.slice(startOffset)}|${to.textContent?.slice(0, endOffset)}`
  })
}

test('words are marked in any case, with or without accents, as often as they come', () => {
  expect(marked('Ação! A acao e a AÇÃO', 'ação')).toEqual(['Ação', 'acao', 'AÇÃO'])
  expect(marked('são luís', 'SAO LUIS')).toEqual(['são luís'])
  expect(marked('outra coisa', 'ação')).toEqual([])
})

test('emoji and letters that are written as two characters do not shift a mark', () => {
  expect(marked('👩‍🚒👍🏽 bombeira', 'bombeira')).toEqual(['bombeira'])
  expect(marked('cafe\u0301 pronto', 'café pronto')).toEqual(['cafe\u0301 pronto'])
})

test('a mark goes on where formatting splits the text', () => {
  expect(marked('o <strong>ped</strong>ido', 'pedido')).toEqual(['ped|ido'])
})

test('author, quote, time and buttons are not marked', () => {
  expect(
    marked('<div data-unsearched>10</div><p>às 10</p><time>10:10</time><button>10</button>', '10'),
  ).toEqual(['10'])
})
