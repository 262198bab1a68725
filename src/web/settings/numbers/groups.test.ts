import { expect, test } from 'vitest'
import { numberSettings } from '#shared/settings/settings.ts'
import { groups, ownGroups, ownValues } from './groups.ts'

test('each setting that a number may have of its own is in one group', () => {
  const keys = groups.flatMap((group) => group.keys)
  expect(keys.toSorted()).toEqual(Object.keys(numberSettings.shape).toSorted())
  expect(new Set(groups.map(({ name }) => name)).size).toBe(groups.length)
})

test('a group is its own with any of its settings, and is sent whole', () => {
  const own = { autoReplyMessage: '', ratingsEnabled: false }
  expect(ownGroups(own)).toEqual(['autoReply', 'rating'])
  expect(ownGroups({})).toEqual([])
  const values = { isAutoReplyEnabled: true, autoReplyMessage: 'Fechado', transferMessage: 'oi' }
  expect(ownValues(values as Parameters<typeof ownValues>[0], ['autoReply'])).toEqual({
    isAutoReplyEnabled: true,
    autoReplyMessage: 'Fechado',
  })
})
