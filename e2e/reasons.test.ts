import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import type { ManagedReason } from '#shared/reasons/managed-reasons.ts'
import { go } from './support/go.ts'
import { inFullAlso } from './support/matrix.ts'
import { newTalk, openChat } from './support/open-chat.ts'
import { expectSound } from './support/sound.ts'
import { colleague, signedIn } from './support/stage.ts'
import { toast } from './support/toast.ts'

// With what conversations end: the page of the reasons, the dialog that asks, the archive and the reports.

const admin = await colleague('admin')
const ana = await colleague('ana')

const managed = () => admin.call<ManagedReason[]>('GET', '/api/reasons/managed')
const ask = (askReason: string) => admin.call('PATCH', '/api/system-settings', { askReason })
afterAll(() => ask('optional'))

/** A conversation that Ana has. */
async function talk(name: string) {
  const made = await newTalk(ana, name, 'preciso de ajuda')
  await ana.call('PATCH', `/api/conversations/${made.id}/assign-operator`, { operatorId: ana.id })
  return made
}
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const section = (page: Page) => page.getByRole('region', { name: 'Motivos de finalização' })
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name })

describe.each(inFullAlso([[1440, 'light']], [[390, 'dark']]))('at %i px, %s', (width, theme) => {
  const suffix = `${width}`

  test('an administrator makes reasons of two levels, orders them, and asks for one', async () => {
    await ask('optional')
    const page = await signedIn('admin', { width, height: 900, theme })
    await go(page, '/settings-advanced?aba=motivos')
    const make = async (name: string) => {
      await page.getByRole('textbox', { name: 'Nome' }).fill(name)
      await page.keyboard.press('Enter')
      await section(page).getByRole('button', { name, exact: true }).waitFor()
    }
    await section(page).getByRole('button', { name: 'Novo motivo' }).click()
    await dialog(page, 'Novo motivo').waitFor()
    await page.getByRole('textbox', { name: 'Nome' }).fill('financeiro')
    await page.keyboard.press('Enter')
    await dialog(page, 'Novo motivo').getByText('Já existe o motivo ‘Financeiro’').waitFor()
    const name = `Pós-venda ${suffix}`
    await make(name)
    for (const second of ['Garantia', 'Devolução']) {
      await page.getByRole('button', { name: `Ações: ${name}` }).click()
      await page.getByRole('menuitem', { name: 'Novo motivo dentro' }).click()
      await dialog(page, 'Novo motivo').getByText(`Em ${name}`).waitFor()
      await page.getByRole('textbox', { name: 'Nome' }).fill(`${second} ${suffix}`)
      await page.keyboard.press('Enter')
      await section(page)
        .getByRole('button', { name: `${second} ${suffix}`, exact: true })
        .waitFor()
    }
    await section(page)
      .getByRole('button', { name: `Devolução ${suffix}`, exact: true })
      .focus()
    await page.keyboard.press('Alt+ArrowUp')
    const names = async () =>
      (await managed()).filter((one) => one.name.endsWith(suffix)).map((one) => one.name)
    await expect.poll(names).toEqual([name, `Devolução ${suffix}`, `Garantia ${suffix}`])
    await page.getByRole('combobox', { name: 'Pedir motivo ao finalizar' }).click()
    await page.getByRole('option', { name: 'Obrigatório' }).click()
    await page.getByRole('button', { name: 'Salvar' }).click()
    await page.getByText('Tudo salvo').waitFor()
    await expectSound(page, width)
  })

  test('who finalizes is asked for a reason, which archive and reports have then', async () => {
    await ask('required')
    const page = await signedIn('ana', { width, height: 900, theme })
    const first = await talk(`Motivo ${suffix}`)
    await openChat(page, first.id, first.phone.name)
    const end = page.getByRole('button', { name: 'Finalizar', exact: true })
    await end.first().click()
    const asked = dialog(page, 'Finalizar atendimento')
    await asked.getByRole('combobox', { name: /motivo/i }).waitFor()
    await asked.getByText(/^obrigatório/).waitFor()
    await asked.getByRole('button', { name: 'Finalizar', exact: true }).click()
    await asked.getByText('Escolha o motivo').waitFor()
    await expectSound(page, width)
    // A reason that is made meanwhile is offered at once.
    const fresh = `Agora mesmo ${suffix}`
    await admin.call('POST', '/api/reasons', { name: fresh })
    await option(page, fresh).waitFor()
    await page.keyboard.type('segunda')
    await option(page, 'Financeiro › Segunda via').waitFor()
    await expect.poll(() => asked.getByRole('option').count()).toBe(1)
    await page.keyboard.press('Enter')
    await asked.getByRole('button', { name: 'Limpar busca' }).click()
    await expect.poll(() => asked.getByRole('option', { selected: true }).count()).toBe(1)
    await asked.getByRole('button', { name: 'Finalizar', exact: true }).click()
    await toast(page, 'Motivo: Financeiro › Segunda via').waitFor()
    const lead = await signedIn('admin', { width, height: 900, theme })
    const [{ id: reasonId } = { id: 0 }] = (await managed()).filter((one) => one.name === 'Segunda via')
    await go(lead, `/conversas-arquivadas?reason=${reasonId}`)
    const card = lead.getByRole('list', { name: 'Conversas arquivadas' }).getByRole('article').first()
    await expect.poll(() => card.textContent()).toContain(first.phone.name)
    await expect.poll(() => card.textContent()).toContain('Financeiro › Segunda via')
    await go(lead, `/conversas-arquivadas/${first.id}`)
    await lead.getByRole('button', { name: 'Alterar motivo' }).click()
    const change = dialog(lead, 'Alterar motivo')
    await change.getByRole('combobox', { name: /motivo/i }).fill('boleto')
    await lead.keyboard.press('Enter')
    await change.getByRole('button', { name: 'Salvar' }).click()
    await lead.getByRole('region', { name: 'Dados' }).getByText('Financeiro › Boleto vencido').waitFor()
    await go(lead, '/reports?period=month')
    const table = lead.getByRole('region', { name: 'Por motivo' })
    await table.getByRole('button', { name: /^Financeiro › Segunda via: \d+/ }).click()
    await lead.getByText(/Financeiro › Segunda via · \d+ conversas?/).waitFor()
    await expectSound(lead, width)
  })

  test('several are finalized with one reason, and those that it does not fit are named', async () => {
    await ask('optional')
    const page = await signedIn('ana', { width, height: 900, theme })
    const [one, other] = [await talk(`Vários A ${suffix}`), await talk(`Vários B ${suffix}`)]
    const sectors = await admin.call<{ id: number; name: string }[]>('GET', '/api/sectors')
    const suporte = sectors.find(({ name }) => name === 'Suporte')?.id
    const comercial = sectors.find(({ name }) => name === 'Comercial')?.id
    await admin.call('PATCH', `/api/conversations/${one.id}/sector`, { sectorId: suporte })
    await admin.call('PATCH', `/api/conversations/${other.id}/sector`, { sectorId: comercial })
    await go(page, `/conversas-ativas?search=${encodeURIComponent('Vários')}`)
    await page.getByRole('list', { name: 'Conversas ativas' }).getByText(`Vários A ${suffix}`).waitFor()
    if (width < 768) {
      await page.getByRole('button', { name: 'Exibição' }).click()
      await page.getByRole('menuitem', { name: 'Selecionar conversas' }).click()
    } else await page.getByRole('button', { name: 'Selecionar conversas' }).click()
    await page
      .getByRole('group', { name: 'Seleção' })
      .getByRole('button', { name: 'Selecionar todas' })
      .click()
    await page.getByRole('group', { name: 'Seleção' }).getByRole('button', { name: 'Finalizar' }).click()
    const asked = dialog(page, 'Finalizar atendimentos')
    await asked.getByRole('combobox', { name: /motivo/i }).fill('equipamento')
    await page.keyboard.press('Enter')
    await asked.getByText(`Suporte › Equipamento não serve para Vários B ${suffix}: fica aberta.`).waitFor()
    await asked.getByRole('button', { name: /^Finalizar / }).click()
    await dialog(page, 'O que foi feito')
      .getByText('O motivo Suporte › Equipamento é de outro setor.')
      .waitFor()
    await ana.call('POST', `/api/conversations/${other.id}/finalize`, {})
  })
})

test('whoever may not manage reasons finds no page for them', async () => {
  const page = await signedIn('ana', { width: 1440, height: 900 })
  await go(page, '/settings?aba=motivos')
  await page.getByRole('heading', { name: 'Configurações' }).waitFor()
  await page.getByRole('tab', { name: 'Usuário', selected: true }).waitFor()
  await expect.poll(() => page.getByRole('tab', { name: 'Motivos' }).count()).toBe(0)
  await expect.poll(() => section(page).count()).toBe(0)
})
