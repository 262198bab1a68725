import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { newName } from './support/accounts.ts'
import { newTalk, openChat } from './support/open-chat.ts'
import { pressEscape, refusal } from './support/focus.ts'
import { inFullAlso } from './support/matrix.ts'
import { expectSound } from './support/sound.ts'
import { colleague, signedIn, url } from './support/stage.ts'
import { toast } from './support/toast.ts'

// Targets: set by an administrator, and counted down on the conversations.

const admin = await colleague('admin')
const ana = await colleague('ana')
const general = { sectorId: null, categoryId: null, replyMinutes: null, endMinutes: null }

afterAll(() => admin.call('PUT', '/api/sla-targets', { targets: [] }))

const sizes = inFullAlso(
  [{ width: 1440, height: 900, theme: 'light' }],
  [{ width: 390, height: 844, theme: 'dark' }],
)
describe.each(sizes)('at $width px', (size) => {
  let page: Page
  beforeAll(async () => {
    await admin.call('PUT', '/api/sla-targets', { targets: [] })
    page = await signedIn('admin', size)
  })

  test('an administrator sets targets, is told what is wrong, and of a colleague who was first', async () => {
    await page.goto(`${url}/settings-advanced?aba=sla`)
    await page.getByText('Nenhum prazo definido').waitFor()
    await expectSound(page, size.width)
    await page.getByRole('button', { name: 'Novo prazo' }).click()
    await page.getByRole('button', { name: 'Salvar' }).click()
    await refusal(page.getByText('Diga um prazo, ou tire a linha'))
    await page.getByLabel('1ª resposta (min)').fill('99999')
    await page.getByText('De 1 a 14.400 minutos').waitFor()
    await page.getByLabel('1ª resposta (min)').fill('15')
    await page.getByRole('button', { name: 'Novo prazo' }).click()
    await page.getByLabel('Encerrar (min)').last().fill('240')
    await page.getByText('Há outro prazo para o mesmo setor e categoria').first().waitFor()
    await page.getByRole('combobox', { name: 'Categoria do contato' }).last().click()
    await page.getByRole('option', { name: 'VIP' }).click()
    await expectSound(page, size.width)
    await page.getByRole('button', { name: 'Salvar' }).click()
    await toast(page, 'Prazos salvos').waitFor()
    const { targets } = await admin.call<{ targets: object[] }>('GET', '/api/sla-targets')
    expect(targets).toEqual([
      { ...general, replyMinutes: 15 },
      { ...general, categoryId: expect.any(Number) as number, endMinutes: 240 },
    ])
    await page.getByLabel('1ª resposta (min)').first().fill('30')
    await admin.call('PUT', '/api/sla-targets', { targets: [{ ...general, replyMinutes: 20 }] })
    await page.getByRole('button', { name: 'Salvar' }).click()
    await toast(page, 'Falha ao salvar os prazos').waitFor()
    await page.getByText('Um colega mudou os prazos enquanto você editava.').waitFor()
    await page.getByRole('button', { name: 'Descartar' }).click()
    await expect.poll(() => page.getByLabel('1ª resposta (min)').inputValue()).toBe('20')
  })

  test('what is left is counted down on the row and in the chat, and ends with the reply', async () => {
    const name = newName()
    const { id } = await newTalk(ana, name)
    await ana.call('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: ana.id })
    await admin.call('PUT', '/api/sla-targets', { targets: [{ ...general, replyMinutes: 600 }] })
    const operator = await signedIn('ana', size)
    await operator.goto(`${url}/conversas-ativas?tab=mine&limit=50`)
    const row = operator.getByRole('link').filter({ hasText: name })
    await row.getByText(/, responder (em \d+ h|até [^,]+, \d\d:\d\d)$/).waitFor()
    await expectSound(operator, size.width)
    await openChat(operator, id, name)
    const facts = operator.getByRole('group', { name: 'Dados da conversa' })
    await facts.getByText(/^responder (em \d+ h|até [^,]+, \d\d:\d\d)$/).waitFor()
    await operator.getByRole('textbox', { name: 'Mensagem' }).fill('Pois não?')
    await operator.getByRole('textbox', { name: 'Mensagem' }).press('Enter')
    await facts.getByText(/^responder (em|até)/).waitFor({ state: 'detached' })
    const read = () => ana.call<Conversation>('GET', `/api/conversations/${id}`)
    await expect.poll(async () => (await read()).sla).toBeUndefined()
    await operator.context().close()
  })

  test('the list is filtered by targets and holds, and ordered by what runs out first', async () => {
    const [late, held] = [newName(), newName()]
    const { id: lateId } = await newTalk(ana, late)
    const { id: heldId } = await newTalk(ana, held)
    for (const id of [lateId, heldId])
      await ana.call('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: ana.id })
    await ana.reply(heldId, 'vou ver com a diretoria')
    const until = new Date(Date.now() + 7_200_000).toISOString()
    await ana.call('PUT', `/api/conversations/${heldId}/snooze`, { until, reason: 'a diretoria responde' })
    await admin.call('PUT', '/api/sla-targets', { targets: [{ ...general, replyMinutes: 14_400 }] })
    const operator = await signedIn('ana', size)
    await operator.goto(`${url}/conversas-ativas?tab=mine&limit=50`)
    const rowOf = (name: string) => operator.getByRole('link').filter({ hasText: name })
    await rowOf(late)
      .getByText(/, responder (em|até) /)
      .waitFor()
    const filter = async (kind: string, option: string) => {
      await operator.getByRole('button', { name: /^Filtrar/ }).click()
      const panel = operator.getByRole('dialog', { name: 'Filtrar' })
      await panel.getByRole('button', { name: kind }).click()
      await panel.getByRole('option', { name: option }).click()
      return panel
    }
    const panel = await filter('Prazo (SLA)', 'SLA estourado')
    await rowOf(late).waitFor({ state: 'detached' })
    await panel.getByRole('radio', { name: 'Prazo' }).click()
    await expectSound(operator, size.width)
    await pressEscape(operator)
    const chips = operator.getByRole('group', { name: 'Filtros da lista' })
    await chips.getByText('SLA estourado').waitFor()
    await chips.getByRole('button', { name: 'Limpar' }).click()
    await rowOf(late).waitFor()
    await expect.poll(() => rowOf(held).count()).toBe(0)
    await filter('Em espera', 'Só em espera')
    await pressEscape(operator)
    await rowOf(held).waitFor()
    await expect.poll(() => rowOf(late).count()).toBe(0)
    await expectSound(operator, size.width)
    await operator.context().close()
  })
})
