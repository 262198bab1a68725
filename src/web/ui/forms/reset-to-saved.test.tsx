// @vitest-environment happy-dom
import { fireEvent, render, screen } from '@testing-library/react'
import { useForm } from 'react-hook-form'
import { expect, test } from 'vitest'
import { resetToSaved, valuesSent } from './reset-to-saved.ts'

function Form({ save }: { save: () => Promise<{ name: string; key: string }> }) {
  const form = useForm({
    defaultValues: { name: 'loja', key: '' },
    resetOptions: { keepDirtyValues: true },
  })
  const submit = form.handleSubmit(async () => {
    const sent = valuesSent(form)
    resetToSaved(form, await save(), sent)
  })
  return (
    <form onSubmit={submit}>
      <input aria-label="Nome" {...form.register('name')} />
      <input aria-label="Chave" {...form.register('key')} />
      <button type="submit">Salvar</button>
      <p>{form.formState.isSubmitting ? 'Salvando' : Object.keys(form.formState.dirtyFields).join()}</p>
    </form>
  )
}

const valueOf = (name: string) => screen.getByLabelText<HTMLInputElement>(name).value
const type = (name: string, value: string) =>
  fireEvent.input(screen.getByLabelText(name), { target: { value } })

test('what is typed while a form is being saved stays as a change, the rest is as it was saved', async () => {
  const { promise, resolve } = Promise.withResolvers<{ name: string; key: string }>()
  render(<Form save={() => promise} />)
  type('Nome', ' padaria ')
  type('Chave', 'segredo')
  fireEvent.click(screen.getByRole('button'))
  await screen.findByText('Salvando')
  type('Nome', 'padaria do sol')
  resolve({ name: 'padaria', key: '' })
  await screen.findByText('name')
  expect([valueOf('Nome'), valueOf('Chave')]).toEqual(['padaria do sol', ''])
})

test('nothing is a change after a save during which nothing was typed', async () => {
  render(<Form save={async () => ({ name: 'padaria', key: '' })} />)
  type('Nome', ' padaria ')
  type('Chave', 'segredo')
  fireEvent.click(screen.getByRole('button'))
  await screen.findByDisplayValue('padaria')
  await expect.poll(() => screen.getByRole('paragraph').textContent).toBe('')
  expect(valueOf('Chave')).toBe('')
})
