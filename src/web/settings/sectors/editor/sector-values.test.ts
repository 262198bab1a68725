import { expect, test } from 'vitest'
import { sectorSettings } from '#shared/settings/own-settings.ts'
import { inheritedOf, managedSector } from '../test-sectors.ts'
import { changeOf, changeWords, inheritedGroup, textGroups, valuesOf } from './sector-values.ts'

const inherited = inheritedOf()
const before = valuesOf(managedSector(1), inherited)

test('each setting that a sector may have is of its hours, a group of texts, or the reasons', () => {
  const keys = [
    ...textGroups.flatMap((group) => group.keys),
    'workingHours',
    'lunchBreak',
    'scheduleExceptions',
    'askReason',
    'askTag',
  ]
  expect(keys.toSorted()).toEqual(Object.keys(sectorSettings.shape).toSorted())
})

test('only what was changed is sent, and said in words', () => {
  const now = {
    ...before,
    description: 'Boletos',
    own: ['transferMessage'],
    transferMessage: 'Já vou te passar',
  }
  expect(changeWords(now, before)).toEqual(['descrição', 'texto de transferência'])
  expect(changeOf(now, before)).toEqual({
    description: 'Boletos',
    own: { transferMessage: 'Já vou te passar' },
  })
})

test('a text that goes back to what is inherited is sent as nothing', () => {
  const from = valuesOf(managedSector(1, { own: { transferMessage: 'Meu' } }), inherited)
  expect(from.transferMessage).toBe('Meu')
  const now = { ...from, own: [], transferMessage: before.transferMessage }
  expect(changeOf(now, from)).toEqual({ own: { transferMessage: null } })
})

test('the same people in another order are no change, and another lead is one', () => {
  const people = [
    { userId: 1, isLead: false },
    { userId: 2, isLead: true },
  ]
  const from = { ...before, people }
  expect(changeOf({ ...from, people: people.toReversed() }, from)).toEqual({})
  const led = [{ userId: 1, isLead: true }, ...people.slice(1)]
  expect(changeOf({ ...from, people: led }, from)).toEqual({ people: led })
})

test('a text is that of the numbers if they have the same, else the installation’s', () => {
  const own = { queueMessage: 'Da loja' }
  const some = inheritedOf({
    numbers: [
      { id: 1, name: 'matriz', own: {} },
      { id: 2, name: 'loja', own },
    ],
  })
  expect(inheritedGroup('queue', [2], some)).toMatchObject({ from: 'number', values: own })
  expect(inheritedGroup('queue', null, some)).toMatchObject({ from: 'numbers' })
  expect(inheritedGroup('queue', [1], some)).toMatchObject({ from: 'installation' })
})
