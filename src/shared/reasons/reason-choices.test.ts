import { expect, test } from 'vitest'
import { askFor, choicesFor } from './reason-choices.ts'
import type { Reason } from './reasons.ts'

const reason = (id: number, given: Partial<Reason> = {}): Reason => ({
  id,
  name: `Motivo ${id}`,
  parentId: null,
  sectorId: null,
  isActive: true,
  ...given,
})
const idsFor = (all: Reason[], sectorId: number | null) => choicesFor(all, sectorId).map(({ id }) => id)

test('a reason with active ones within it is not offered, and one whose inner ones are off is', () => {
  const all = [reason(1), reason(2, { parentId: 1 }), reason(3), reason(4, { parentId: 3, isActive: false })]
  expect(idsFor(all, null)).toEqual([2, 3])
})

test('a conversation is offered the reasons of its sector and of all, without a sector the latter', () => {
  const all = [reason(1, { sectorId: 7 }), reason(2, { parentId: 1, sectorId: 7 }), reason(3)]
  expect([idsFor(all, 7), idsFor(all, 8), idsFor(all, null)]).toEqual([[2, 3], [3], [3]])
})

test('whether a reason is asked for is what the sector says, else the number, else the installation', () => {
  const known = {
    ask: 'optional' as const,
    ofNumbers: [{ instanceId: 1, ask: 'required' as const }],
    ofSectors: [{ sectorId: 7, ask: 'no' as const }],
  }
  const ask = (instanceId: number, sectorId: number | null) => askFor(known, { instanceId, sectorId })
  expect([ask(1, 7), ask(1, 8), ask(1, null), ask(2, null)]).toEqual([
    'no',
    'required',
    'required',
    'optional',
  ])
})
