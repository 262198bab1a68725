import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PhoneView } from '#simulator/control-views.ts'
import { inFullAlso, testInFull } from './support/matrix.ts'
import { newChat } from './support/open-chat.ts'
import { expectSound } from './support/sound.ts'
import { colleague, phones, signedIn } from './support/stage.ts'

// On a narrow screen: the actions on a message, each also with a broken connection or an invalid file.

const width = 390
const supervisora = await colleague('supervisora')

describe.each(inFullAlso(['light'], ['dark']))('at 390 px, %s', (theme) => {
  let page: Page
  let phone: PhoneView
  let count = 0
  beforeAll(async () => {
    page = await signedIn('supervisora', { width, height: 844, theme })
  })
  beforeEach(async () => {
    ;({ phone } = await newChat(page, supervisora, `Estreita ${theme} ${++count}`, 'custa 10'))
  })

  const said = (text: string) => page.getByRole('log').getByRole('article').filter({ hasText: text })
  const react = async () => {
    await said('custa 10').getByRole('button', { name: 'Opções da mensagem' }).click()
    await page.getByRole('menuitem', { name: 'Responder' }).waitFor()
    await expectSound(page, width)
    await page.getByRole('menuitem', { name: 'Reagir com 👍' }).click()
  }
  const reaction = () => said('custa 10').getByRole('img', { name: 'Reações: 👍', exact: true })

  testInFull('a reaction that does not go out is said so, and goes when it is tried again', async () => {
    await page.route('**/reaction', (route) => route.abort())
    await react()
    await page.getByText('Erro ao reagir', { exact: true }).waitFor()
    await reaction().waitFor({ state: 'detached' })
    await page.unroute('**/reaction')
    await react()
    await reaction().waitFor()
    await expect
      .poll(async () => (await phones.chat(phone.id))[0]?.reactions.map(({ emoji }) => emoji))
      .toEqual(['👍'])
    await expectSound(page, width)
  })

  test('who waits in the queue is finalized from the header, and their name has room there', async () => {
    const header = page.getByRole('region', { name: /^Conversa com / }).first()
    await header.getByRole('button', { name: 'Assumir' }).waitFor()
    const name = header.getByRole('heading', { level: 1 })
    await expect.poll(async () => (await name.boundingBox())?.width ?? 0).toBeGreaterThan(80)
    await header.getByRole('button', { name: 'Finalizar', exact: true }).click()
    await page.getByRole('dialog', { name: 'Finalizar atendimento' }).waitFor()
    await expectSound(page, width)
  })

  test('the facts under the name fade where they go on, and not at their end', async () => {
    const facts = page.getByRole('group', { name: 'Dados da conversa' })
    const fade = () => facts.evaluate((strip) => getComputedStyle(strip).maskImage)
    await expect.poll(fade).toContain('linear-gradient')
    await facts.evaluate((strip) => strip.scrollTo({ left: strip.scrollWidth }))
    await expect.poll(fade).toBe('none')
    await facts.evaluate((strip) => strip.scrollTo({ left: 0 }))
    await expect.poll(fade).toContain('linear-gradient')
    // There is nothing to go on to where all of them fit.
    await page.setViewportSize({ width: 1440, height: 844 })
    await expect.poll(fade).toBe('none')
    await page.setViewportSize({ width, height: 844 })
  })

  test('at 200 % zoom the ribbon and the chips give their height to the messages', async () => {
    const chip = page.getByRole('button', { name: 'Saudação' })
    const ribbon = page.getByText('Modo de demonstração', { exact: false })
    const messages = async () => (await page.getByRole('log').boundingBox())?.height ?? 0
    // Of 1440 × 900 px less is left.
    await page.setViewportSize({ width: 720, height: 500 })
    await chip.waitFor()
    await ribbon.waitFor()
    const before = await messages()
    await page.setViewportSize({ width: 720, height: 499 })
    await chip.waitFor({ state: 'hidden' })
    await ribbon.waitFor({ state: 'hidden' })
    await expect.poll(messages).toBeGreaterThan(before)
    await page.setViewportSize({ width, height: 844 })
  })

  test('earlier texts of a message are shown, also after a lost connection', async () => {
    const [message] = await phones.chat(phone.id)
    await phones.edit(phone.id, message?.id ?? '', 'custa 12')
    await page.route('**/versions', (route) => route.abort())
    await said('custa 12').getByRole('button', { name: 'editada' }).click()
    const before = page.getByRole('dialog', { name: 'Antes da edição' })
    await before.getByText('Não foi possível carregar o texto anterior.').waitFor()
    await expectSound(page, width)
    await page.unroute('**/versions')
    await before.getByRole('button', { name: 'Tentar novamente' }).click()
    await before.getByText('custa 10').waitFor()
    await expectSound(page, width)
  })

  testInFull(
    'a file that is not accepted is refused with a message, and the one beside it is sent',
    async () => {
      await page.locator('footer input[type=file]').setInputFiles([
        { name: 'fatura.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('MZ') },
        { name: 'recibo.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n') },
      ])
      await page.getByText('🚫 Arquivo Bloqueado', { exact: true }).waitFor()
      await expectSound(page, width)
      await page
        .getByRole('dialog', { name: 'Enviar arquivo' })
        .getByRole('button', { name: 'Enviar', exact: true })
        .click()
      await said('recibo.pdf')
        .getByRole('img', { name: /^(Enviada|Entregue)$/ })
        .waitFor()
      await expect.poll(() => said('fatura.exe').count()).toBe(0)
    },
  )
})
