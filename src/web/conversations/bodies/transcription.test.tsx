// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { Message } from '#shared/messages/messages.ts'
import { type TranscriptionFailure, transcriptionFailures } from '#shared/assistant/transcription.ts'
import { transcriptionFailureTexts } from '#shared/text/conversations/transcription-texts.ts'
import { messageRow } from '#web/conversations/cache/test-rows.ts'
import { Transcription } from './transcription.tsx'

function show(transcription: Message['transcription'], more: Partial<Message> = {}) {
  const message = messageRow({ messageType: 'audio', fileUrl: '/api/media/files/a', transcription, ...more })
  return render(
    <QueryClientProvider client={new QueryClient()}>
      <Transcription message={message} meta={<time>12:00</time>} />
    </QueryClientProvider>,
  )
}

test('nothing stands below a sound that is not put into words', () => {
  expect(show(undefined).container.textContent).toBe('')
})

test('a sound whose file has not come waits for it, and then for its words', () => {
  show({ state: 'waiting' }, { fileUrl: null })
  expect(screen.getByRole('status').textContent).toBe('Aguardando o áudio...')
  show({ state: 'waiting' })
  expect(screen.getAllByRole('status').at(-1)?.textContent).toBe('Transcrevendo...')
})

test('the words of a sound are text under their label, and its silence is told', () => {
  const { container } = show({ state: 'done', text: '<b>oi</b> *Marta*' })
  expect(container.textContent).toBe('Transcrição automática<b>oi</b> Marta12:00')
  expect(container.querySelector('b')).toBeNull()
  expect(show({ state: 'done', text: '' }).container.textContent).toBe(
    'Transcrição automáticaNenhuma palavra reconhecida12:00',
  )
})

test.each<TranscriptionFailure>([...transcriptionFailures])(
  'a sound that has failed by «%s» says why, and offers another try',
  (reason) => {
    const { container } = show({ state: 'failed', reason })
    expect(container.textContent).toContain(
      `Não foi possível transcrever. ${transcriptionFailureTexts[reason]}`,
    )
    expect(screen.getByRole('button', { name: 'Tentar de novo' })).not.toBeNull()
  },
)

test('whoever presses twice asks once, and may ask again when that was refused', async () => {
  const asked: string[] = []
  const answer = Promise.withResolvers<Response>()
  vi.stubGlobal('fetch', (url: string) => {
    asked.push(url)
    return answer.promise
  })
  show({ state: 'offered' }, { id: 7, conversationId: 3 })
  const button = screen.getByRole('button', { name: 'Transcrever' })
  fireEvent.click(button)
  await act(() => Promise.resolve())
  fireEvent.click(button)
  expect(asked).toHaveLength(1)
  expect(asked[0]).toContain('/api/conversations/3/messages/7/transcription')
  const refusal = { code: 'assistant.no_transcription', message: 'A transcrição de áudios está desligada.' }
  await act(async () => {
    answer.resolve(new Response(JSON.stringify(refusal), { status: 409 }))
    await vi.waitFor(() => expect(button.hasAttribute('disabled')).toBe(false))
  })
})
