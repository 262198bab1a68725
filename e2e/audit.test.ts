import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { AuditPage } from '#shared/audit/audit-logs.ts'
import { actForAudit } from './support/audit-acts.ts'
import { go } from './support/go.ts'
import { inFullAlso, testInFull } from './support/matrix.ts'
import { expectAccessibleState } from './support/sound.ts'
import { colleague, phones, signedIn, url } from './support/stage.ts'

type Acts = Awaited<ReturnType<typeof actForAudit>>

const table = (page: Page) => page.getByRole('table').first()
const row = (page: Page, words: string) => table(page).getByRole('row').filter({ hasText: words })
const chip = (page: Page, name: string | RegExp) =>
  page.getByRole('group', { name: 'Filtros' }).getByRole('button', { name, exact: typeof name === 'string' })
const opened = async (page: Page, address: string) => {
  await go(page, address)
  await page.getByRole('heading', { name: 'Auditoria' }).waitFor()
}
/** As a new page, which has fetched nothing yet. */
const loaded = async (page: Page, address: string) => {
  await page.goto(`${url}${address}`)
  await page.getByRole('heading', { name: 'Auditoria' }).waitFor()
}

const sizes = inFullAlso([{ width: 1440, height: 900 }], [{ width: 390, height: 844 }])
describe.each(sizes)('at $width px, an administrator', (size) => {
  let page: Page
  let acts: Acts
  beforeAll(async () => {
    const [admin, bruno] = await Promise.all([colleague('admin'), colleague('bruno')])
    acts = await actForAudit(url, phones, { admin, bruno })
    page = await signedIn('admin', size)
  })

  test('an administrator reads a sentence for each act, under its day', async () => {
    await opened(page, '/auditoria')
    await page.getByText('Quem fez o quê, quando e de onde. Nada aqui se edita.').waitFor()
    await table(page).getByRole('rowheader', { name: 'Hoje' }).waitFor()
    const { name, typed, client } = acts
    for (const [who, what] of [
      ['Marina Queiroz', `excluiu a conta de ${name}`],
      ['Sem login', `tentativa de login recusada para "${typed}"`],
      ['Bruno Tavares', 'tentou abrir Usuários sem permissão'],
      ['Marina Queiroz', 'mudou a configuração LGPD'],
      ['Marina Queiroz', `leu a conversa finalizada de ${client}, atendida por Bruno Tavares`],
      ['Bruno Tavares', `finalizou a conversa de ${client}`],
      ['Marina Queiroz', `mudou o perfil de ${name} de Operador para Supervisor`],
      ['Marina Queiroz', `mudou as permissões de ${name}: 3 ligadas e 1 desligada`],
      ['Marina Queiroz', `criou a conta de ${name}, Operador`],
    ] as const) {
      const found = row(page, what).first()
      await found.waitFor()
      await expect.poll(() => found.textContent()).toContain(who)
    }
    await expect.poll(() => row(page, typed).getByText('Recusado').count()).toBe(1)
    await expectAccessibleState(page)
  })

  testInFull('an administrator opens a row of the audit with its details', async () => {
    await opened(page, `/auditoria?group=permissions&resourceType=user&resourceId=${acts.id}`)
    // What was shown before stays until the answer is there, and a row that moves is not clicked.
    await row(page, 'criou a conta de').first().waitFor({ state: 'detached' })
    await row(page, 'mudou as permissões de')
      .getByRole('button', { name: /^Abrir registro/ })
      .click()
    const changes = table(page).getByRole('table')
    const changed = changes.getByRole('row', { name: /Criar conversas/ })
    await changed.getByRole('deletion').getByText('desligada').waitFor()
    await changed.getByRole('insertion').getByText('ligada', { exact: true }).waitFor()
    await changes.getByRole('row', { name: /Editar contatos ligada desligada/ }).waitFor()
    await page.getByText('Marina Queiroz, Administrador').waitFor()
    await page.getByRole('button', { name: /^Só deste endereço/ }).waitFor()
    // Sealed a second later, and asked for again with the next focus.
    await expect
      .poll(async () => {
        await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
        return page.getByText(/^lugar [\d.]+ da corrente$/).count()
      })
      .toBe(1)
    await expectAccessibleState(page)
    await page.getByRole('button', { name: /^Fechar registro/ }).click()
    await changes.waitFor({ state: 'detached' })
  })

  testInFull('an administrator finds what somebody did, and keeps the filter in the address', async () => {
    await opened(page, '/auditoria')
    await chip(page, 'Pessoa').click()
    await page.getByRole('option', { name: 'Bruno Tavares (@bruno)' }).click()
    await row(page, 'tentou abrir Usuários sem permissão').first().waitFor()
    await expect.poll(() => table(page).getByText('Marina Queiroz').count()).toBe(0)
    await chip(page, 'Ação').click()
    await page.getByRole('option', { name: 'Acessos negados' }).click()
    await expect.poll(() => row(page, 'finalizou a conversa').count()).toBe(0)
    expect(new URL(page.url()).searchParams.get('group')).toBe('access')
    await page.reload()
    await chip(page, 'Pessoa: Bruno Tavares').waitFor()
    await chip(page, 'Ação: Acessos negados').waitFor()
    await row(page, 'tentou abrir Usuários sem permissão').first().waitFor()
    await chip(page, 'Tirar o filtro: Pessoa').click()
    await chip(page, 'Pessoa').waitFor()
    await page.getByRole('button', { name: 'Limpar filtros' }).first().click()
    await row(page, 'Marina Queiroz').first().waitFor()
    expect(new URL(page.url()).search).toBe('')
  })

  testInFull('an administrator sees only what was refused', async () => {
    await opened(page, '/auditoria')
    await chip(page, 'Só recusados').click()
    await row(page, acts.typed).waitFor()
    await expect.poll(() => row(page, 'excluiu a conta').count()).toBe(0)
    await expect.poll(() => chip(page, 'Só recusados').getAttribute('aria-pressed')).toBe('true')
  })

  testInFull('an administrator sees only what was changed', async () => {
    await opened(page, '/auditoria')
    await row(page, acts.typed).waitFor()
    await chip(page, 'Só mudanças').click()
    await row(page, acts.typed).waitFor({ state: 'detached' })
    await row(page, 'finalizou a conversa').first().waitFor()
    await expect.poll(() => chip(page, 'Só mudanças').getAttribute('aria-pressed')).toBe('true')
    await expect.poll(() => row(page, 'leu a conversa').count()).toBe(0)
    // What was refused has changed nothing.
    await chip(page, 'Só recusados').click()
    await row(page, acts.typed).waitFor()
    await expect.poll(() => chip(page, 'Só mudanças').getAttribute('aria-pressed')).toBe('false')
  })

  testInFull('an administrator chooses days, and reads when nothing was recorded', async () => {
    await opened(page, '/auditoria')
    await row(page, acts.typed).waitFor()
    await chip(page, 'Período').click()
    const form = page.getByRole('dialog', { name: 'Período' })
    await form.getByLabel('De').fill('2020-01-02')
    await form.getByLabel('Até').fill('2020-01-01')
    await form.getByText('O período termina antes de começar').waitFor()
    await form.getByLabel('Até').fill('2020-01-03')
    await form.getByRole('button', { name: 'Aplicar' }).click()
    await chip(page, 'Período: 02/01 a 03/01/2020').waitFor()
    await page.getByText('Nenhum registro com estes filtros').waitFor()
    await page.getByText('Aumente o período ou tire um filtro.').waitFor()
    await expectAccessibleState(page)
    await chip(page, /^Período/).click()
    await form.getByRole('button', { name: 'Hoje' }).click()
    await row(page, acts.typed).waitFor()
  })

  testInFull('an administrator finds all from an address', async () => {
    await opened(page, '/auditoria')
    await chip(page, 'Endereço').click()
    const form = page.getByRole('dialog', { name: 'Endereço' })
    await form.getByLabel('Endereço (IP)').fill('203.0.113.250')
    await form.getByRole('button', { name: 'Aplicar' }).click()
    await page.getByText('Nenhum registro com estes filtros').waitFor()
    await page.getByRole('button', { name: 'Limpar filtros' }).last().click()
    await row(page, acts.typed)
      .getByRole('button', { name: /^Abrir/ })
      .click()
    await page.getByText('Usuario ou senha invalido tente novamente').waitFor()
    await page.getByRole('button', { name: /^Só deste endereço/ }).click()
    await chip(page, /^Endereço: /).waitFor()
    await row(page, acts.typed).waitFor()
  })

  testInFull('an administrator gets new rows without asking', async () => {
    await opened(page, '/auditoria')
    await row(page, acts.typed).waitFor()
    const name = `Padaria da Auditoria ${size.width} ${Date.now()}`
    await (await colleague('admin')).call('POST', '/api/companies', { name })
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    await row(page, `cadastrou a empresa ${name}`).waitFor()
  })

  testInFull('an administrator takes what the filter shows as a file, which is itself recorded', async () => {
    await opened(page, `/auditoria?group=permissions&resourceType=user&resourceId=${acts.id}`)
    await row(page, 'mudou as permissões de').waitFor()
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Exportar CSV' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toMatch(/^auditoria-\d{4}-\d\d-\d\d\.csv$/)
    const text = await readFile(await download.path(), 'utf8')
    expect(text.split('\r\n')).toHaveLength(3)
    expect(text).toContain(`Marina Queiroz mudou as permissões de ${acts.name}: 3 ligadas e 1 desligada`)
    await opened(page, '/auditoria?group=audit')
    await row(page, 'exportou 1 registro da auditoria').first().waitFor()
  })

  testInFull('an administrator reads where the chain is broken, or that it is whole', async () => {
    const check = {
      checkedAt: '2026-11-19T17:30:00.000Z',
      position: 48_212,
      breaks: 0,
      firstPosition: null,
      firstFault: null,
    }
    const show = (found: object) =>
      page.route('**/api/audit-logs?*', async (route) => {
        const answer = await route.fetch()
        const body = (await answer.json()) as AuditPage
        await route.fulfill({ json: { ...body, chain: { ...body.chain, check: { ...check, ...found } } } })
      })
    await show({})
    await loaded(page, '/auditoria')
    await page.getByText('48.212 registros íntegros, conferidos em 19/11/2026 14:30').waitFor()
    await page.unroute('**/api/audit-logs?*')
    await show({ breaks: 2, firstPosition: 31_904, firstFault: 'changed' })
    await loaded(page, '/auditoria')
    const alert = page.getByRole('alert')
    await alert.getByText('O registro 31.904 não confere com o anterior').waitFor()
    await alert.getByText('Alguém mexeu na tabela fora do Balcão, em 2 lugares').waitFor()
    await alert.getByText('npm run admin -- audit-verify').waitFor()
    await expectAccessibleState(page)
    await page.unroute('**/api/audit-logs?*')
    await loaded(page, '/auditoria')
  })

  testInFull('an administrator can try again when it could not be read', async () => {
    await page.route('**/api/audit-logs?*', (route) =>
      route.fulfill({ status: 503, json: { code: 'x', message: 'Sem banco' } }),
    )
    await loaded(page, '/auditoria?limit=50')
    await page.getByText('Erro ao carregar').waitFor()
    await page.getByText('Sem banco').waitFor()
    await page.unroute('**/api/audit-logs?*')
    await page.getByRole('button', { name: 'Tentar novamente' }).click()
    await table(page).waitFor()
  })
})

testInFull('everything is reached by keyboard: a filter, its list, a row and its details', async () => {
  const page = await signedIn('admin', { width: 1440, height: 900 })
  await opened(page, '/auditoria')
  await table(page).waitFor()
  await chip(page, 'Período').focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: /@ana/ }).waitFor()
  // The list has the focus a moment after it is shown.
  const role = () => page.evaluate(() => document.activeElement?.getAttribute('role') ?? '')
  await expect.poll(role).toMatch(/combobox|listbox|option/)
  // Whoever other tests have created and deleted stands there, too.
  const names = await page.getByRole('option').allInnerTexts()
  const steps = names.findIndex((name) => name.includes('Bruno Tavares'))
  for (let step = 0; step < steps; step++) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await chip(page, 'Pessoa: Bruno Tavares').waitFor()
  // The focus is where it was, so that the next filter is one key away.
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Pessoa: Bruno Tavares')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await chip(page, 'Pessoa').waitFor()
  const button = table(page)
    .getByRole('button', { name: /^Abrir registro/ })
    .first()
  await button.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^Fechar registro/ }).waitFor()
  await page.keyboard.press('Tab')
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toMatch(/^Só deste/)
})

test('a supervisor with the permission finds it in the side bar; others do not, nor open it', async () => {
  const chief = await signedIn('supervisora', { width: 1440, height: 900 })
  await chief.getByRole('navigation', { name: 'Telas' }).getByRole('link', { name: 'Auditoria' }).click()
  await table(chief).waitFor()
  const ana = await signedIn('ana', { width: 1440, height: 900 })
  await expect
    .poll(() => ana.getByRole('navigation', { name: 'Telas' }).getByRole('link').count())
    .toBeGreaterThan(1)
  await expect.poll(() => ana.getByRole('link', { name: 'Auditoria' }).count()).toBe(0)
  await go(ana, '/auditoria')
  await ana.getByRole('heading', { name: 'Acesso Negado' }).waitFor()
  await ana.getByText('Você não tem permissão para acessar esta página.').waitFor()
})
