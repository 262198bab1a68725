// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { UiProvider } from '#web/ui/ui-provider.tsx'
import { refetchFiles } from '#web/conversations/cache/live-files.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { messageRow } from '#web/conversations/cache/test-rows.ts'
import { MediaSection } from './media-section.tsx'
import { inApp } from '#web/users/test-app.tsx'

test('a picture that is not to be drawn is a download, and not among those shown large', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  const picture = { conversationId: 1, messageType: 'image', sentAt: '2026-11-19T12:00:00.000Z' } as const
  client.setQueryData(conversationQueries.media({ conversationId: 1 }, 'visual').queryKey, {
    pages: [
      [
        messageRow({ ...picture, id: 2, content: 'a planta', fileUrl: '/api/media/files/planta' }),
        messageRow({
          ...picture,
          id: 1,
          content: 'a bomba',
          fileUrl: '/api/media/files/bomba',
          metadata: { isDownloadOnly: true },
        }),
      ],
    ],
    pageParams: [null],
  })
  render(
    <UiProvider>
      <MediaSection title="Mídia da conversa" of={{ conversationId: 1 }} />
    </UiProvider>,
    { wrapper: inApp(client) },
  )
  const link = screen.getByRole('link', { name: /^Baixar Imagem: a bomba/ })
  expect(link.getAttribute('href')).toBe('/api/media/files/bomba?download=1')
  expect(link.querySelector('img')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: /^Abrir Imagem: a planta/ }))
  expect((await screen.findByRole('dialog')).textContent).toContain('1 de 1')
})

test('files are fetched again when messages were removed from the conversation or moved', () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  const { queryKey } = conversationQueries.media({ conversationId: 1 }, 'visual')
  client.setQueryData(queryKey, { pages: [[]], pageParams: [null] })
  const invalidate = vi.spyOn(client, 'invalidateQueries').mockResolvedValue()
  render(
    <UiProvider>
      <MediaSection title="Mídia da conversa" of={{ conversationId: 1 }} />
    </UiProvider>,
    { wrapper: inApp(client) },
  )
  const tell = (conversationId: number) =>
    refetchFiles({ type: 'timeline_changed', data: { conversationId } }, client)
  tell(2)
  expect(invalidate).not.toHaveBeenCalled()
  tell(1)
  expect(invalidate).toHaveBeenCalledWith({
    queryKey: [...conversationQueries.medias, { conversationId: 1 }],
  })
})
