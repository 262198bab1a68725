import { expect, test } from 'vitest'
import { numberSettings } from '#shared/settings/own-settings.ts'
import { groups, ownChange, ownGroups } from './groups.ts'

test('each setting that a number may have of its own is in one group', () => {
  const keys = groups.flatMap((group) => group.keys)
  expect(keys.toSorted()).toEqual(Object.keys(numberSettings.shape).toSorted())
  expect(new Set(groups.map(({ name }) => name)).size).toBe(groups.length)
})

test('a group is its own with any of its settings', () => {
  const own = { autoReplyMessage: '', ratingsEnabled: false }
  expect(ownGroups(own)).toEqual(['autoReply', 'rating'])
  expect(ownGroups({})).toEqual([])
})

test.each<[string, string[], string[], string[], object]>([
  [
    'that becomes its own is sent whole',
    [],
    ['autoReply'],
    ['own'],
    { isAutoReplyEnabled: true, autoReplyMessage: 'Fechado' },
  ],
  [
    'that was its own is sent as far as it was changed',
    ['autoReply'],
    ['autoReply'],
    ['autoReplyMessage'],
    { autoReplyMessage: 'Fechado' },
  ],
  [
    'that is the installation’s again is sent as nothing',
    ['autoReply'],
    [],
    ['own'],
    { isAutoReplyEnabled: null, autoReplyMessage: null },
  ],
  ['that was not touched is not sent', ['autoReply'], ['autoReply'], [], {}],
  [
    'whose text was kept against a colleague becomes its own',
    [],
    [],
    ['transferMessage'],
    { transferMessage: 'oi' },
  ],
])('a group of settings %s', (_what, before, own, changed, sent) => {
  const values = { isAutoReplyEnabled: true, autoReplyMessage: 'Fechado', transferMessage: 'oi', own }
  expect(ownChange(values as unknown as Parameters<typeof ownChange>[0], changed, before)).toEqual(sent)
})
