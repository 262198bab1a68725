// @vitest-environment happy-dom
import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { type Attachment, AttachmentsDialog, type CaptionProps } from './attachments-dialog.tsx'

const onClose = vi.fn<() => void>()
const onSend = vi.fn<() => void>()
beforeEach(() => {
  onClose.mockClear()
  onSend.mockClear()
})

function Chosen({ given, isNote }: { given: Attachment[]; isNote: boolean }) {
  const [attachments, setAttachments] = useState(given)
  const noteField = ({ attachment, onChange }: CaptionProps & { key: string }) => (
    <textarea
      aria-label="Legenda"
      value={attachment.caption}
      onChange={(event) => onChange(event.target.value, [])}
    />
  )
  return (
    <AttachmentsDialog
      attachments={attachments}
      {...(isNote && { noteField })}
      onAdd={() => undefined}
      onChange={setAttachments}
      onSend={onSend}
      onClose={onClose}
    />
  )
}
const chosen = (key: string, caption = ''): Attachment => ({
  key,
  caption,
  file: new File(['%PDF'], `${key}.pdf`, { type: 'application/pdf' }),
  url: `blob:${key}`,
  messageType: 'document',
})
const show = (given: Attachment[], isNote = false) => render(<Chosen given={given} isNote={isNote} />)
const field = () => screen.getByLabelText('Legenda')
const type = (value: string) => fireEvent.change(field(), { target: { value } })
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

test('chosen files with a caption are not given up by a single Escape', () => {
  show([chosen('contrato'), chosen('anexo')])
  type('assine na última página')
  press('anexo.pdf')
  fireEvent.keyDown(field(), { key: 'Escape' })
  expect(onClose).not.toHaveBeenCalled()
  screen.getByText('Descartar o que você escreveu?')
  press('Continuar editando')
  press('contrato.pdf')
  expect(field()).toHaveProperty('value', 'assine na última página')
  press('Cancelar')
  press('Descartar')
  expect(onClose).toHaveBeenCalledOnce()
})

test('chosen files without a caption are given up at once', () => {
  show([chosen('contrato')])
  press('Cancelar')
  expect(onClose).toHaveBeenCalledOnce()
})

test('files of a note ask nothing about its text, which stays in its field, unless it was changed', () => {
  show([chosen('contrato', 'para a Carla')], true)
  press('Cancelar')
  expect(onClose).toHaveBeenCalledOnce()
  type('para a Carla e o Bruno')
  press('Cancelar')
  screen.getByText('Descartar o que você escreveu?')
})

test('Enter sends the files, and not while an input method composes, which Safari tells by a code', () => {
  show([chosen('contrato')])
  fireEvent.keyDown(field(), { key: 'Enter', keyCode: 229 })
  expect(onSend).not.toHaveBeenCalled()
  fireEvent.keyDown(field(), { key: 'Enter', keyCode: 13 })
  expect(onSend).toHaveBeenCalledOnce()
})
