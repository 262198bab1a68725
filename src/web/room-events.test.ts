// @vitest-environment happy-dom
import { QueryClient, type QueryKey } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { archiveKeys } from '#web/conversations/archive/live.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { notificationKeys } from '#web/notifications/live.ts'
import { applyLiveEvent } from './room-events.ts'

test('with other rights nothing stays of what conversations said, nor of what was told of them', () => {
  vi.stubGlobal('fetch', () => new Promise<never>(() => undefined))
  const client = new QueryClient()
  const keys: QueryKey[] = [
    conversationQueries.messages(1).queryKey,
    [...archiveKeys.pages, 1],
    [...notificationKeys.all, 'list', 'mentions'],
  ]
  for (const key of keys) client.setQueryData(key, { pages: [], pageParams: [] })
  applyLiveEvent(client, { type: 'permissions_changed', data: {} })
  expect(keys.map((key) => client.getQueryData(key))).toEqual([undefined, undefined, undefined])
})
