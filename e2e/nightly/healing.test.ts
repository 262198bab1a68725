import type { Page } from 'playwright-core'
import { afterEach, describe, expect, test } from 'vitest'
import { newTalk, openChat } from '../support/open-chat.ts'
import { expectAccessibleState, expectSound } from '../support/sound.ts'
import { colleague, phones, signedIn } from '../support/stage.ts'

// What the screens show of a gateway that was away: what waits for it, and what has come late.

const supervisora = await colleague('supervisora')
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

afterEach(() =>
  phones
    .setFaults({ disconnect: { on: false, state: 'close' }, delayAcks: { on: false, ms: 0 } })
    .then(() => undefined),
)

describe.each([1440, 390])('at %i px', (width) => {
  const open = (name: string) => signedIn(name, { width, height: 844 })
  const bar = (page: Page) => page.getByRole('banner')
  const said = (page: Page, text: string) =>
    page.getByRole('log').getByRole('article').filter({ hasText: text })

  test('messages that came late are counted in the header, with the time, and marked', async () => {
    const page = await open('supervisora')
    const phone = await phones.create(`Tardia ${width}`)
    for (let n = 0; n < 3; n++)
      await phones.send(phone.id, { kind: 'text', text: `durante a queda ${n}`, at: minutesAgo(20 - n) })
    const { id } = await supervisora.conversationWith(phone)
    // Other files of the worker may have had theirs.
    const reported = bar(page).getByText(/^\d+ mensagens recuperadas às \d\d:\d\d$/)
    await reported.waitFor()
    await expect.poll(async () => Number.parseInt(await reported.innerText(), 10)).toBeGreaterThanOrEqual(3)
    await expectSound(page, width)
    await expectAccessibleState(page)
    await openChat(page, id, phone.name)
    for (let n = 0; n < 3; n++) await said(page, `durante a queda ${n}`).getByText('recuperada').waitFor()
  })

  test('messages that wait for the gateway are counted in the header until they have gone', async () => {
    const page = await open('supervisora')
    const { id } = await newTalk(supervisora, `Espera ${width}`)
    await phones.setFaults({ disconnect: { on: true, state: 'connecting' } })
    await bar(page).getByText('Desconectado').waitFor()
    for (const content of ['um', 'dois'])
      await supervisora.call('POST', `/api/conversations/${id}/messages`, { content })
    const reported = bar(page).getByText(/^\d+ mensagens aguardando o gateway$/)
    await reported.waitFor()
    await expectSound(page, width)
    await phones.setFaults({ disconnect: { on: false } })
    // Automatic texts leave at one a second.
    await reported.waitFor({ state: 'detached', timeout: 180_000 })
    await bar(page).getByText('Conectado', { exact: true }).waitFor()
  })

  test('a message that no phone has acknowledged for a while is flagged', async () => {
    const { phone, id } = await newTalk(supervisora, `Desligada ${width}`)
    await phones.setFaults({ delayAcks: { on: true, ms: 600_000 } })
    await supervisora.call('POST', `/api/conversations/${id}/messages`, { content: 'chegou?' })
    const page = await open('supervisora')
    await bar(page).getByText('Conectado', { exact: true }).waitFor()
    // The time of the server is worked out from when its answer comes.
    await page.waitForLoadState('networkidle')
    await page.clock.setSystemTime(Date.now() + 12 * 60_000)
    await openChat(page, id, phone.name)
    await said(page, 'chegou?')
      .getByText(/^não entregue há 1[12] min$/)
      .waitFor()
  })
})
