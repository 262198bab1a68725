import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible } from './support/sound.ts'
import { newContext } from './support/browser.ts'
import { Colleague } from './support/colleague.ts'
import { startEmptyInstallation } from './support/empty-installation.ts'
import { go } from './support/go.ts'
import { inFullAlso, testInFull } from './support/matrix.ts'
import { expectSound } from './support/sound.ts'
import { browser, signedIn } from './support/stage.ts'
import { toast } from './support/toast.ts'

interface Managed {
  sectors: { id: number; name: string; defaultOf: number[] }[]
  inherited: { numbers: { id: number; name: string }[] }
}
// Beside the demonstration, whose sectors other files use: an installation without any.
const at = await startEmptyInstallation()
const { url: gateway, apiKey, instanceName } = at.simulator
const admin = await Colleague.signIn(at.url, at.admin.username, at.admin.password)
const managed = () => admin.call<Managed>('GET', '/api/sectors/managed')

beforeAll(async () => {
  await admin.call('POST', '/api/evolution-config', { instanceName, apiKey, baseUrl: gateway })
  await admin.call('POST', '/api/users', {
    username: 'ana',
    name: 'Ana Beatriz Nogueira',
    email: 'ana@aurora.example',
    password: 'alface-roxa-e-comprida',
    role: 'operator',
  })
})
afterAll(() => at.close())

async function deleteAll() {
  for (const { id } of (await managed()).sectors)
    await admin.call('DELETE', `/api/sectors/${id}?targetId=none`)
}

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
const list = (page: Page) => page.getByRole('list', { name: 'Setores' })
const editor = (page: Page, name: string) => page.getByRole('form', { name: `Setor ${name}` })

const sizes = inFullAlso([{ width: 1440, height: 900 }], [{ width: 390, height: 844 }])
describe.each(sizes)('at $width px, an administrator', (size) => {
  let page: Page
  beforeAll(async () => {
    await deleteAll()
    const session = { url: at.url, token: admin.token }
    page = await (await newContext(browser, { ...size, session })).newPage()
    await page.goto(`${at.url}/setores`)
  })

  test('the first sector is made by the tour, and nothing before its end', async () => {
    await page.getByText('Nenhum setor ainda').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Criar o primeiro setor' }).click()
    const tour = dialog(page, 'Criar o primeiro setor')
    const next = tour.getByRole('button', { name: 'Continuar' })
    await next.click()
    await tour.getByText('Nome é obrigatório').waitFor()
    await tour.getByLabel('Nome *').fill('Comercial')
    await tour.getByLabel('Descrição').fill('Preços, pedidos e prazos')
    await tour.getByText('No menu: “1 - Comercial: preços, pedidos e prazos”').waitFor()
    await next.click()
    await tour.getByRole('combobox', { name: 'Adicionar pessoa' }).fill('ana')
    await tour.getByRole('option', { name: 'Ana Beatriz Nogueira' }).click()
    await tour.getByRole('checkbox', { name: 'Responsável: Ana Beatriz Nogueira' }).check()
    await next.click()
    const { inherited } = await managed()
    const [number] = inherited.numbers
    await tour.getByRole('checkbox', { name: number?.name ?? '' }).check()
    await next.click()
    await tour.getByText(/Ana Beatriz Nogueira passa a ver Comercial/).waitFor()
    await tour.getByText(/Para os outros nada muda/).waitFor()
    await expectAccessible(page)
    await expect.poll(async () => (await managed()).sectors).toEqual([])
    await tour.getByRole('button', { name: 'Criar setor' }).click()
    await toast(page, 'Setor criado').waitFor()
    const receives = editor(page, 'Comercial').getByRole('checkbox', { name: number?.name ?? '' })
    await expect.poll(() => receives.isChecked()).toBe(true)
    await expect.poll(async () => (await managed()).sectors[0]?.defaultOf).toEqual([number?.id])
  })

  test('a sector is changed by one save, which says what is unsaved before', async () => {
    const form = editor(page, 'Comercial')
    await form.getByLabel('Nome', { exact: true }).fill('Vendas')
    await form.getByRole('radio', { name: 'Roxo' }).click()
    await form.getByRole('button', { name: 'Escrever próprio: Transferência' }).click()
    await form.getByLabel('Transferência', { exact: true }).fill('Vou te passar para o time de vendas.')
    await form.getByText('3 mudanças não salvas: nome, cor, texto de transferência').waitFor()
    await form.getByRole('button', { name: 'Salvar' }).click()
    await toast(page, 'Setor salvo').waitFor()
    await editor(page, 'Vendas').getByText('Tudo salvo').waitFor()
    await editor(page, 'Vendas').getByText('Do setor', { exact: true }).waitFor()
    await expectAccessible(page)
    await expectSound(page, size.width)
  })

  testInFull('whoever leaves unsaved changes of a sector is asked', async () => {
    const form = editor(page, 'Vendas')
    await form.getByLabel('Nome', { exact: true }).fill('Outro nome')
    await page.goBack()
    await dialog(page, 'Sair sem salvar?').getByRole('button', { name: 'Continuar editando' }).click()
    await form.getByRole('button', { name: 'Descartar' }).click()
    await form.getByText('Tudo salvo').waitFor()
  })

  test('a deleted sector gives what it has to another one', async () => {
    if (size.width < 1200) await page.getByRole('button', { name: 'Voltar aos setores' }).click()
    await page.getByRole('button', { name: 'Novo setor' }).click()
    const form = dialog(page, 'Novo setor')
    await form.getByLabel('Nome *').fill('vendas')
    await form.getByRole('button', { name: 'Criar setor' }).click()
    await form.getByText('Já existe o setor ‘Vendas’').waitFor()
    await form.getByLabel('Nome *').fill('Suporte')
    await form.getByRole('button', { name: 'Criar setor' }).click()
    await editor(page, 'Suporte').waitFor()
    if (size.width < 1200) await page.getByRole('button', { name: 'Voltar aos setores' }).click()
    await page.getByRole('link', { name: 'Menu de setores' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Dispensar o aviso do menu' }).click()
    await expect.poll(() => page.getByRole('link', { name: 'Menu de setores' }).count()).toBe(0)
    await list(page)
      .getByRole('link', { name: /Vendas/ })
      .click()
    await editor(page, 'Vendas').getByRole('button', { name: 'Excluir setor' }).click()
    const question = dialog(page, 'Excluir ‘Vendas’?')
    await question.getByText(/É o padrão de/).waitFor()
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Excluir e mover' }).click()
    await toast(page, 'Setor excluído').waitFor()
    await expect.poll(async () => (await managed()).sectors[0]?.defaultOf.length).toBe(1)
    await expect.poll(() => list(page).getByRole('listitem').count()).toBe(1)
  })
})

test('nobody who neither manages nor leads a sector sees them', async () => {
  const page = await signedIn('elisa')
  await go(page, '/setores')
  await page.getByRole('heading', { name: 'Acesso Negado' }).waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'Setores' }).count()).toBe(0)
})

test('the names of the people of a sector are read whole where the editor is narrow', async () => {
  const page = await signedIn('admin', { width: 1280, height: 720 })
  await go(page, '/setores')
  const people = page.getByRole('list', { name: 'Pessoas do setor' }).getByRole('listitem')
  await people.nth(1).waitFor()
  const cut = () =>
    people.evaluateAll((rows) =>
      rows.flatMap((row) =>
        [...row.querySelectorAll<HTMLElement>('[title][dir=auto]')]
          .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
          .map(({ title }) => title),
      ),
    )
  await expect.poll(cut).toEqual([])
})
