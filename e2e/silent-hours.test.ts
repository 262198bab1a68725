import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { newAccount } from './support/accounts.ts'
import { newContext, signIn } from './support/browser.ts'
import { Colleague } from './support/colleague.ts'
import { refusal } from './support/focus.ts'
import { inFullAlso } from './support/matrix.ts'
import { newTalk } from './support/open-chat.ts'
import { rightNow } from './support/right-now.ts'
import { expectSound } from './support/sound.ts'
import { browser, colleague, password, signedIn, url } from './support/stage.ts'
import { listenToTones, tonesOf } from './support/tones.ts'
import { toast } from './support/toast.ts'

// When the console is quiet: of a person, and of the team.

const admin = await colleague('admin')
const readSettings = () => admin.call<SystemSettings>('GET', '/api/system-settings')
const before = await readSettings()
afterAll(() => {
  const { silentHours, newDayPresence } = before
  return admin.call('PATCH', '/api/system-settings', { silentHours, newDayPresence })
})

const bell = (page: Page) => page.getByRole('button', { name: /^Menções e avisos/ })
const quietBell = (page: Page) => page.getByRole('button', { name: /Horário silencioso/ })
const press = (page: Page, days: string, names: readonly string[]) =>
  names.reduce(
    (done, name) =>
      done.then(() => page.getByRole('group', { name: days }).getByRole('button', { name }).click()),
    Promise.resolve(),
  )
const week = ['Segunda', 'Terça', 'Quarta', 'Quinta', 'Sexta', 'Sábado', 'Domingo']

const sizes = inFullAlso(
  [{ width: 1440, height: 900, theme: 'light' as const }],
  [{ width: 390, height: 844, theme: 'dark' as const }],
)
describe.each(sizes)('at $width px', (size) => {
  test('silent hours of a person keep the console quiet, and say so at the bell', async () => {
    const account = await newAccount()
    const context = await newContext(browser, size)
    await listenToTones(context)
    const page = await context.newPage()
    await signIn(page, url, account.username, password)
    const person = await Colleague.signIn(url, account.username, password)
    await page.goto(`${url}/conversas-ativas`)
    await page.getByRole('status').getByText('Conectado').waitFor()
    await newTalk(admin, `Antes Do Silêncio ${size.width}`)
    await expect.poll(() => tonesOf(page)).toEqual([800])

    await page.goto(`${url}/perfil`)
    const section = page.getByRole('region', { name: 'Horário silencioso' })
    await section.getByText('O padrão da equipe.').waitFor()
    await section.getByRole('button', { name: 'Mudar' }).click()
    const dialog = page.getByRole('dialog', { name: 'Horário silencioso' })
    await dialog.getByRole('radio', { name: 'Meu horário' }).click()
    await press(page, 'Dias em que começa', week)
    await dialog.getByRole('button', { name: 'Salvar' }).click()
    await refusal(dialog.getByText('Escolha pelo menos um dia'))
    await press(page, 'Dias de folga', week)
    await expectSound(page, size.width)
    await dialog.getByRole('button', { name: 'Salvar' }).click()
    await toast(page, 'Horário silencioso salvo').waitFor()
    await section.getByText('O seu: das 22:00 às 07:00, nos dias que você escolheu.').waitFor()
    await quietBell(page).click()
    await page.getByText('Horário silencioso', { exact: true }).last().waitFor()
    await expectSound(page, size.width)

    await page.goto(`${url}/conversas-ativas`)
    await quietBell(page).waitFor()
    await page.getByRole('status').getByText('Conectado').waitFor()
    const name = `Durante O Silêncio ${size.width}`
    await newTalk(admin, name)
    await page.getByText(name).first().waitFor()
    expect(await rightNow('it was drawn, and would have rung', tonesOf(page))).toEqual([])

    await person.call('PUT', '/api/profile/silent-hours', { silentHours: null })
    await expect.poll(() => quietBell(page).count()).toBe(0)
    await bell(page).waitFor()
    await newTalk(admin, `Depois Do Silêncio ${size.width}`)
    await expect.poll(() => tonesOf(page)).toEqual([800])
    await context.close()
  })

  test('an administrator sets what a day begins with, and when the team is not disturbed', async () => {
    const page = await signedIn('admin', size)
    await page.goto(`${url}/settings-advanced?aba=dia`)
    await page.getByRole('combobox', { name: 'Um novo dia começa como' }).click()
    await page.getByRole('option', { name: 'Ausente', exact: true }).click()
    await page.getByRole('combobox', { name: 'Silêncio' }).click()
    await page.getByRole('option', { name: 'Em certos horários' }).click()
    await page.getByLabel('Fim do silêncio').fill('2200')
    await page.getByRole('button', { name: 'Salvar' }).click()
    await refusal(page.getByText('O fim é igual ao início'))
    await page.getByLabel('Fim do silêncio').fill('7h30')
    await expectSound(page, size.width)
    await page.getByRole('button', { name: 'Salvar' }).click()
    await toast(page, 'Dia de trabalho salvo com sucesso!').waitFor()
    const stored = await readSettings()
    expect(stored.newDayPresence).toBe('away')
    expect(stored.silentHours).toMatchObject({ mode: 'hours', start: '22:00', end: '07:30' })
    await admin.call('PATCH', '/api/system-settings', { silentHours: before.silentHours })
  })
})
