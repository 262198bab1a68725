// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { type Known, mentionsIn, problemOf } from './known.ts'

const named = (id: number, name: string) => ({ id, name, isOffered: true })
const known: Known = {
  tag: [],
  category: [],
  sector: [named(1, 'Vendas'), named(2, 'Vendas Sul')],
  person: [named(3, 'Ana'), named(4, 'Ana Paula')],
  finalize: [],
}

test('a note mentions whom its text names, not those whose name another name begins with', () => {
  expect(mentionsIn('@Ana Paula, veja', known, [])).toEqual([{ userId: 4 }])
  expect(mentionsIn('@Vendas Sul e @Ana', known, [])).toEqual([{ userId: 3 }, { sectorId: 2 }])
  expect(mentionsIn('@Ana Paula e @Ana', known, [])).toEqual([{ userId: 3 }, { userId: 4 }])
  expect(mentionsIn('@Anabela', known, [])).toEqual([])
})

test('a note keeps its mentions while those whom it can mention are not known', () => {
  const stored = [{ userId: 4 }, { sectorId: 2 }]
  const loading: Known = { ...known, person: undefined, sector: undefined }
  expect(mentionsIn('@Ana Paula, @Vendas Sul!', loading, stored)).toEqual(stored)
  expect(mentionsIn('@Ana, @Vendas!', { ...known, person: undefined }, stored)).toEqual([
    { userId: 4 },
    { sectorId: 1 },
  ])
})

test('a note that mentions somebody who is gone says so, once it is known', () => {
  const note = (mentions: object[]) => ({ kind: 'note', text: '@Bia', mentions }) as const
  expect(problemOf(note([{ userId: 9 }]), known)).toContain('não existe mais')
  expect(problemOf(note([{ sectorId: 9 }]), known)).toContain('não existe mais')
  expect(problemOf(note([{ userId: 9 }]), { ...known, person: undefined })).toBeUndefined()
  expect(problemOf(note([{ userId: 3 }, { sectorId: 1 }]), known)).toBeUndefined()
})
