import { readFile } from 'node:fs/promises'
import type { Download, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Contact } from '#shared/contacts/contacts.ts'
import type { Sector } from '#shared/sectors/sectors.ts'

import { go } from './support/go.ts'
import { inFullAlso, testInFull } from './support/matrix.ts'
import { expectSound } from './support/sound.ts'
import { colleague, signedIn } from './support/stage.ts'

const admin = await colleague('admin')

let numbers = 0
/** A number that nobody has. */
const newNumber = () =>
  `4298${String(Date.now() % 100_000).padStart(5, '0')}${String(++numbers).padStart(2, '0')}`
const csv = (...lines: string[][]) => lines.map((cells) => cells.join(';')).join('\r\n')
const header = ['NOME', 'FONE', 'E-MAIL', 'RAZAO SOCIAL', 'TIPO', 'CPF', 'SETOR']

const open = async (page: Page) => {
  await go(page, '/contacts/import?id=novo')
  await page.getByText('Solte um CSV, XLSX ou vCard aqui').waitFor()
}
const choose = (page: Page, content: string | Buffer, name = 'contatos.csv') =>
  page.getByLabel('Arquivo de contatos').setInputFiles({
    name,
    mimeType: 'text/csv',
    buffer: Buffer.from(content),
  })
const card = (page: Page, name: string | RegExp) => page.getByRole('region', { name })
const textOf = async (download: Download) => readFile((await download.path()) ?? '', 'utf8')
const download = async (page: Page, press: () => Promise<void>) => {
  const [saved] = await Promise.all([page.waitForEvent('download'), press()])
  return saved
}
let names = 0
/** One word, so that a search finds nobody else. */
const newName = () => `Ficha${Date.now().toString(36)}x${++names}`
const contactsFound = async (search: string) =>
  (
    await admin.call<{ contacts: Contact[] }>(
      'GET',
      `/api/contacts?${new URLSearchParams({ search, limit: '100' }).toString()}`,
    )
  ).contacts
const manyRows = (count: number, name: string) => {
  const first = Number(`55429${String(Date.now() % 100_000).padStart(5, '0')}000`)
  return csv(
    ['Nome', 'Fone'],
    ...Array.from({ length: count }, (_, n) => [`${name} ${n}`, String(first + n)]),
  )
}

const sizes = inFullAlso([{ width: 1440, height: 900 }], [{ width: 390, height: 844 }])
describe.each(sizes)('at $width px, an administrator', (size) => {
  let page: Page
  beforeAll(async () => {
    page = await signedIn('admin', size)
  })

  test('an administrator imports a file, sees what was left out, corrects it, and undoes it', async () => {
    const [name, known] = [newName(), newNumber()]
    const sectors = await admin.call<Sector[]>('GET', '/api/sectors')
    const finance = sectors.find((sector) => sector.name === 'Financeiro')
    await admin.call('POST', '/api/contacts', { name: 'Antes', phone: known })
    await go(page, '/contacts')
    await page.getByRole('link', { name: 'Importar' }).click()
    await page.getByRole('heading', { name: 'Importar contatos' }).waitFor()
    await page.getByText('Solte um CSV, XLSX ou vCard aqui').waitFor()
    await expectSound(page, size.width)
    await choose(
      page,
      csv(
        header,
        [name, newNumber(), `${known}@loja.example`, `Firma ${name}`, 'vip', '123', 'financeiro'],
        [`${name} dois`, known, '', '', '', '', ''],
        [`${name} três`, '9876', '', '', '', '', ''],
        [`${name} quatro`, newNumber(), 'torto@@loja', '', '', '', ''],
        ['', newNumber(), '', '', '', '', ''],
      ),
      'clientes.csv',
    )
    const columns = card(page, 'Colunas')
    await columns.waitFor()
    await page.getByText('clientes.csv · 5 linhas').waitFor()
    await page.getByText('separador “;”, UTF-8').waitFor()
    await columns.getByRole('combobox', { name: 'No Balcão: RAZAO SOCIAL' }).getByText('Empresa').waitFor()
    await columns.getByRole('combobox', { name: 'No Balcão: SETOR' }).getByText('Setor fixo').waitFor()
    await columns.getByRole('combobox', { name: 'No Balcão: CPF' }).getByText('Não importar').waitFor()
    await columns.getByRole('list', { name: 'Como vai ficar' }).getByText('VIP').waitFor()
    await columns.getByText('1 já existe, 1 é novo, 3 com erro').waitFor()
    await expectSound(page, size.width)
    await columns.getByRole('button', { name: 'Importar' }).click()
    const result = card(page, 'Pronto, com 3 linhas de fora')
    await result.waitFor()
    for (const text of ['Telefone deve ter pelo menos 10 dígitos', 'Email inválido', 'Nome é obrigatório'])
      await result.getByText(text).waitFor()
    await expectSound(page, size.width)
    await result.getByRole('button', { name: 'Email 1' }).click()
    await result.getByText('Nome é obrigatório').waitFor({ state: 'detached' })
    await result.getByText('torto@@loja').waitFor()
    const corrections = await download(page, () =>
      result.getByRole('link', { name: 'Baixar 3 linhas para corrigir' }).click(),
    )
    expect(corrections.suggestedFilename()).toBe('clientes - corrigir.csv')
    const lines = (await textOf(corrections)).split('\r\n')
    expect(lines[0]).toBe(`\ufeff${header.join(';')};Erro`)
    expect(lines[1]).toBe(`${name} três;9876;;;;;;Telefone deve ter pelo menos 10 dígitos`)
    await expect
      .poll(() => contactsFound(name))
      .toMatchObject([
        { name, category: 'VIP', company: { name: `Firma ${name}` }, sectorId: finance?.id },
        { name: `${name} dois` },
      ])
    // The state is the server's.
    await page.reload()
    await result.getByText('Nome é obrigatório').waitFor()
    await result.getByRole('button', { name: 'Desfazer' }).click()
    const asked = page.getByRole('dialog', { name: 'Desfazer a importação?' })
    await asked.getByText('O contato novo será excluído, se não tiver conversa.').waitFor()
    await asked.getByText('1 empresa que veio com ela, e que ninguém mais usa, será excluída').waitFor()
    await expectSound(page, size.width)
    await asked.getByRole('button', { name: 'Desfazer' }).click()
    await card(page, 'Desfeita').last().getByText('excluídos').waitFor()
    await card(page, 'Desfeita').last().getByText('empresas a menos').waitFor()
    await expect.poll(() => contactsFound(name)).toEqual([])
    await expect.poll(() => contactsFound(known)).toMatchObject([{ name: 'Antes' }])
  })

  testInFull(
    'an administrator stops a long import, leaves, comes back and resumes it',
    async () => {
      const name = newName()
      await open(page)
      await choose(page, manyRows(20_000, name), 'muitos.csv')
      await card(page, 'Colunas').getByRole('button', { name: 'Importar' }).click()
      await page.getByRole('button', { name: 'Parar' }).click()
      const halted = card(page, 'Parada')
      await halted.getByText(/^Parada às \d\d:\d\d, com [\d.]+ linhas gravadas$/).waitFor()
      await expectSound(page, size.width)
      await page.getByRole('link', { name: 'Voltar aos contatos' }).click()
      await page.getByRole('heading', { name: 'Contatos', exact: true }).waitFor()
      await page.getByRole('link', { name: 'Importar' }).click()
      await page
        .getByRole('button', { name: /muitos\.csv/ })
        .first()
        .click()
      await halted.getByRole('button', { name: 'Continuar' }).click()
      const bar = page.getByRole('progressbar', { name: 'Importação em andamento' })
      await bar.waitFor()
      // Also above the contacts, with a way back.
      await go(page, '/contacts')
      await page.getByRole('progressbar', { name: 'Importando contatos' }).waitFor()
      await page.getByRole('link', { name: 'Ver', exact: true }).click()
      await card(page, 'Pronto').getByText('20.000', { exact: true }).waitFor({ timeout: 60_000 })
      await expect.poll(() => contactsFound(`${name} 19999`)).toHaveLength(1)
    },
    120_000,
  )

  testInFull('an administrator reads what a file lacks, before anything is written', async () => {
    await open(page)
    await choose(page, '%PDF-1.4 lista', 'contatos.csv')
    await page.getByText('Não conseguimos ler este arquivo', { exact: true }).waitFor()
    await page.getByText('Ele parece um PDF. Exporte de novo como CSV ou XLSX.').waitFor()
    await expectSound(page, size.width)
    // Of such columns nothing can be guessed.
    await choose(page, csv(['Quem', 'Onde'], ['Rita', newNumber()], ['2', 'não sei']))
    const columns = card(page, 'Colunas')
    await columns.getByText('Falta dizer qual coluna é o telefone.').waitFor()
    await expect.poll(() => columns.getByRole('button', { name: 'Importar' }).isDisabled()).toBe(true)
    await columns.getByRole('combobox', { name: 'No Balcão: Onde' }).click()
    await page.getByRole('option', { name: 'Telefone' }).click()
    await columns.getByText('Falta dizer qual coluna é o nome.').waitFor()
    await columns.getByRole('combobox', { name: 'No Balcão: Quem' }).click()
    await page.getByRole('option', { name: 'Nome' }).click()
    await columns.getByRole('list', { name: 'Como vai ficar' }).getByText('Rita').waitFor()
    await expect.poll(() => columns.getByRole('button', { name: 'Importar' }).isEnabled()).toBe(true)
    await columns.getByRole('button', { name: 'Cancelar' }).click()
    await page.getByText('Solte um CSV, XLSX ou vCard aqui').waitFor()
  })

  testInFull('an administrator exports the contacts that the filter shows', async () => {
    const name = newName()
    await admin.call('POST', '/api/contacts', { name, phone: newNumber(), notes: '=1+1' })
    await go(page, `/contacts?search=${encodeURIComponent(name)}`)
    await page.getByRole('row').filter({ hasText: name }).waitFor()
    const saved = async (format: string) =>
      download(page, async () => {
        await page.getByRole('button', { name: 'Exportar' }).click()
        await page.getByRole('menuitem', { name: format }).click()
      })
    const file = await saved('CSV, para o Excel')
    expect(file.suggestedFilename()).toMatch(/^contatos-\d{4}-\d\d-\d\d\.csv$/)
    const [head, row, ...others] = (await textOf(file)).split('\r\n')
    expect(head).toBe(
      '\ufeffNome;Telefone;Email;Empresa;Categoria;Etiquetas;Notas;Bloqueado;Criado em;Setor fixo',
    )
    expect(row).toMatch(new RegExp(`^${name};\\(42\\) 98\\d{3}-\\d{4};;;Geral;;'=1\\+1;Não;`))
    expect(others).toEqual([''])
    const sheet = await saved('XLSX')
    expect(sheet.suggestedFilename()).toMatch(/^contatos-\d{4}-\d\d-\d\d\.xlsx$/)
  })
})

testInFull('the import while its file is read, and when that fails', async () => {
  const page = await signedIn('admin')
  await open(page)
  const asked = Promise.withResolvers<void>()
  await page.route('**/api/contacts/import', async (route) => {
    await asked.promise
    await route.abort()
  })
  await choose(page, csv(['Nome', 'Fone'], ['Rita', newNumber()]))
  await page.getByText(/^(Enviando o arquivo: \d+%|Lendo o arquivo\.\.\.)$/).waitFor()
  asked.resolve()
  await page.getByText('Erro de conexão. Verifique sua internet e tente novamente.').waitFor()
  await page.getByRole('button', { name: 'Escolher outro' }).waitFor()
  await go(page, '/contacts/import?id=2000000000')
  await page.getByText('Importação não encontrada').waitFor()
})

test('an operator without the permission has neither button nor screen of the import', async () => {
  const page = await signedIn('ana')
  await go(page, '/contacts')
  await page.getByRole('button', { name: 'Novo Contato' }).waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'Importar' }).count()).toBe(0)
  await expect.poll(() => page.getByRole('button', { name: 'Exportar' }).count()).toBe(0)
  await go(page, '/contacts/import')
  await page.getByText('Acesso Negado').waitFor()
})
