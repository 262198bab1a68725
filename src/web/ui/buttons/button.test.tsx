// @vitest-environment happy-dom
import { fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { Button } from './button.tsx'

const onSubmit = vi.fn<() => void>()
beforeEach(() => onSubmit.mockClear())

/** What browsers do at Enter in a text: press the form's button, or without one send a form of one field. */
function enter(field: HTMLInputElement) {
  const { form } = field
  const submitter = form?.querySelector<HTMLButtonElement>('button[type=submit]')
  if (submitter) submitter.click()
  else if (form?.querySelectorAll('input').length === 1) form.requestSubmit()
}

function show(isBusy: boolean) {
  const form = (busy: boolean) => (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <input aria-label="Para quem" />
      <Button type="submit" isBusy={busy} busyLabel="Criando...">
        Criar link
      </Button>
    </form>
  )
  const { rerender } = render(form(isBusy))
  return (busy: boolean) => rerender(form(busy))
}
const field = () => screen.getByLabelText<HTMLInputElement>('Para quem')

test('a form of one field is not sent again by Enter while its button is busy', () => {
  const become = show(false)
  enter(field())
  expect(onSubmit).toHaveBeenCalledOnce()
  become(true)
  enter(field())
  fireEvent.click(screen.getByText('Criando...'))
  expect(onSubmit).toHaveBeenCalledOnce()
  become(false)
  enter(field())
  expect(onSubmit).toHaveBeenCalledTimes(2)
})

test('a busy button does not act, and keeps the focus', () => {
  const onClick = vi.fn<() => void>()
  render(
    <Button isBusy onClick={onClick}>
      Assumir
    </Button>,
  )
  const button = screen.getByRole('button')
  button.focus()
  fireEvent.click(button)
  expect(onClick).not.toHaveBeenCalled()
  expect(document.activeElement).toBe(button)
})
