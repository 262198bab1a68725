import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { listSavedReports } from '#shared/reports/saved-reports.ts'
import { pressEscape } from './support/focus.ts'
import { go } from './support/go.ts'
import { lastMonth } from './support/last-month.ts'
import { inFullAlso, testInFull } from './support/matrix.ts'
import { expectSound } from './support/sound.ts'
import { colleague, signedIn, url } from './support/stage.ts'

// The reports: every figure opens the conversations that it counts.

const figure = (page: Page, name: string) =>
  page
    .getByRole('region', { name: 'Números do período' })
    .getByRole('button', { name: new RegExp(`^${name}: `) })
const rows = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
/** '1.219 conversas', '1.219 conversas, 57 fora do expediente' */
const noted = async (page: Page): Promise<number> => {
  const note = page
    .locator('section', { has: page.getByRole('button', { name: 'Fechar a lista' }) })
    .locator('header p')
  const [, shown = ''] = /([\d.]+) conversas?(?:,|$)/.exec((await note.textContent()) ?? '') ?? []
  return shown === '' ? -1 : Number(shown.replaceAll('.', ''))
}
const month = '/reports?period=month'
const settled = async (page: Page) => {
  await page.getByRole('region', { name: 'Números do período' }).waitFor()
  await page.getByRole('rowheader', { name: 'Ana Beatriz Nogueira' }).first().waitFor()
}

const sizes = inFullAlso([{ width: 1440, height: 900 }], [{ width: 390, height: 844 }])
describe.each(sizes)('at $width px', (size) => {
  let page: Page
  beforeAll(async () => {
    page = await signedIn('admin', size)
  })

  test("the report of a period is loaded at once, of chosen dates by 'Gerar Relatório'", async () => {
    await page.goto(`${url}/reports`)
    await page.getByRole('heading', { name: 'Relatórios' }).waitFor()
    for (const name of ['Total', 'Aguardando Cliente', 'Aguardando Operador', 'Finalizadas'])
      await figure(page, name).waitFor()
    await page.getByRole('radio', { name: 'Personalizado' }).click()
    await page.getByLabel('Data inicial').fill('2026-01-01')
    await page.getByText(/^Clique em Gerar Relatório para ver/).waitFor()
    await expect.poll(() => page.url()).toBe(`${url}/reports`)
    await page.getByRole('button', { name: 'Gerar Relatório' }).click()
    await expect.poll(() => page.url()).toContain('period=custom&startDate=2026-01-01')
    await page.getByRole('radio', { name: 'Mês' }).click()
    await expect.poll(() => page.url()).toBe(url + month)
    await settled(page)
    for (const name of ['Operador', 'Total', 'Ativas', 'Finalizadas', 'Aguardando', 'Status'])
      await rows(page, 'Desempenho por operador').getByRole('columnheader', { name, exact: true }).waitFor()
    // Charts take their width from the page.
    await expect.poll(() => page.locator('svg[role=img]').count()).toBe(2)
    await expectSound(page, size.width)
  })

  testInFull('a figure opens its conversations, and explains itself', async () => {
    await go(page, lastMonth)
    await settled(page)
    await figure(page, 'Primeira resposta').click()
    const list = rows(page, 'Primeira resposta').first()
    for (const name of ['Média', 'Mediana', 'p90']) await list.getByText(name, { exact: true }).waitFor()
    await list.getByRole('columnheader', { name: 'No expediente' }).waitFor()
    await expectSound(page, size.width)
    const contact = list.getByRole('row').nth(1).getByRole('link')
    const name = await contact.locator('[title]').last().getAttribute('title')
    await contact.click()
    await page
      .getByRole('heading', { name: new RegExp(name?.replaceAll(/[^\p{L}\d ]/gu, '.') ?? '?', 'u') })
      .first()
      .waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Fechar a lista' }).click()
    await expect.poll(() => page.url()).toBe(url + lastMonth)
    await page.getByRole('button', { name: 'O que é Primeira resposta' }).click()
    await page.getByText('Ficam de fora:').waitFor()
    await page.getByText(/^[\d.]+ − [\d.]+ = [\d.]+ conversas$/).waitFor()
    await pressEscape(page)
  })

  testInFull('the report is narrowed, sorted, compared, and read by the clock', async () => {
    await go(page, `${lastMonth}&figure=queue`)
    await settled(page)
    await page.getByText(/ contra /).waitFor()
    await expect.poll(() => noted(page)).toBeGreaterThan(0)
    const whole = await noted(page)
    await page.getByRole('combobox', { name: 'Operador' }).click()
    await page.getByRole('option', { name: 'Carla Menezes' }).click()
    await expect.poll(() => page.url()).toContain('operatorId=')
    await figure(page, 'Tempo na fila').click()
    await expect.poll(() => noted(page)).toBeLessThan(whole)
    await page.getByRole('radio', { name: 'No relógio' }).click()
    await page
      .getByRole('columnheader', { name: 'No relógio' })
      .and(page.locator('[aria-sort=descending]'))
      .waitFor()
    // Narrow screens have no room for the column.
    if (size.width > 390) {
      await page.getByRole('button', { name: 'Chegou' }).click()
      await page
        .getByRole('columnheader', { name: 'Chegou' })
        .and(page.locator('[aria-sort=descending]'))
        .waitFor()
    }
    await page.getByRole('button', { name: 'Comparar' }).click()
    await page.getByText(/ contra /).waitFor({ state: 'detached' })
    await page.getByRole('radio', { name: 'Personalizado' }).click()
    await page.getByLabel('Data inicial').fill('2026-03-10')
    await page.getByLabel('Data final').fill('2026-03-01')
    await page.getByText('A data final é anterior à data inicial').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Gerar Relatório' }).isDisabled()).toBe(true)
  })

  testInFull('a report moves by its arrows and by the calendar, and fetches again when asked', async () => {
    await go(page, lastMonth)
    await settled(page)
    const day = /startDate=(\d{4}-\d\d)/.exec(lastMonth)?.[1] ?? ''
    await page.getByRole('button', { name: 'Período anterior' }).click()
    await expect.poll(() => page.url()).not.toContain(day)
    const calendar = page.getByRole('button', { name: /Escolher no calendário$/ })
    // The calendar itself is the browser's, outside of the page.
    await calendar.locator('xpath=..').locator('input').fill(`${day}-15`)
    await expect.poll(() => page.url()).toContain(`startDate=${day}-15`)
    await calendar.and(page.getByRole('button', { name: new RegExp(`^01/${day.slice(5)}`) })).waitFor()
    const again = page.waitForResponse('**/api/reports/stats?*')
    await page.getByRole('button', { name: 'Gerar Relatório' }).click()
    await again
  })

  testInFull('the table of the operators is sorted, and its figures open their conversations', async () => {
    await go(page, lastMonth)
    await settled(page)
    const table = rows(page, 'Desempenho por operador')
    const totals = async () => {
      const texts = await table.getByRole('button', { name: /, total: / }).allTextContents()
      return texts.slice(0, -1).map((text) => Number(text.replaceAll('.', '')))
    }
    await table.getByRole('button', { name: 'Total', exact: true }).click()
    await table
      .getByRole('columnheader', { name: 'Total' })
      .and(page.locator('[aria-sort=descending]'))
      .waitFor()
    await expect.poll(async () => (await totals()).length).toBeGreaterThan(3)
    const shown = await totals()
    expect(shown).toEqual(shown.toSorted((a, b) => b - a))
    await table.getByText('Conta ativa').first().waitFor()
    await expectSound(page, size.width)
    await table.getByRole('button', { name: /^Carla Menezes, atendimento: / }).click()
    await page.getByRole('button', { name: 'Fechar a lista' }).waitFor()
    await expect.poll(() => noted(page)).toBeGreaterThan(0)
  })

  testInFull('the report can be exported as a file', async () => {
    await go(page, `${lastMonth}&figure=rated`)
    await settled(page)
    const saving = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Baixar estas conversas como CSV' }).click()
    const file = await saving
    const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
    await expect.poll(() => noted(page)).toBe(lines.length - 1)
    expect(lines[0]).toContain('Protocolo;Contato;Empresa;Categoria;Operador')
  })

  testInFull('filters of reports are saved under a name, and opened again', async () => {
    await go(page, '/reports?period=week&figure=handling')
    await settled(page)
    await page.getByRole('button', { name: 'Salvos' }).click()
    await page.getByLabel('Salvar este relatório como').fill('Tempo de atendimento')
    await page.getByRole('button', { name: 'Salvar', exact: true }).click()
    await page.getByRole('link', { name: 'Tempo de atendimento' }).waitFor()
    await page.goto(`${url}/reports`)
    await page.getByRole('button', { name: 'Salvos' }).click()
    await page.getByRole('link', { name: 'Tempo de atendimento' }).click()
    await expect.poll(() => page.url()).toBe(`${url}/reports?period=week&figure=handling`)
    await page.getByRole('button', { name: 'Salvos' }).click()
    await page.getByRole('button', { name: 'Apagar Tempo de atendimento' }).click()
    await page.getByText('Nenhum relatório salvo ainda.').waitFor()
    const admin = await colleague('admin')
    await expect.poll(() => admin.call('GET', listSavedReports.path)).toEqual([])
  })

  testInFull('a report of a period without conversations says so', async () => {
    await go(page, '/reports?period=month&startDate=2020-02-01&tag=nada')
    await page.getByText('Nenhuma conversa no período').waitFor()
    await expectSound(page, size.width)
    await page.getByRole('button', { name: 'Limpar filtros' }).click()
    await expect.poll(() => page.url()).toBe(`${url}/reports?period=month&startDate=2020-02-01`)
  })

  testInFull('a report that failed can be tried again', async () => {
    await page.route('**/api/reports/stats*', (route) =>
      route.fulfill({ status: 500, json: { code: 'request.failed', message: 'x' } }),
    )
    await page.goto(url + month)
    await page.getByText('Erro ao Carregar', { exact: true }).waitFor()
    await page.getByText('Ocorreu um erro ao carregar os relatórios. Tente novamente.').waitFor()
    await expectSound(page, size.width)
    await page.unroute('**/api/reports/stats*')
    await page.getByRole('button', { name: 'Tentar Novamente' }).click()
    await settled(page)
  })

  testInFull('the dashboard shows the week, each number with its conversations', async () => {
    await go(page, '/')
    const week = page.getByRole('region', { name: 'Na semana' })
    const total = week.getByRole('link', { name: /^[\d.]+$/ }).first()
    await total.waitFor()
    const shown = Number((await total.textContent())?.replaceAll('.', ''))
    await total.click()
    await expect.poll(() => page.url()).toContain('figure=total')
    await expect.poll(() => noted(page)).toBe(shown)
  })
})

test('an operator is denied the reports, a supervisor is not', async () => {
  const bruno = await signedIn('bruno')
  await expect.poll(() => bruno.getByRole('link', { name: 'Relatórios' }).count()).toBe(0)
  await go(bruno, '/reports')
  await bruno.getByText('Acesso Negado').waitFor()
  await bruno.getByText('Você não tem permissão para acessar os relatórios.').waitFor()
  const supervisor = await signedIn('supervisora')
  await supervisor.getByRole('link', { name: 'Relatórios' }).click()
  await figure(supervisor, 'Total').waitFor()
})

test('a report is printed whole, with who printed it', async () => {
  const page = await signedIn('admin', { width: 1440, height: 900 })
  await go(page, `${lastMonth}&figure=handling&limit=50`)
  await settled(page)
  await page.locator('svg[role=img]').nth(1).waitFor()
  await rows(page, 'Atendimento').getByRole('row').nth(20).waitFor()
  await page.emulateMedia({ media: 'print' })
  await page.getByText(/ · no expediente · impresso por Marina Queiroz em /).waitFor()
  await page.getByText(/^Aqui estão 1 a 50 de \d+ conversas\. A exportação tem todas\.$/).waitFor()
  for (const name of ['Navegação principal', 'Filtros do relatório'])
    await page.getByLabel(name).waitFor({ state: 'hidden' })
  for (const name of ['Desempenho por operador', 'Por grupo', 'Quando os clientes escrevem', 'Avaliações'])
    await rows(page, name).waitFor()
  // Nothing has a scroll bar of its own, of which paper would show a part, and no text ends in '…'.
  const cut = () =>
    page.locator('main, main *').evaluateAll((all) =>
      all
        .filter((one) => {
          const { overflowY, textOverflow, webkitLineClamp } = getComputedStyle(one)
          const isCut = textOverflow === 'ellipsis' || webkitLineClamp !== 'none'
          return (
            (one.scrollHeight > one.clientHeight + 1 && (isCut || /auto|scroll/.test(overflowY))) ||
            (isCut && one.scrollWidth > one.clientWidth)
          )
        })
        .map(({ className }) => String(className)),
    )
  await expect.poll(cut).toEqual([])
  await page.emulateMedia({ media: null })
  const paper = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  expect(paper.match(/\/Type\s*\/Page\b/g)?.length).toBeGreaterThan(3)
})
