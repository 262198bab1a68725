import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { may, screenPaths, screenRuleOf } from '#shared/acts.ts'
import { type Flag, flags, type Flags, powerlessFlags } from '#shared/permissions.ts'
import { defaultFlags } from '#shared/users/default-flags.ts'
import { newAccount } from './support/accounts.ts'
import { newContext } from './support/browser.ts'
import { Colleague } from './support/colleague.ts'
import { pressEscape } from './support/focus.ts'
import { go } from './support/go.ts'
import { describeInFull, inFullAlso, testInFull } from './support/matrix.ts'
import { expectAccessibleState } from './support/sound.ts'
import { browser, colleague, password, signedIn, url } from './support/stage.ts'
import { toast } from './support/toast.ts'

const activated = (count: number) => `${count} de ${flags.length} permissões ativadas`

/** The flags that an account of the role has on. Those that would give it nothing are shown as off. */
const usualFlags = (role: 'supervisor' | 'operator') =>
  flags.filter((flag) => defaultFlags(role)[flag] && !powerlessFlags[role].includes(flag))

/** How many screens an operator with these flags opens. */
function screensOf(granted: readonly Flag[]): number {
  const permissions = Object.fromEntries(flags.map((flag) => [flag, granted.includes(flag)])) as Flags
  return screenPaths.filter((path) => {
    const { opensWith } = screenRuleOf(path)
    return opensWith === undefined || may({ role: 'operator', permissions }, opensWith)
  }).length
}

const cards = (page: Page) => page.getByRole('list', { name: 'Usuários' }).getByRole('listitem')
const card = (page: Page, name: string) => cards(page).filter({ hasText: name })
const search = (page: Page) => page.getByPlaceholder('Buscar por nome, usuário ou email...')

async function openDialog(page: Page, name: string) {
  await search(page).fill(name)
  // A click while the list is being filtered may end beside the button, which has moved.
  await expect.poll(() => cards(page).count()).toBe(1)
  await card(page, name)
    .getByRole('button', { name: `Configurar ${name}` })
    .click()
  const dialog = page.getByRole('dialog', { name })
  await dialog.waitFor()
  return dialog
}

const sizes = inFullAlso([{ width: 1440, height: 900 }], [{ width: 390, height: 844 }])
describe.each(sizes)('at $width px, an administrator', (size) => {
  let page: Page
  beforeAll(async () => {
    page = await signedIn('admin', size)
    await go(page, '/permissions')
    await page.getByRole('heading', { name: 'Permissões' }).waitFor()
  })

  testInFull('an administrator sees everybody, and whose permissions are not the usual ones', async () => {
    await search(page).fill('bruno')
    const bruno = card(page, 'Bruno Tavares')
    await bruno.getByText('@bruno').waitFor()
    await bruno.getByText('Operador', { exact: true }).waitFor()
    await bruno.getByText('Padrão', { exact: true }).waitFor()
    if (size.width > 1000) await bruno.getByText('Configurar', { exact: true }).waitFor()
    await expectAccessibleState(page)
    await search(page).fill('ninguém assim')
    await page.getByText('Nenhum usuário encontrado').waitFor()
    await page.getByText('Limpar busca').click()
    await card(page, 'Bruno Tavares').waitFor()
  })

  test("a card opens the permissions wherever it is pressed, and 'Ver como' at one place", async () => {
    await search(page).fill('bruno')
    await expect.poll(() => cards(page).count()).toBe(1)
    const bruno = card(page, 'Bruno Tavares')
    const dialog = page.getByRole('dialog', { name: 'Bruno Tavares' })
    const opens = async (tab: string) => {
      await dialog.getByRole('tab', { name: tab, selected: true }).waitFor()
      await pressEscape(page)
      await dialog.waitFor({ state: 'detached' })
    }
    const { width, height } = (await bruno.boundingBox()) ?? { width: 0, height: 0 }
    // A corner, the middle, and the other end.
    for (const position of [
      { x: 8, y: height - 8 },
      { x: 100, y: height / 2 },
      { x: width - 8, y: height / 2 },
    ]) {
      await bruno.click({ position })
      await opens('Permissões')
    }
    await bruno.getByText('@bruno').click({ force: true })
    await opens('Permissões')
    await bruno.getByText('Padrão', { exact: true }).click({ force: true })
    await opens('Permissões')
    const viewAs = bruno.getByRole('button', { name: 'Ver como Bruno Tavares' })
    await viewAs.click()
    await opens('Ver como')
    const configure = bruno.getByRole('button', { name: 'Configurar Bruno Tavares' })
    await configure.focus()
    await page.keyboard.press('Enter')
    await opens('Permissões')
    await expect.poll(() => configure.evaluate((one) => one === document.activeElement)).toBe(true)
    await page.keyboard.press('Tab')
    await expect.poll(() => viewAs.evaluate((one) => one === document.activeElement)).toBe(true)
  })

  testInFull('an administrator turns pages, with the number of all', async () => {
    await go(page, '/permissions?limit=5')
    await page.getByText(/Página 1 de \d+ \(\d+ usuários no total\)/).waitFor()
    await page.getByRole('button', { name: 'Próxima página' }).click()
    await page.getByText(/Página 2 de \d+/).waitFor()
    await page.getByRole('button', { name: 'Primeira página' }).click()
    await page.getByText(/Página 1 de \d+/).waitFor()
    if (size.width > 1000)
      for (const word of ['Primeira', 'Anterior', 'Próxima', 'Última'])
        await page.getByText(word, { exact: true }).waitFor()
    await go(page, '/permissions')
  })

  test('an administrator gives and takes permissions, each at once', async () => {
    const { id, name } = await newAccount()
    const usual = usualFlags('operator')
    await page.reload()
    const dialog = await openDialog(page, name)
    await dialog.getByText(activated(usual.length)).waitFor()
    await expectAccessibleState(page)
    await dialog.getByRole('switch', { name: /Ver arquivadas/ }).click()
    await toast(page, 'Permissão atualizada com sucesso!').waitFor()
    await page.getByRole('region', { name: 'Notificações' }).getByText('Sucesso', { exact: true }).waitFor()
    await dialog.getByText(activated(usual.length + 1)).waitFor()
    await dialog.getByRole('button', { name: 'Desativar todas' }).click()
    await dialog.getByText(activated(0)).waitFor()
    await dialog.getByRole('button', { name: 'Ativar todas', exact: true }).click()
    await dialog.getByText(activated(flags.length - powerlessFlags.operator.length)).waitFor()
    // What gives an operator nothing can not be given.
    const tracking = dialog.getByRole('switch', { name: /Ver rastreamento/ })
    await expect.poll(() => tracking.isDisabled()).toBe(true)
    await dialog.getByText('Somente administradores', { exact: true }).first().waitFor()

    await dialog.getByRole('combobox', { name: 'Perfil' }).click()
    await page.getByRole('option', { name: 'Supervisor' }).click()
    await toast(page, 'Tipo de usuário alterado').waitFor()
    // The flags are those of the new role.
    await dialog.getByText(activated(usualFlags('supervisor').length)).waitFor()
    await dialog.getByRole('button', { name: 'Fechar' }).last().click()
    await card(page, name).getByText('Padrão', { exact: true }).waitFor()
    await (await colleague('admin')).call('DELETE', `/api/users/${id}`)
  })
})

const looks = [
  { width: 1440, height: 900, theme: 'dark' },
  { width: 390, height: 844, theme: 'light' },
] as const
describeInFull.each(looks)("'Ver como' at $width px", (size) => {
  let page: Page
  beforeAll(async () => {
    page = await signedIn('admin', size)
    await go(page, '/permissions')
  })

  const open = async (name: string) => {
    await search(page).fill(name)
    await page.getByRole('button', { name: `Ver como ${name}` }).click()
    const dialog = page.getByRole('dialog', { name })
    await dialog.getByRole('tab', { name: 'Ver como', selected: true }).waitFor()
    return dialog
  }

  test('the screen says what a person is granted, with the reason for what is missing', async () => {
    const { id, name } = await newAccount()
    await page.reload()
    const dialog = await open(name)
    const line = (screen: string, label: string) =>
      dialog.getByRole('region', { name: screen }).getByRole('listitem').filter({ hasText: label })
    const opened = screensOf(usualFlags('operator'))
    await dialog.getByText(`Abre ${opened} de ${screenPaths.length} telas`).waitFor()
    await dialog.getByRole('region', { name: 'Usuários' }).getByText('Acesso negado').waitFor()
    await dialog
      .getByRole('region', { name: 'Usuários' })
      .getByText('Somente administradores', { exact: true })
      .waitFor()
    await line('Chat', 'Transferir').getByText('Pode', { exact: true }).waitFor()
    await line('Chat', 'Excluir').getByText('Não aparece').waitFor()
    await line('Chat', 'Excluir').getByText('Falta “Excluir conversas”').waitFor()
    await line('Chat', '+ Criar Nova Empresa').getByText('Aparece, mas é recusado').waitFor()
    await expectAccessibleState(page)

    // With what is toggled beside it, by keyboard.
    const [permissions, viewAs] = ['Permissões', 'Ver como'].map((tab) =>
      dialog.getByRole('tab', { name: tab }),
    )
    await viewAs?.press('ArrowLeft')
    await permissions?.press('Enter')
    await dialog.getByRole('switch', { name: /Transferir conversas/ }).press('Space')
    await dialog.getByRole('switch', { name: /Ver dashboard/ }).press('Space')
    await permissions?.press('ArrowRight')
    await viewAs?.press('Enter')
    await line('Chat', 'Transferir').getByText('Aparece, mas é recusado').waitFor()
    await line('Conversas Ativas', 'Transferir').getByText('Não aparece').waitFor()
    await dialog.getByText(`Abre ${opened - 1} de ${screenPaths.length} telas`).waitFor()
    await dialog.getByRole('region', { name: 'Dashboard' }).getByText('No menu, acesso negado').waitFor()
    await (await colleague('admin')).call('POST', `/api/users/${id}/toggle-block`)
    await page.reload()
    await (await open(name)).getByText('Agora não entra no sistema: o usuário está bloqueado.').waitFor()
    await pressEscape(page)
    await (await colleague('admin')).call('DELETE', `/api/users/${id}`)
  })

  test('the permissions are what the people themselves see', async () => {
    const people = [
      ['ana', 'Ana Beatriz Nogueira'],
      ['supervisora', 'Heloísa Duarte'],
      ['admin', 'Marina Queiroz'],
    ] as const
    for (const [username, name] of people) {
      const theirs = await signedIn(username)
      const links = theirs.getByRole('navigation', { name: 'Telas' }).getByRole('link')
      await links.first().waitFor()
      const menu = (await links.allTextContents()).map((text) => text.replace(/\d.*$/, ''))
      const dialog = await open(name)
      const inMenu = dialog.getByRole('region').filter({ hasText: 'No menu' })
      await expect
        .poll(async () => (await inMenu.getByRole('heading').allTextContents()).join())
        .toBe(menu.map((title) => `${title}No menu`).join())
      await pressEscape(page)
      await dialog.waitFor({ state: 'detached' })
    }
  })
})

test('a revoked permission is gone from an open screen within a second', async () => {
  const { name, username } = await newAccount()
  const { token } = await Colleague.signIn(url, username, password)
  const context = await newContext(browser, { session: { url, token } })
  const theirs = await context.newPage()
  await theirs.goto(`${url}/conversas-ativas`)
  await theirs.getByRole('list', { name: 'Conversas ativas' }).waitFor()
  const page = await signedIn('admin')
  await go(page, '/permissions')
  const dialog = await openDialog(page, name)
  await dialog.getByRole('switch', { name: /Ver conversas/ }).press('Space')
  await toast(page, 'Permissão atualizada com sucesso!').waitFor()
  await theirs.getByRole('list', { name: 'Conversas ativas' }).waitFor({ state: 'detached', timeout: 10_000 })
  await dialog.getByRole('button', { name: 'Fechar' }).last().click()
  await card(page, name).getByText('Personalizado').waitFor()
})

testInFull('a change that the server refuses is reported, and undone', async () => {
  const { name } = await newAccount()
  const page = await signedIn('admin')
  await go(page, '/permissions')
  const dialog = await openDialog(page, name)
  const archived = dialog.getByRole('switch', { name: /Ver arquivadas/ })
  await page.route('**/api/user-permissions', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 500, body: '' }) : route.continue(),
  )
  await archived.click()
  await toast(page, '❌ Erro').waitFor()
  await toast(page, 'Falha ao criar permissões: Erro desconhecido').waitFor()
  await expect.poll(() => archived.isChecked()).toBe(false)
  await page.unroute('**/api/user-permissions')
  await archived.click()
  await toast(page, 'Permissão atualizada com sucesso!').waitFor()
  await page.route('**/api/user-permissions/*', (route) =>
    route.fulfill({ status: 409, json: { code: 'permissions.exists', message: 'Alguém mudou antes.' } }),
  )
  await archived.click()
  await toast(page, 'Falha ao atualizar permissões: Alguém mudou antes.').waitFor()
  await expect.poll(() => archived.isChecked()).toBe(true)

  const choose = async () => {
    await dialog.getByRole('combobox', { name: 'Perfil' }).click()
    await page.getByRole('option', { name: 'Supervisor' }).click()
  }
  await page.route('**/api/users/*', (route) => route.fulfill({ status: 500, body: '' }))
  await choose()
  await toast(page, 'Erro ao alterar tipo de usuário').waitFor()
  await toast(page, 'Não foi possível alterar o tipo de usuário. Tente novamente.').waitFor()
  await page.unroute('**/api/users/*')
  await page.route('**/api/users/*', (route) => route.abort())
  await choose()
  await toast(page, 'Ocorreu um erro inesperado. Tente novamente.').waitFor()
})

test('nobody but administrators sees the permissions', async () => {
  for (const username of inFullAlso(['ana'], ['supervisora'])) {
    const page = await signedIn(username)
    await go(page, '/permissions')
    await page.getByRole('heading', { name: 'Acesso Negado' }).waitFor()
    await page
      .getByText(
        'Você não tem permissão para acessar esta página. Apenas administradores podem gerenciar permissões.',
      )
      .waitFor()
  }
})

testInFull('a name that does not fit is cut, and pushes nothing off the screen', async () => {
  const name = `Aa${'nomecomprido'.repeat(6)}${Date.now() % 100_000}`
  await newAccount(name)
  for (const width of [1440, 390]) {
    const page = await signedIn('admin', { width, height: 844 })
    await go(page, `/permissions?search=${name}`)
    const last = page.getByRole('button', { name: `Configurar ${name}` })
    await expect.poll(async () => ((await last.boundingBox())?.x ?? width) + 24).toBeLessThan(width)
  }
})
