// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { toast, toastStore } from '#web/ui/states/toast.ts'
import { useAttachments } from './use-attachments.ts'

beforeEach(() => {
  URL.createObjectURL = () => 'blob:file'
  toast({ title: 'antes' })
})

const files = (count: number) =>
  Array.from({ length: count }, (_, n) => new File(['%PDF'], `${n}.pdf`, { type: 'application/pdf' }))

test('files beyond those that can be sent at once are not left out without a word', async () => {
  const { result } = renderHook(() => useAttachments())
  await act(() => result.current.add(files(28)))
  expect(toastStore.get()?.title).toBe('antes')
  await act(() => result.current.add(files(4)))
  expect(result.current.attachments).toHaveLength(30)
  expect(toastStore.get()).toMatchObject({
    title: 'No máximo 30 arquivos de cada vez',
    description: '2 ficaram de fora: anexe-os depois destes.',
  })
})

test('as many files as can be sent at once are taken, and one more is told of', async () => {
  const { result } = renderHook(() => useAttachments())
  await act(() => result.current.add(files(30)))
  expect(toastStore.get()?.title).toBe('antes')
  await act(() => result.current.add(files(1)))
  expect(result.current.attachments).toHaveLength(30)
  expect(toastStore.get()?.description).toBe('1 ficou de fora: anexe-o depois destes.')
})
