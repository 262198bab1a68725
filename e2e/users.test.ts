import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { newAccount, newName } from './support/accounts.ts'
import { go } from './support/go.ts'
import { inFullAlso, testInFull } from './support/matrix.ts'
import { signedIn } from './support/stage.ts'
import { toast } from './support/toast.ts'
import { expectAccessibleState } from './support/sound.ts'

const table = (page: Page) => page.getByRole('table')
const row = (page: Page, name: string) => table(page).getByRole('row', { name: new RegExp(name) })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

const sizes = inFullAlso([{ width: 1440, height: 900 }], [{ width: 390, height: 844 }])
describe.each(sizes)('at $width px, an administrator', (size) => {
  let page: Page
  beforeAll(async () => {
    page = await signedIn('admin', size)
    await go(page, '/users')
    await page.getByRole('heading', { name: 'Usuários' }).waitFor()
  })

  testInFull('an administrator sees the users, with what each has open and finished', async () => {
    await page.getByText('Gerenciamento de usuários').waitFor()
    const ana = row(page, 'Ana Beatriz Nogueira')
    await ana.getByText('@ana', { exact: true }).waitFor()
    await ana.getByText('ana@emporioaurora.example').waitFor()
    await ana.getByText('Operador', { exact: true }).waitFor()
    await ana.getByText('ativas').waitFor()
    await ana.getByText('finalizadas').waitFor()
    // Other files sign in as her.
    await ana.getByText(/^(Último acesso .+|Online)$/).waitFor()
    await row(page, 'Marina Queiroz').getByText('Online').waitFor()
    for (const head of ['Usuário', 'Email', 'Perfil', 'Conversas', 'Ações'])
      await expect.poll(() => table(page).getByRole('columnheader', { name: head }).count()).toBe(1)
    await expectAccessibleState(page)
  })

  testInFull('an administrator finds people by name without accents, username, email or perfil', async () => {
    const search = page.getByPlaceholder('Buscar por nome, username, email ou perfil...')
    const names = () => table(page).getByRole('row').count()
    for (const words of ['heloisa', 'SUPERVISORA', 'supervisora@', 'supervisor']) {
      await search.fill(words)
      await row(page, 'Heloísa Duarte').waitFor()
      await expect.poll(names).toBe(2)
    }
    await search.fill('ninguém assim')
    await page.getByText('Nenhum usuário encontrado').waitFor()
    await page.getByText('Limpar busca').click()
    await row(page, 'Ana Beatriz Nogueira').waitFor()
  })

  testInFull('an administrator can change their own account in ways that lock nobody out', async () => {
    const own = row(page, 'Marina Queiroz')
    await expect.poll(() => own.getByRole('button', { name: /^Bloquear/ }).isDisabled()).toBe(true)
    await expect.poll(() => own.getByRole('button', { name: /^Excluir/ }).isDisabled()).toBe(true)
    await own.getByRole('button', { name: /^Editar/ }).click()
    const form = dialog(page, 'Editar Usuário')
    await expect.poll(() => form.getByRole('radio', { name: /Operador/ }).isDisabled()).toBe(true)
    await expect.poll(() => form.getByLabel('Usuário Ativo').isDisabled()).toBe(true)
    await form.getByRole('button', { name: 'Cancelar' }).click()
    await form.waitFor({ state: 'detached' })
  })

  test('an administrator creates a user, changes them and deletes them', async () => {
    const name = newName()
    await page.getByRole('button', { name: 'Novo Usuário' }).click()
    const form = dialog(page, 'Novo Usuário')
    await form.getByRole('button', { name: 'Criar' }).click()
    for (const refusal of [
      'Nome é obrigatório',
      'Username deve ter pelo menos 3 caracteres',
      'Email inválido',
      'Senha deve ter pelo menos 6 caracteres',
    ])
      await form.getByText(refusal).waitFor()
    await expectAccessibleState(page)
    await form.getByLabel('Nome').fill(name)
    await form.getByLabel('Username').fill('ana')
    await form.getByLabel('Email').fill(`nova-${Date.now()}@teste.example`)
    await form.getByRole('textbox', { name: 'Senha' }).fill('alface-roxa')
    await form.getByRole('button', { name: 'Mostrar senha' }).click()
    await expect.poll(() => form.getByRole('textbox', { name: 'Senha' }).getAttribute('type')).toBe('text')
    await form.getByRole('radio', { name: /Supervisor/ }).click()
    await form.getByRole('button', { name: 'Criar' }).click()
    await form.getByText('Já existe um usuário com este username.').waitFor()
    await form.getByLabel('Username').fill(`novo-${Date.now()}`)
    await form.getByLabel('Username').press('Enter')
    await toast(page, 'Usuário criado com sucesso').waitFor()
    await page.getByPlaceholder('Buscar por nome, username, email ou perfil...').fill(name)
    await row(page, name).getByText('Supervisor', { exact: true }).waitFor()
    await row(page, name).getByText('Nunca entrou').waitFor()
    // The search is applied a moment after the last key, and moves the row.
    await page.getByText('1-1 de 1 usuário(s)').waitFor()

    await row(page, name)
      .getByRole('button', { name: `Editar ${name}` })
      .click()
    const change = dialog(page, 'Editar Usuário')
    await change.getByText('deixe vazio para não alterar').waitFor()
    await change.getByRole('radio', { name: /Operador/ }).click()
    await change.getByRole('button', { name: 'Atualizar' }).click()
    await toast(page, 'Usuário atualizado com sucesso').waitFor()
    await row(page, name).getByText('Operador', { exact: true }).waitFor()

    await row(page, name)
      .getByRole('button', { name: `Excluir ${name}` })
      .click()
    const question = dialog(page, 'Excluir Usuário')
    await question.getByText(/não entra mais/).waitFor()
    await question.getByRole('button', { name: 'Excluir' }).click()
    await toast(page, 'Usuário excluído com sucesso').waitFor()
    await page.getByText('Nenhum usuário encontrado').waitFor()
    await page.getByText('Limpar busca').click()
  })
})

testInFull('a change of a user that the server refuses is reported, and nothing typed is lost', async () => {
  const page = await signedIn('admin')
  await go(page, '/users')
  await page.route('**/api/users', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 500, body: '' }) : route.continue(),
  )
  await page.route('**/api/users/*', (route) => route.fulfill({ status: 500, body: '' }))
  await page.getByRole('button', { name: 'Novo Usuário' }).click()
  const form = dialog(page, 'Novo Usuário')
  await form.getByLabel('Nome').fill('Fica Aqui')
  await form.getByLabel('Username').fill('fica-aqui')
  await form.getByLabel('Email').fill('fica@teste.example')
  await form.getByRole('textbox', { name: 'Senha' }).fill('alface-roxa')
  await form.getByRole('button', { name: 'Criar' }).click()
  await toast(page, 'Erro ao criar usuário').waitFor()
  await expect.poll(() => form.getByLabel('Nome').inputValue()).toBe('Fica Aqui')
  await form.getByRole('button', { name: 'Cancelar' }).click()
  await row(page, 'Bruno Tavares')
    .getByRole('button', { name: /^Editar/ })
    .click()
  await dialog(page, 'Editar Usuário').getByLabel('Nome').fill('Outro')
  await dialog(page, 'Editar Usuário').getByRole('button', { name: 'Atualizar' }).click()
  await toast(page, 'Erro ao atualizar usuário').waitFor()
  await dialog(page, 'Editar Usuário').getByRole('button', { name: 'Cancelar' }).click()
  await row(page, 'Bruno Tavares')
    .getByRole('button', { name: /^Excluir/ })
    .click()
  await dialog(page, 'Excluir Usuário').getByRole('button', { name: 'Excluir' }).click()
  await toast(page, 'Erro ao excluir usuário').waitFor()
})

test('nobody but administrators sees the users', async () => {
  for (const username of inFullAlso(['supervisora'], ['ana'])) {
    const page = await signedIn(username)
    await go(page, '/users')
    await page.getByRole('heading', { name: 'Acesso Negado' }).waitFor()
    await page.getByText('Você não tem permissão para acessar esta página.').waitFor()
  }
})

testInFull('a user name that does not fit is cut, and pushes nothing off the screen', async () => {
  const name = `Aa${'nomecomprido'.repeat(6)}${Date.now() % 100_000}`
  await newAccount(name)
  for (const width of [1440, 390]) {
    const page = await signedIn('admin', { width, height: 844 })
    await go(page, `/users?search=${name}`)
    const last = page.getByRole('button', { name: `Excluir ${name}` })
    await expect.poll(async () => ((await last.boundingBox())?.x ?? width) + 24).toBeLessThan(width)
  }
})
