import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PhoneView } from '#simulator/control-views.ts'
import { inFullAlso, testInFull } from './support/matrix.ts'
import { go } from './support/go.ts'
import { newTalk, openChat as openChatOf } from './support/open-chat.ts'
import { rightNow } from './support/right-now.ts'
import { expectAccessibleState, expectSound } from './support/sound.ts'
import { createCable } from './support/cuttable-proxy.ts'
import { expectFocused, pressEscape } from './support/focus.ts'
import { colleague, phones, signedIn, url } from './support/stage.ts'

// Two people in one chat: who has it open, who types, and the confirmation before both answer.

const sizes = inFullAlso([[1440, 'light']], [[390, 'dark']])
describe.each(sizes)('at %i px, %s', (width, theme) => {
  let ana: Page
  let bruno: Page
  let phone: PhoneView
  let id: number
  let last = 0
  beforeAll(async () => {
    ana = await signedIn('ana', { width, height: 860, theme })
    bruno = await signedIn('bruno', { width: 1440, height: 860 })
  })
  beforeEach(async () => {
    const caller = await colleague('ana')
    ;({ phone, id } = await newTalk(caller, `Colisão ${width}-${++last}`, 'alguém me ouve?'))
    await openList(bruno)
    await openChat(ana)
  })

  const openList = async (page: Page) => {
    await go(page, `/conversas-ativas?search=${phone.name.replace(' ', '+')}`)
    await page.getByRole('link', { name: phone.name }).waitFor()
  }
  const openChat = async (page: Page) => {
    await openChatOf(page, id, phone.name)
    await page.getByRole('log').getByText('alguém me ouve?').waitFor()
  }
  /** Carla in the same chat, over a connection that can be cut. */
  const carlaByCable = async () => {
    const cable = await createCable(url)
    const carla = await signedIn('carla', { width, height: 860, theme, at: cable.url })
    await carla.goto(`${cable.url}/chat?conversation=${id}`)
    return { carla, cable }
  }
  const field = (page: Page) => page.getByPlaceholder('Digite sua mensagem...')
  const seen = () => ana.getByRole('button', { name: 'Bruno está com esta conversa aberta' })
  /** The visible text; screen readers get another one. */
  const typing = (page: Page) =>
    page
      .getByRole('region', { name: /^Conversa com / })
      .locator('[aria-hidden]', { hasText: /^(BT)?Bruno está digitando…/ })
      .filter({ visible: true })
  const question = (page: Page, words: string) =>
    page.getByRole('dialog', { name: `${words}. Enviar mesmo assim?` })
  const received = () => phones.received(phone.id)

  test('colleagues see who has the chat open until they leave, in the chat and in the list', async () => {
    await openChat(bruno)
    await seen().waitFor()
    await expectSound(ana, width)
    await openList(bruno)
    await seen().waitFor({ state: 'detached' })
    await bruno
      .getByRole('link', { name: new RegExp(`${phone.name}.*Ana está com esta conversa aberta`) })
      .waitFor()
    await bruno.getByRole('link', { name: phone.name }).click()
    await seen().waitFor()
  })

  testInFull('without a connection nobody is shown as present, and with it everybody is again', async () => {
    const { carla, cable } = await carlaByCable()
    await openChat(bruno)
    const faces = carla.getByRole('button', { name: /Bruno.* com esta conversa aberta/ })
    await faces.waitFor()
    await ana.getByRole('button', { name: 'Bruno e Carla estão com esta conversa aberta' }).waitFor()
    cable.cut()
    await faces.waitFor({ state: 'detached' })
    await seen().waitFor()
    cable.mend()
    await faces.waitFor()
    await ana.getByRole('button', { name: 'Bruno e Carla estão com esta conversa aberta' }).waitFor()
    await cable.close()
  })

  testInFull(
    'a colleague who comes and types is shown in amber, and neither composer nor card moves',
    async () => {
      const card = bruno.getByRole('link', { name: phone.name })
      const composer = ana.locator('footer').filter({ has: ana.getByPlaceholder('Digite sua mensagem...') })
      /** Width, height and place. */
      const box = (of: typeof card) => of.boundingBox()
      // Not polled: once the colleague stops, everything is as before.
      const hasNotMoved = async (what: typeof card, before: Awaited<ReturnType<typeof box>>) =>
        expect(await rightNow('a colleague must not move it', box(what))).toEqual(before)
      const amber = (page: Page) =>
        page.evaluate(() => {
          const probe = document.body.appendChild(document.createElement('i'))
          probe.style.color = 'var(--color-amber-text)'
          const { color } = getComputedStyle(probe)
          probe.remove()
          return color
        })
      const colour = (of: typeof card) => of.evaluate((words) => getComputedStyle(words).color)
      await openList(ana)
      const viewer = bruno.getByRole('link', {
        name: new RegExp(`${phone.name}.*Ana está com esta conversa`),
      })
      await viewer.waitFor({ state: 'detached' })
      const cardBefore = await box(card)
      await openChat(ana)
      await viewer.waitFor()
      await hasNotMoved(card, cardBefore)
      await field(ana).pressSequentially('um momento')
      const inCard = card.getByText('Ana está digitando…').filter({ visible: true })
      await inCard.waitFor()
      await expect.poll(async () => [await colour(inCard)]).toEqual([await amber(bruno)])
      await hasNotMoved(card, cardBefore)
      await field(ana).fill('')

      const composerBefore = await box(composer)
      await openChat(bruno)
      await seen().waitFor()
      await hasNotMoved(composer, composerBefore)
      await field(bruno).pressSequentially('um momento')
      await typing(ana).waitFor()
      await expect.poll(async () => [await colour(typing(ana))]).toEqual([await amber(ana)])
      await hasNotMoved(composer, composerBefore)
    },
  )

  testInFull('the client sees that somebody types, and the operator sees what the client does', async () => {
    await field(ana).pressSequentially('vou verificar')
    const shown = async () => (await phones.all()).find((one) => one.id === phone.id)?.companyPresence
    await expect.poll(shown).toBe('composing')
    await phones.type(phone.id, 'composing')
    await ana.locator('header').getByText('digitando…').waitFor()
    await phones.type(phone.id, 'recording')
    await ana.locator('header').getByText('gravando áudio…').waitFor()
    await bruno.getByRole('link', { name: phone.name }).getByText('gravando áudio…').waitFor()
    await phones.write(phone.id, 'e então?')
    await ana.locator('header').getByText('gravando áudio…').waitFor({ state: 'detached' })
  })

  testInFull('sending while a colleague types asks for confirmation once, by keyboard alone', async () => {
    await openChat(bruno)
    await field(bruno).pressSequentially('já respondo')
    await typing(ana).waitFor()
    await field(ana).fill('eu respondo')
    await field(ana).press('Enter')
    const dialog = question(ana, 'Bruno está digitando')
    await dialog.waitFor()
    await expectAccessibleState(ana)
    await pressEscape(ana)
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => field(ana).inputValue()).toBe('eu respondo')
    await expect.poll(() => received()).toEqual([])
    // The question is asked once: the second Enter sends.
    await expectFocused(field(ana))
    await ana.keyboard.press('Enter')
    await expect.poll(received).toContain('eu respondo')

    // What is left of the first time would pass while this is written.
    await field(bruno).fill('')
    await typing(ana).waitFor({ state: 'detached' })
    await field(bruno).pressSequentially('!')
    await typing(ana).waitFor()
    await field(ana).fill('mais uma coisa')
    await ana.waitForTimeout(400)
    await field(ana).press('Enter')
    await dialog.waitFor()
    await ana.keyboard.press('Tab')
    await ana.keyboard.press('Enter')
    await expect.poll(received).toContain('mais uma coisa')
    await expect.poll(() => field(ana).inputValue()).toBe('')
    await expectFocused(field(ana))
  })

  testInFull('sending over an answer that arrived meanwhile asks for confirmation, too', async () => {
    await field(ana).fill('o prazo é')
    const caller = await colleague('bruno')
    await caller.reply(id, 'o prazo é amanhã')
    await ana.getByRole('log').getByText('o prazo é amanhã').waitFor()
    await field(ana).press('Enter')
    const dialog = question(ana, 'Bruno acabou de responder')
    await dialog.getByRole('button', { name: 'Cancelar' }).click()
    await expect.poll(() => field(ana).inputValue()).toBe('o prazo é')
    await field(ana).fill('')
    await field(ana).fill('de nada')
    await field(ana).press('Enter')
    await expect.poll(received).toContain('de nada')
    await expect.poll(() => received()).not.toContain('o prazo é')
  })
})
