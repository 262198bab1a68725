// @vitest-environment happy-dom
import { fireEvent, render, screen } from '@testing-library/react'
import { useCallback } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { useKeys } from '#web/platform/keys.ts'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { LoginOverlay } from './login-overlay.tsx'

const onClose = vi.fn<() => void>()
const onShortcut = vi.fn<() => void>()
beforeEach(() => {
  onClose.mockClear()
  onShortcut.mockClear()
  HTMLDialogElement.prototype.showModal = () => undefined
})

function Screen({ isEnded }: { isEnded: boolean }) {
  useKeys(useCallback(() => onShortcut(), []))
  return (
    <>
      <Dialog isOpen onClose={onClose} title="Editar Contato">
        <input aria-label="Nome" />
      </Dialog>
      {isEnded && (
        <LoginOverlay>
          <input name="password" aria-label="Senha" />
        </LoginOverlay>
      )}
    </>
  )
}
const escapeIn = (label: string) => fireEvent.keyDown(screen.getByLabelText(label), { key: 'Escape' })

test('keys of the login that covers the screens reach no dialog and no shortcut below it', () => {
  const { rerender } = render(<Screen isEnded />)
  escapeIn('Senha')
  expect(onClose).not.toHaveBeenCalled()
  expect(onShortcut).not.toHaveBeenCalled()
  rerender(<Screen isEnded={false} />)
  escapeIn('Nome')
  expect(onClose).toHaveBeenCalledOnce()
})
