// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import { createRef } from 'react'
import { expect, test } from 'vitest'
import { messageRow } from '#web/conversations/cache/test-rows.ts'
import { inApp } from '#web/users/test-app.tsx'
import { type Editing, useEdit } from './use-edit.ts'

/** The field of the edit, as often as the composer is shown. */
function begin(editing: Editing) {
  const field = createRef<HTMLTextAreaElement>()
  const { result, unmount } = renderHook(() => useEdit({ chat: { conversationId: 1 }, editing, field }), {
    wrapper: inApp(new QueryClient()),
  })
  return { edit: () => result.current, leave: unmount }
}

test('the new text of a message is still there after a note was written in the place of the composer', () => {
  const editing = { message: messageRow({ id: 5, content: 'Sai amanhã' }), text: 'Sai amanhã' }
  const first = begin(editing)
  expect(first.edit()?.text).toBe('Sai amanhã')
  act(() => first.edit()?.write('Sai amanhã às 9h'))
  first.leave()
  const again = begin(editing)
  expect(again.edit()?.text).toBe('Sai amanhã às 9h')
  again.leave()
  expect(begin({ ...editing }).edit()?.text).toBe('Sai amanhã')
})
