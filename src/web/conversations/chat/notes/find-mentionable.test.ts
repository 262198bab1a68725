import { expect, test } from 'vitest'
import type { Mentionable } from '#shared/messages/mentions.ts'
import { findMentionable } from './find-mentionable.ts'

const person = (id: number, name: string, isReader = true) => ({
  id,
  name,
  pictureUrl: null,
  presence: 'online' as const,
  isReader,
})
const team: Mentionable = {
  people: [
    person(1, 'Ana Beatriz Nogueira'),
    person(2, 'Bruno Tavares', false),
    person(3, 'Íris Nakagawa'),
    person(4, 'Mariana Brandão'),
  ],
  sectors: [{ id: 1, name: 'Comercial', color: '#0d9488', available: 2 }],
}
const namesFor = (asked: string) => findMentionable(team, asked).map(({ mention }) => mention.name)

test.each([
  ['', ['Ana Beatriz Nogueira', 'Íris Nakagawa', 'Mariana Brandão', 'Comercial', 'Bruno Tavares']],
  ['ÁNA', ['Ana Beatriz Nogueira']],
  ['iris', ['Íris Nakagawa']],
  ['br', ['Mariana Brandão', 'Bruno Tavares']],
  ['beatriz nog', ['Ana Beatriz Nogueira']],
  ['co', ['Comercial']],
  ['ruan', []],
])('%j finds those whose names begin so, and those who do not see the conversation last', (asked, names) => {
  expect(namesFor(asked)).toEqual(names)
})

test('only who sees the conversation is offered, and a sector always', () => {
  const offered = findMentionable(team, '').filter(({ isOffered }) => isOffered)
  expect(offered.map(({ mention }) => mention.name)).not.toContain('Bruno Tavares')
  expect(offered).toContainEqual({
    mention: { sectorId: 1, name: 'Comercial' },
    color: '#0d9488',
    available: 2,
    isOffered: true,
  })
})
