import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Sector } from '#shared/sectors/sectors.ts'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { expectFocused, tabTo } from './support/focus.ts'
import { inFullAlso } from './support/matrix.ts'
import { newTalk, openChat } from './support/open-chat.ts'
import { expectAccessible, expectSound } from './support/sound.ts'
import { colleague, password, phones, signedIn } from './support/stage.ts'

// A day with sectors: a client chooses one, an operator transfers to another, and who is in neither sees
// nothing of it.

const admin = await colleague('admin')
const sectors = await admin.call<Sector[]>('GET', '/api/sectors')
const idOf = (name: string) => sectors.find((sector) => sector.name === name)?.id ?? 0
const stored = (id: number) => admin.call<Conversation>('GET', `/api/conversations/${id}`)
const scope = async (userId: number, value: string) => {
  await admin.stayConfirmed(password)
  await admin.call('PUT', `/api/user-permissions/${userId}/scope`, { scope: value })
}

const sizes = inFullAlso([[1440, 'light']], [[390, 'dark']])
describe.each(sizes)('at %i px, %s', (width, theme) => {
  const size = { width, height: 860, theme }

  describe('with the menu of sectors', () => {
    let before: Pick<SystemSettings, 'workingHours' | 'lunchBreak'>
    const change = (values: Partial<SystemSettings>) => admin.call('PATCH', '/api/system-settings', values)
    // Nobody is asked while every sector is closed, whatever the day is on which this runs.
    beforeAll(async () => {
      const { workingHours, lunchBreak } = await admin.call<SystemSettings>('GET', '/api/system-settings')
      before = { workingHours, lunchBreak }
      await change({
        workingHours: { start: '00:00', end: '00:00', days: [0, 1, 2, 3, 4, 5, 6] },
        lunchBreak: { ...lunchBreak, enabled: false },
        preAttendanceEnabled: true,
        sectorMenuEnabled: true,
      })
    })
    afterAll(() => change({ ...before, preAttendanceEnabled: false, sectorMenuEnabled: false }))

    test('a client who answers it with a name waits in the queue of that sector', async () => {
      const ana = await signedIn('ana', size)
      const name = `Menu ${width}`
      const phone = await phones.create(name)
      await phones.write(phone.id, 'bom dia')
      const received = async () => (await phones.received(phone.id)).join()
      await expect.poll(received).toContain('2 - Financeiro: boletos, notas fiscais e cadastro')
      // What is written within the second of the menu may have been written before it.
      await ana.waitForTimeout(1100)
      await phones.write(phone.id, 'Financeiro, por favor')
      await expect.poll(async () => (await admin.conversationWith(phone)).sectorId).toBe(idOf('Financeiro'))
      const { id } = await admin.conversationWith(phone)
      await openChat(ana, id, name)
      await ana
        .getByRole('region', { name: `Conversa com ${name}` })
        .getByText('Financeiro', { exact: true })
        .first()
        .waitFor()
      await expectAccessible(ana)
      await expectSound(ana, width)
    })
  })

  test('a transfer to a sector with a note is made by keyboard, and read by whoever takes it', async () => {
    const [ana, diego] = [await signedIn('ana', size), await signedIn('diego', size)]
    const name = `Troca ${width}`
    const { phone, id } = await newTalk(admin, name, 'a caixa veio rasgada')
    const { id: anaId } = await colleague('ana')
    await admin.call('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: anaId })
    await openChat(ana, id, name)
    await ana.keyboard.press('Alt+t')
    const transfer = ana.getByRole('dialog', { name: 'Transferir conversa' })
    await transfer.getByRole('radio', { name: 'Pessoa' }).waitFor()
    await tabTo(ana, /^Pessoa$/)
    await ana.keyboard.press('ArrowRight')
    await transfer.getByRole('searchbox', { name: 'Buscar setor...' }).waitFor()
    await tabTo(ana, /^Buscar setor/)
    await ana.keyboard.type('supor')
    await ana.keyboard.press('Enter')
    await transfer.getByRole('radio', { name: /^Suporte/, checked: true }).waitFor()
    await transfer.getByText('A conversa entra na fila de Suporte').waitFor()
    await expectAccessible(ana)
    await tabTo(ana, /^Suporte/)
    await ana.keyboard.press('Tab')
    await expectFocused(transfer.getByLabel('Observação para quem recebe'))
    await ana.keyboard.type('já mandou foto da caixa')
    await tabTo(ana, /^Transferir$/)
    await ana.keyboard.press('Enter')
    await expect.poll(async () => (await stored(id)).sectorId).toBe(idOf('Suporte'))
    await expect.poll(async () => (await stored(id)).assignedUserId).toBeNull()
    await expect.poll(async () => (await phones.received(phone.id)).join()).toContain('Suporte')

    await openChat(diego, id, name)
    await diego.getByRole('log').getByText('já mandou foto da caixa').waitFor()
    await expectSound(diego, width)
    await expect.poll(async () => (await phones.received(phone.id)).join()).not.toContain('foto da caixa')
  })

  test("whoever sees their own has the queue as cards, and of a colleague's nothing", async () => {
    const elisa = await colleague('elisa')
    await scope(elisa.id, 'own')
    try {
      const page = await signedIn('elisa', size)
      const [queued, held] = [`Fila ${width}`, `Alheia ${width}`]
      const waiting = await newTalk(admin, queued, 'tem tampa azul?')
      const other = await newTalk(admin, held, 'assunto de outra pessoa')
      await admin.call('PATCH', `/api/conversations/${other.id}/assign-operator`, {
        operatorId: (await colleague('ana')).id,
      })
      await openChat(page, waiting.id, queued)
      const card = page.getByRole('region', { name: `Conversa com ${queued}` })
      await card.getByText('As mensagens aparecem quando você assumir.').waitFor()
      await expect.poll(() => page.locator('body').innerText()).not.toContain('tem tampa azul?')
      await expectAccessible(page)
      await expectSound(page, width)
      await card.getByRole('button', { name: 'Assumir' }).click()
      await page.getByRole('log').getByText('tem tampa azul?').waitFor()
      await page.goto(page.url().replace(/conversation=\d+/, `conversation=${other.id}`))
      await page.getByText('Conversa não encontrada').waitFor()
      await expect.poll(() => page.locator('body').innerText()).not.toContain(held)
    } finally {
      await scope(elisa.id, 'all')
    }
  })
})
