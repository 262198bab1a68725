import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Timesheets } from '#shared/workday/timesheets.ts'
import { newName } from './support/accounts.ts'
import { newChat } from './support/open-chat.ts'
import { pressEscape, refusal } from './support/focus.ts'
import { inFullAlso } from './support/matrix.ts'
import { expectSound } from './support/sound.ts'
import { colleague, signedIn, url } from './support/stage.ts'
import { toast } from './support/toast.ts'

// Pauses, and the working days that come of them.

const admin = await colleague('admin')
const supervisor = await colleague('supervisora')

const pauses = (page: Page) => page.getByRole('list', { name: 'Pausas' })
const presence = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name: typeof name === 'string' ? `Presença: ${name}` : name })
const openMenu = async (page: Page, width: number) => {
  if (width < 768) await page.getByRole('button', { name: 'Abrir menu' }).click()
  await presence(page, /^Presença/).click()
  await page.getByRole('menuitemradio', { name: /^Disponível/ }).waitFor()
}

/** The last weekday before today on which the people of the demonstration worked. */
async function lastWorkday(): Promise<string> {
  for (let ago = 1; ago < 8; ago++) {
    const day = new Date(Date.now() - ago * 86_400_000 - 3 * 3_600_000).toISOString().slice(0, 10)
    const { sheets } = await supervisor.call<Timesheets>(
      'GET',
      `/api/timesheets?startDate=${day}&endDate=${day}`,
    )
    if (sheets.length >= 5) return day
  }
  throw new Error('nobody worked in a week')
}

const sizes = inFullAlso(
  [{ width: 1440, height: 900, theme: 'light' }],
  [{ width: 390, height: 844, theme: 'dark' }],
)
describe.each(sizes)('at $width px', (size) => {
  let page: Page
  beforeAll(async () => {
    page = await signedIn('admin', size)
  })

  test('an administrator creates a pause, changes it, switches it off and deletes it', async () => {
    await page.goto(`${url}/settings-advanced?aba=pausas`)
    await pauses(page).getByRole('heading', { name: 'Almoço' }).waitFor()
    const name = `Ginástica ${newName()}`.slice(0, 40)
    await page.getByRole('button', { name: 'Nova pausa' }).click()
    const form = page.getByRole('region', { name: 'Nova pausa' })
    await form.getByLabel('Limite (min)').fill('700')
    await form.getByRole('button', { name: 'Salvar' }).click()
    await form.getByText('De 1 a 600 minutos').waitFor()
    await refusal(form.getByText('Nome é obrigatório'))
    await form.getByLabel('Nome *').fill('almoco')
    await form.getByLabel('Limite (min)').fill('20')
    await form.getByRole('radio', { name: 'Coração' }).click()
    await expectSound(page, size.width)
    await form.getByRole('button', { name: 'Salvar' }).click()
    await refusal(form.getByText('Já existe o motivo ‘Almoço’'))
    await form.getByLabel('Nome *').fill(name)
    await form.getByRole('button', { name: 'Salvar' }).click()
    await toast(page, 'Pausa criada').waitFor()
    const row = pauses(page).getByRole('listitem').filter({ hasText: name })
    await row.getByText('limite de 20 min').waitFor()
    await row.getByRole('button', { name: `Editar ${name}` }).click()
    const changed = page.getByRole('region', { name: 'Editar pausa' })
    await changed.getByLabel('Limite (min)').fill('')
    await changed.getByLabel('Conta como trabalho').click()
    await changed.getByRole('button', { name: 'Salvar' }).click()
    await row.getByText('sem limite · conta como trabalho').waitFor()
    await row.getByRole('switch', { name: `Oferecer ${name}` }).click()
    await row.getByText('Inativa').waitFor()
    page.once('dialog', (dialog) => void dialog.accept())
    await row.getByRole('button', { name: `Excluir ${name}` }).click()
    await row.waitFor({ state: 'detached' })
  })

  test('a pause is chosen in the menu, counts its time, is seen by colleagues, and ends', async () => {
    const ana = await signedIn('ana', size)
    await page.goto(url)
    await openMenu(ana, size.width)
    await ana.getByRole('menuitemradio', { name: /^Lanche/ }).click()
    await presence(ana, 'Lanche').waitFor()
    await expect
      .poll(() => presence(ana, 'Lanche').locator('[data-time]').getAttribute('data-time'))
      .toMatch(/^00:0[1-9]$/)
    await page
      .getByRole('row', { name: /Ana Beatriz Nogueira/ })
      .getByText(/de 15 min/)
      .waitFor()
    const figures = page.getByLabel('Presença da equipe')
    await expect.poll(() => figures.textContent()).toMatch(/Em pausa[1-9]/)
    await expectSound(page, size.width)
    await presence(ana, 'Lanche').click()
    await ana.getByText(/^Hoje: disponível \d+ (h \d+ )?min, pausas \d+ (h \d+ )?min/).waitFor()
    await expectSound(ana, size.width)
    await pressEscape(ana)
    await expectSound(ana, size.width)
    if (size.width < 768) await pressEscape(ana)
    await ana.keyboard.press('Control+k')
    await ana.getByRole('combobox').fill('pausa banh')
    await ana.getByRole('option', { name: /Pausa: Banheiro/ }).click()
    await page
      .getByRole('row', { name: /Ana Beatriz Nogueira/ })
      .getByText('Banheiro')
      .waitFor()
    await ana.keyboard.press('Control+k')
    await ana.getByRole('combobox').fill('voltar a disp')
    await ana.keyboard.press('Enter')
    await page
      .getByRole('row', { name: /Ana Beatriz Nogueira/ })
      .getByText('Online')
      .waitFor()
    await ana.context().close()
  })

  test('whoever answers a client in a pause is asked once whether they are back', async () => {
    const bruno = await colleague('bruno')
    const reasons = await bruno.call<{ id: number; name: string }[]>('GET', '/api/pauses')
    const reasonId = reasons.find(({ name }) => name === 'Banheiro')?.id
    const browser = await signedIn('bruno', size)
    await newChat(browser, bruno, newName())
    await bruno.call('PUT', '/api/profile/presence', { state: 'paused', reasonId })
    // The pause was begun elsewhere: this page knows of it.
    await browser.reload()
    const field = browser.getByRole('textbox', { name: 'Mensagem' })
    await field.fill('Já respondo.')
    await field.press('Enter')
    await toast(browser, 'Voltar a Disponível?').waitFor()
    await browser.getByRole('button', { name: 'Voltar', exact: true }).last().click()
    await expect
      .poll(
        async () => (await bruno.call<{ user: { pause: object | null } }>('GET', '/api/auth/me')).user.pause,
      )
      .toBeNull()
    await browser.context().close()
  })

  test('a working day is read to its records, corrected, and downloaded', async () => {
    const day = await lastWorkday()
    // Whose day the other size has corrected has no such row.
    const name = size.width < 768 ? 'Diego Sampaio' : 'Carla Menezes'
    const reader = await signedIn('supervisora', size)
    await reader.goto(`${url}/jornada?startDate=${day}`)
    await reader.getByRole('rowheader', { name: new RegExp(name) }).waitFor()
    await expectSound(reader, size.width)
    await reader.getByRole('button', { name: new RegExp(`^Pausas de ${name}`) }).click()
    await reader.getByText('só as pausas').waitFor()
    const row = reader.getByRole('row', { name: /^\d\d:\d\d:\d\d .*Lanche/ })
    await row.getByRole('button', { name: 'Corrigir' }).click()
    await expect
      .poll(() => reader.evaluate(() => document.activeElement?.getAttribute('role')))
      .toBe('combobox')
    await reader.getByRole('button', { name: 'Corrigir' }).last().click()
    await reader.getByText('Diga por quê').waitFor()
    await reader.getByRole('combobox', { name: 'Novo estado' }).click()
    await reader.getByRole('option', { name: 'Treinamento' }).click()
    await reader.getByLabel('Por quê').fill('curso da nova tabela')
    await reader.getByLabel('Por quê').press('Enter')
    await toast(reader, 'Jornada corrigida').waitFor()
    await reader.getByRole('button', { name: new RegExp(`^Registros de ${name}`) }).click()
    await reader.getByText(/por Heloísa Duarte em .*: “curso da nova tabela”/).waitFor()
    await expectSound(reader, size.width)
    const download = reader.waitForEvent('download')
    await reader.getByRole('link', { name: 'Baixar a jornada como CSV' }).click()
    await expect.poll(async () => (await download).suggestedFilename()).toBe(`jornada-${day}-a-${day}.csv`)
    await reader.context().close()
  })

  test('an operator sees their own day alone', async () => {
    const elisa = await signedIn('elisa', size)
    await elisa.goto(`${url}/jornada?period=week&startDate=${await lastWorkday()}`)
    await elisa.getByText('Você vê só a sua jornada').waitFor()
    await expect.poll(() => elisa.getByRole('rowheader').count()).toBe(1)
    await elisa.context().close()
  })
})

test('what the administrator names is told in the audit log', async () => {
  const { rows } = await admin.call<{ rows: { action: string }[] }>('GET', '/api/audit-logs?limit=100')
  expect(rows.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['pause.create', 'pause.change', 'pause.delete', 'timesheet.correct']),
  )
})
