import { expect, test } from 'vitest'
import data from './emojis.json'
import { categories, emojisIn, findEmojis, toned } from './emojis.ts'

const all = emojisIn(data)
const found = (search: string) => findEmojis(all, search).map(({ emoji }) => emoji)

test('every emoji is one that may be sent as a reaction, once, in a category, with a name', () => {
  expect(all.length).toBeGreaterThan(1800)
  expect(new Set(all.map(({ emoji }) => emoji)).size).toBe(all.length)
  const groups = new Set<number>(categories.map(({ group }) => group))
  for (const each of all) {
    for (const emoji of [each.emoji, ...each.tones]) expect(emoji).toMatch(/^\p{RGI_Emoji}$/v)
    expect(groups).toContain(each.group)
    expect(each.name).not.toBe('')
    expect([0, 5]).toContain(each.tones.length)
  }
})

test.each([
  ['coracao', '❤️'],
  ['CORAÇÃO verm', '❤️'],
  ['polegar para cima', '👍'],
  ['joia', '👍'],
  ['Brasil', '🇧🇷'],
  ['caminhao', '🚚'],
])('%s finds %s, with accents or without', (search, emoji) => {
  expect(found(search)).toContain(emoji)
})

test('an emoji of the name comes before related ones', () => {
  expect(findEmojis(all, 'gato')[0]?.name).toMatch(/gato/)
  expect(found('nadaqueexista')).toEqual([])
})

test('a skin tone is chosen where the emoji has tones', () => {
  const [hand, cat] = ['👋', '🐱'].map((emoji) => all.find((each) => each.emoji === emoji))
  if (!hand || !cat) throw new Error('they are missing')
  expect([toned(hand, 0), toned(hand, 3), toned(cat, 3)]).toEqual(['👋', '👋🏽', '🐱'])
})
