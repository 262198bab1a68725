import { expect, test } from 'vitest'
import { readPhone } from '#shared/text/phones/read-phone.ts'
import { onePersonEach } from '#shared/text/phones/test-spellings.ts'
import { searchedBy } from './searched-by.ts'

const others = [
  { contact: { name: 'Outra', phone: '5511900000000' }, protocol: '202601010001' },
  { contact: { name: 'Sem número', phone: null }, protocol: '202601010002' },
]

test.each([...onePersonEach()])('the person of %s alone is found by every spelling', (_, spellings) => {
  const person = {
    contact: { name: 'Procurada', phone: spellings[0]?.phone ?? '' },
    protocol: '202601010003',
  }
  const missed = spellings.filter(({ written }) => {
    const read = readPhone(written)
    const rows = [...others, person].filter(searchedBy(written, 'phone' in read ? read.phone : undefined))
    return rows.length !== 1 || rows[0] !== person
  })
  expect(missed).toEqual([])
})

test('a protocol and a part of a number are found by their digits', () => {
  expect(others.filter(searchedBy('202601010002'))).toEqual([others[1]])
  expect(others.filter(searchedBy('(011) 900'))).toEqual([others[0]])
})
