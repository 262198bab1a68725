// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { toastStore } from '#web/ui/states/toast.ts'
import { comercial, press, server, showIn, startServer, type } from '#web/settings/sectors/test-screen.tsx'
import { managedSector, sectorPerson } from '#web/settings/sectors/test-sectors.ts'
import { inApp } from '#web/users/test-app.tsx'

const show = showIn(inApp)
beforeEach(startServer)

test('a lead who takes the lead from themselves is asked, and is led out of the screen', async () => {
  const people = [sectorPerson(7, { name: 'Eu', isLead: true }), sectorPerson(2)]
  show([comercial({ isWhole: false, people })], {}, false)
  press('Tirar Eu do setor')
  press('Salvar')
  let dialog = within(await screen.findByRole('dialog', { name: 'Deixar Comercial sem responsável?' }))
  dialog.getByText('Você deixa de responder por Comercial e não pode mais mudar este setor.')
  dialog.getByText('Quando a fila para, ninguém da equipe é avisado, só quem administra.')
  fireEvent.click(dialog.getByRole('button', { name: 'Continuar editando' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(server.sent).toEqual([])
  press('Salvar')
  dialog = within(await screen.findByRole('dialog'))
  fireEvent.click(dialog.getByRole('button', { name: 'Salvar assim mesmo' }))
  await waitFor(() => expect(location.pathname).toBe('/'))
  const body = { version: 4, people: [{ userId: 2, isLead: false }] }
  expect(server.sent).toEqual([['PATCH /api/sectors/1', body]])
  expect(toastStore.get()?.description).toBe('Você não responde mais por Comercial.')
})

test('a lead who hands the sector on, and leads another one, stays on the screen', async () => {
  const people = [sectorPerson(7, { name: 'Eu', isLead: true }), sectorPerson(2, { name: 'Bia' })]
  show([comercial({ isWhole: false, people }), managedSector(2, { isWhole: false })], {}, false)
  fireEvent.click(screen.getByRole('checkbox', { name: 'Responsável: Bia' }))
  fireEvent.click(screen.getByRole('checkbox', { name: 'Responsável: Eu' }))
  press('Salvar')
  const dialog = within(await screen.findByRole('dialog', { name: 'Deixar de responder por Comercial?' }))
  expect(dialog.queryByText(/ninguém da equipe/)).toBeNull()
  fireEvent.click(dialog.getByRole('button', { name: 'Salvar assim mesmo' }))
  await waitFor(() => expect(server.sent).toHaveLength(1))
  await screen.findByText('Tudo salvo')
  expect(location.pathname).toBe('/setores')
})

test('whoever leaves a sector with people without a lead is asked, and only then', async () => {
  show([comercial({ people: [sectorPerson(1, { name: 'Ana', isLead: true })] })])
  fireEvent.click(screen.getByRole('checkbox', { name: 'Responsável: Ana' }))
  press('Salvar')
  const dialog = within(await screen.findByRole('dialog', { name: 'Deixar Comercial sem responsável?' }))
  fireEvent.click(dialog.getByRole('button', { name: 'Salvar assim mesmo' }))
  await waitFor(() => expect(server.sent).toHaveLength(1))
  await screen.findByText('Tudo salvo')
  type('Descrição', 'Preços')
  press('Salvar')
  await waitFor(() => expect(server.sent).toHaveLength(2))
  expect(location.pathname).toBe('/setores')
})
