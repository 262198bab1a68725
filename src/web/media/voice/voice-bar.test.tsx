// @vitest-environment happy-dom
import { fireEvent, render, screen } from '@testing-library/react'
import { type ComponentProps, createRef } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { UiProvider } from '#web/ui/ui-provider.tsx'
import type { Recorded } from './use-recorder.ts'
import { VoiceBar } from './voice-bar.tsx'

beforeEach(
  () => void vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener: () => undefined })),
)

const recorded: Recorded = { file: new File(['x'], 'voz.ogg'), url: 'blob:1', seconds: 2 }
const field = createRef<HTMLTextAreaElement>()
const onSend = vi.fn<(sent: Recorded) => void>()
const bar = (given: Partial<ComponentProps<typeof VoiceBar>>) => (
  <UiProvider>
    <textarea ref={field} />
    {given.state && (
      <VoiceBar
        level={() => 0}
        onPause={() => undefined}
        onResume={() => undefined}
        onFinish={(then) => then?.(recorded)}
        onDiscard={() => undefined}
        onSend={onSend}
        field={field}
        {...given}
        state={given.state}
      />
    )}
  </UiProvider>
)
const focused = () => document.activeElement?.getAttribute('aria-label')

test('the focus goes along with a recording: to the stop, to the send, and back to the text', () => {
  const { rerender } = render(bar({ state: { kind: 'recording', seconds: 1 } }))
  expect(focused()).toBe('Parar gravação')
  rerender(bar({ state: { kind: 'done', recorded } }))
  expect(focused()).toBe('Enviar voz')
  rerender(bar({}))
  expect(document.activeElement).toBe(field.current)
})

test('a recording can be sent at once, without being played first', () => {
  render(bar({ state: { kind: 'recording', seconds: 1 } }))
  fireEvent.click(screen.getByRole('button', { name: 'Enviar voz' }))
  expect(onSend).toHaveBeenCalledExactlyOnceWith(recorded)
})
