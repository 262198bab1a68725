// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { toastStore } from '#web/ui/states/toast.ts'
import { comercial, press, server, showIn, startServer } from '#web/settings/sectors/test-screen.tsx'
import { inheritedOf } from '#web/settings/sectors/test-sectors.ts'
import { inApp } from '#web/users/test-app.tsx'

const show = showIn(inApp)
beforeEach(startServer)

test('who makes the first sector is led through it, and nothing is written before the end', async () => {
  show([], { inherited: inheritedOf({ numbers: [{ id: 4, name: 'matriz', own: {} }] }) })
  screen.getByText('Nenhum setor ainda')
  press('Criar o primeiro setor')
  const dialog = within(await screen.findByRole('dialog'))
  const go = (name: string) => fireEvent.click(dialog.getByRole('button', { name }))
  go('Continuar')
  dialog.getByText('Nome é obrigatório')
  fireEvent.change(dialog.getByLabelText('Nome *'), { target: { value: 'Comercial' } })
  go('Continuar')
  const field = dialog.getByRole('combobox', { name: 'Adicionar pessoa' })
  fireEvent.focus(field)
  fireEvent.keyDown(field, { key: 'Enter' })
  go('Continuar')
  fireEvent.click(dialog.getByRole('checkbox', { name: 'matriz' }))
  go('Continuar')
  expect(server.sent).toEqual([])
  dialog.getByText(/Pessoa 1 passa a ver/)
  dialog.getByText(/Ninguém responde por ele: quando a fila para/)
  dialog.getByText(/Para os outros nada muda/)
  dialog.getByText(/Conversas novas de matriz vão para/)
  dialog.getByText(/A partir do segundo setor, o cliente pode escolher .* ‘Menu de setores’/)
  go('Criar setor')
  const body = {
    name: 'Comercial',
    color: '#0d9488',
    description: '',
    people: [{ userId: 1, isLead: false }],
    defaultOf: [4],
  }
  await waitFor(() => expect(server.sent).toEqual([['POST /api/sectors', body]]))
  await waitFor(() => expect(toastStore.get()?.title).toBe('Setor criado'))
})

test('a new sector that is refused keeps its dialog and what was typed', async () => {
  show([comercial()])
  press('Novo setor')
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.change(dialog.getByLabelText('Nome *'), { target: { value: 'comercial' } })
  server.refusal = { status: 409, code: 'sectors.duplicate', message: 'Já existe o setor ‘Comercial’' }
  fireEvent.click(dialog.getByRole('button', { name: 'Criar setor' }))
  await dialog.findByText('Já existe o setor ‘Comercial’')
  expect(dialog.getByLabelText<HTMLInputElement>('Nome *').value).toBe('comercial')
})

test('a new sector with people says what it means that none of them leads it', async () => {
  show([comercial()])
  press('Novo setor')
  const dialog = within(await screen.findByRole('dialog'))
  const field = dialog.getByRole('combobox', { name: 'Adicionar pessoa' })
  fireEvent.focus(field)
  fireEvent.keyDown(field, { key: 'Enter' })
  dialog.getByText(/^Sem responsável, ninguém da equipe é avisado/)
  fireEvent.click(dialog.getByRole('checkbox', { name: 'Responsável: Pessoa 1' }))
  expect(dialog.queryByText(/^Sem responsável/)).toBeNull()
})

test.each([
  ['the tour', [], 'Criar o primeiro setor', 'Cancelar'],
  ['a new sector', [comercial()], 'Novo setor', 'Fechar'],
])('closing %s asks before what was typed is thrown away', async (_what, sectors, opener, closer) => {
  show(sectors)
  press(opener)
  const dialog = within(await screen.findByRole('dialog', { name: opener }))
  fireEvent.click(dialog.getByRole('button', { name: closer }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  press(opener)
  fireEvent.change(await screen.findByLabelText('Nome *'), { target: { value: 'Suporte' } })
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' })
  await screen.findByRole('dialog', { name: 'Descartar o que você escreveu?' })
  press('Continuar editando')
  expect(screen.getByLabelText<HTMLInputElement>('Nome *').value).toBe('Suporte')
  press(closer)
  await screen.findByRole('dialog', { name: 'Descartar o que você escreveu?' })
  press('Descartar')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(server.sent).toEqual([])
})
