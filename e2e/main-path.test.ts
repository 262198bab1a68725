import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newContext } from './support/browser.ts'
import { type Cable, createCable } from './support/cuttable-proxy.ts'
import { isFull } from './support/full-run.ts'
import { rightNow } from './support/right-now.ts'
import { browser, phones, signedIn, url } from './support/stage.ts'

let cable: Cable
let operator: Page
let operatorContext: BrowserContext

beforeAll(async () => {
  cable = await createCable(url)
  operator = await signedIn('ana', { at: cable.url })
  operatorContext = operator.context()
})
afterAll(() => cable.close())

const log = () => operator.getByRole('log')
const composer = () => operator.getByPlaceholder('Digite sua mensagem...')

async function reply(text: string): Promise<void> {
  await composer().fill(text)
  await composer().press('Enter')
  // A second Enter within 300 ms is ignored.
  await operator.waitForTimeout(350)
}

/** Opens the client's chat from the list. */
async function openChatOf(name: string): Promise<void> {
  await operator.goto(`${cable.url}/conversas-ativas`)
  await operator.getByText(name).first().click()
  await log().waitFor()
}

describe('the main job, in two browsers', () => {
  test('a client writes, it shows and sounds here, one reply arrives, and the ticks turn blue', async () => {
    const phone = await phones.create('Joana Prado')
    await operator.goto(`${cable.url}/conversas-ativas`)
    await operator.getByRole('heading', { name: 'Conversas Ativas' }).waitFor()
    await operator.evaluate(() => {
      const heard: unknown[] = []
      Object.assign(window, { heard })
      window.addEventListener('balcao:live', (event) =>
        heard.push((event as CustomEvent<{ type: string }>).detail.type),
      )
    })
    const client = await (await newContext(browser)).newPage()
    await client.goto(`${url}/simulador`)
    await client.getByRole('checkbox', { name: /Joana Prado/ }).check()
    const screen = client.getByRole('region', { name: /Joana Prado/ })
    await screen.getByRole('textbox', { name: 'Mensagem' }).fill('Bom dia! Vocês têm sacola?')
    await screen.getByRole('button', { name: 'Enviar', exact: true }).click()

    await operator.getByText('Joana Prado').first().waitFor()
    await expect
      .poll(() => operator.evaluate(() => (window as unknown as { heard: string[] }).heard))
      .toContain('new_conversation_with_sound')

    await operator.getByText('Joana Prado').first().click()
    await log().getByText('Bom dia! Vocês têm sacola?').waitFor()
    await reply('Temos sim, de três tamanhos!')
    await screen.getByText('Temos sim, de três tamanhos!').waitFor()
    await phones.read(phone.id)
    await log().getByRole('img', { name: 'Lida' }).waitFor()
    await expect.poll(() => phones.received(phone.id)).toEqual(['Temos sim, de três tamanhos!'])
  })

  test('a reload in the middle of sending loses nothing and doubles nothing', async () => {
    const phone = await phones.create('Recarrega Lima')
    await phones.write(phone.id, 'oi')
    await openChatOf('Recarrega Lima')
    await composer().fill('antes de recarregar')
    await composer().press('Enter')
    await operator.reload()
    await log().getByText('antes de recarregar').waitFor()
    await log().getByRole('img', { name: 'Entregue' }).waitFor()
    await expect.poll(() => phones.received(phone.id)).toEqual(['antes de recarregar'])
  })

  const cutMs = isFull ? 20_000 : 6000
  test('with the network cut for a while, three replies wait, and arrive once and in order', async () => {
    const phone = await phones.create('Sem Rede Souza')
    await phones.write(phone.id, 'tem alguém aí?')
    await openChatOf('Sem Rede Souza')
    await log().getByText('tem alguém aí?').waitFor()
    cable.cut()
    await operatorContext.setOffline(true)
    const cutAt = performance.now()
    for (const text of ['primeira sem rede', 'segunda sem rede', 'terceira sem rede']) await reply(text)
    await phones.write(phone.id, 'escrevi enquanto caiu')
    await operator.getByText('Reconectando').waitFor()
    expect(await rightNow('nothing goes out while the line is cut', phones.received(phone.id))).toEqual([])
    await operator.waitForTimeout(Math.max(0, cutMs - (performance.now() - cutAt)))
    cable.mend()
    await operatorContext.setOffline(false)
    await log().getByText('escrevi enquanto caiu').waitFor({ timeout: 60_000 })
    await expect
      .poll(() => phones.received(phone.id), { timeout: 60_000 })
      .toEqual(['primeira sem rede', 'segunda sem rede', 'terceira sem rede'])
    await expect.poll(() => log().getByRole('img', { name: 'Entregue' }).count(), { timeout: 30_000 }).toBe(3)
    for (const text of [
      'primeira sem rede',
      'segunda sem rede',
      'terceira sem rede',
      'escrevi enquanto caiu',
    ])
      await expect.poll(() => log().getByText(text, { exact: true }).count()).toBe(1)
  })
})
