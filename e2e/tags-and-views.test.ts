import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ManagedTag } from '#shared/tags/managed-tags.ts'
import type { SavedView } from '#shared/views/views.ts'
import { go } from './support/go.ts'
import { inFullAlso } from './support/matrix.ts'
import { newTalk, openChat } from './support/open-chat.ts'
import { expectSound } from './support/sound.ts'
import { colleague, signedIn } from './support/stage.ts'
import { toast } from './support/toast.ts'

// The tags of conversations, the filters of the list, and the views that are saved of it.

const admin = await colleague('admin')
const ana = await colleague('ana')
const bruno = await colleague('bruno')

const ask = (askTag: string) => admin.call('PATCH', '/api/system-settings', { askTag })
afterAll(() => ask('no'))

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const option = (page: Page, name: string) => page.getByRole('option', { name, exact: true })
const tag = (name: string) =>
  admin.call<{ id: number }>('POST', '/api/tags', { name, color: '#9333ea', sectorId: null })

describe.each(inFullAlso([[1440, 'light']], [[390, 'dark']]))('at %i px, %s', (width, theme) => {
  test('an administrator makes a tag, and a name that is taken is said at its field', async () => {
    const page = await signedIn('admin', { width, height: 900, theme })
    await go(page, '/settings-advanced?aba=etiquetas')
    const list = page.getByRole('list', { name: 'Etiquetas de conversas' })
    await page.getByRole('button', { name: 'Nova etiqueta' }).click()
    const name = page.getByRole('textbox', { name: 'Nome' })
    await name.fill('urgente')
    await page.keyboard.press('Enter')
    await dialog(page, 'Nova etiqueta').getByText('Já existe a etiqueta ‘Urgente’').waitFor()
    await name.fill(`Orçamento ${width}`)
    await page.keyboard.press('Enter')
    await list.getByRole('button', { name: `Orçamento ${width}`, exact: true }).waitFor()
    const names = async () =>
      (await admin.call<ManagedTag[]>('GET', '/api/tags/managed')).map((one) => one.name)
    await expect.poll(names).toContain(`Orçamento ${width}`)
    await expectSound(page, width)
  })

  test('a conversation is tagged by key, and a colleague sees it at once', async () => {
    const name = `Frete ${width}`
    await tag(name)
    const client = `Etiquetada ${width}`
    const made = await newTalk(ana, client, 'quanto é o frete?')
    const [page, other] = [
      await signedIn('ana', { width, height: 900, theme }),
      await signedIn('bruno', { width, height: 900, theme }),
    ]
    await openChat(other, made.id, client)
    await openChat(page, made.id, client)
    await page.getByRole('log').getByText('quanto é o frete?').waitFor()
    await page.keyboard.press('Alt+e')
    await dialog(page, 'Etiquetas da conversa').getByRole('combobox').fill(name)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Salvar', exact: true }).click()
    await dialog(page, 'Etiquetas da conversa').waitFor({ state: 'detached' })
    await page.getByText(`pôs a etiqueta ${name}`).waitFor()
    await other.getByRole('button', { name: `Mudar etiquetas: ${name}` }).waitFor()
    await expectSound(page, width)
  })

  test('who finalizes without a required tag is told so at its field', async () => {
    await ask('required')
    const name = `Fim ${width}`
    await tag(name)
    const client = `Sem etiqueta ${width}`
    const made = await newTalk(ana, client, 'obrigada!')
    const page = await signedIn('ana', { width, height: 900, theme })
    await openChat(page, made.id, client)
    await page.getByRole('button', { name: 'Finalizar', exact: true }).first().click()
    const asked = dialog(page, 'Finalizar atendimento')
    await asked.getByRole('button', { name: 'Finalizar', exact: true }).click()
    await asked.getByText('Ponha uma etiqueta').waitFor()
    await asked.getByPlaceholder('Buscar etiqueta').fill(name)
    await page.keyboard.press('Enter')
    await asked.getByRole('button', { name: 'Finalizar', exact: true }).click()
    await toast(page, 'Atendimento finalizado!').waitFor()
    await ask('no')
  })

  test('filters are saved as a view, which a colleague’s change reaches while it is open', async () => {
    const made = await newTalk(ana, `Prioridade ${width}`, 'é urgente')
    await ana.call('PATCH', `/api/conversations/${made.id}/priority`, { priority: 'high' })
    const page = await signedIn('supervisora', { width, height: 900, theme })
    await go(page, '/conversas-ativas')
    await page.getByRole('button', { name: 'Filtrar', exact: true }).click()
    await page
      .getByRole('list', { name: 'Filtros' })
      .getByRole('button', { name: /^Prioridade/ })
      .click()
    await option(page, 'Prioridade Alta').click()
    await page.getByRole('button', { name: 'Salvar esta visão' }).click()
    const name = `Altas ${width}`
    await page.getByRole('textbox', { name: 'Nome' }).fill(name)
    await page.getByRole('radio', { name: 'Compartilhar com a equipe' }).click()
    await page.getByRole('button', { name: 'Salvar', exact: true }).click()
    await page.getByRole('button', { name: new RegExp(`^${name}`), pressed: true }).waitFor()
    await expectSound(page, width)
    const view = (await bruno.call<SavedView[]>('GET', '/api/views')).find((one) => one.name === name)
    expect(view?.isChangeable).toBe(false)
    const other = await signedIn('bruno', { width, height: 900, theme })
    await go(other, `/conversas-ativas?visao=${view?.id}`)
    const row = other.getByRole('link').filter({ hasText: `Prioridade ${width}` })
    await row.waitFor()
    // What tells of changes is loaded with the tab.
    await other.getByRole('button', { name: new RegExp(`^${name}`), pressed: true }).waitFor()
    await admin.call('PATCH', `/api/views/${view?.id}`, { content: { ...view?.content, priority: 'low' } })
    await toast(other, `A visão ${name} mudou`).waitFor()
    await row.waitFor({ state: 'detached' })
    await admin.call('DELETE', `/api/views/${view?.id}`)
    await toast(other, `A visão ${name} foi excluída`).waitFor()
  })
})

describe('with 200 tags of 40 letters', () => {
  /** 'Etiqueta 007 de um nome muito comprido mm' */
  const longName = (n: number) =>
    `Etiqueta ${String(n).padStart(3, '0')} de um nome muito comprido`.padEnd(40, 'm')
  const made: number[] = []
  beforeAll(async () => {
    for (let n = 1; n <= 200; n++) made.push((await tag(longName(n))).id)
  }, 120_000)
  afterAll(async () => {
    for (const id of made)
      await admin.call('DELETE', `/api/tags/${id}`).catch(() =>
        // One that a conversation has stays, and is offered no longer.
        admin.call('PATCH', `/api/tags/${id}`, { isActive: false }),
      )
  }, 120_000)

  test.each([
    [1440, 'light'],
    [390, 'dark'],
  ] as const)('the dialog, the filters and a view are used as ever at %i px, %s', async (width, theme) => {
    const client = `Muitas ${width}`
    const { id } = await newTalk(ana, client, 'bom dia')
    // Another one at each width, since what was tagged stays.
    const number = width === 390 ? 123 : 124
    const page = await signedIn('ana', { width, height: 800, theme })
    await openChat(page, id, client)
    await page.getByRole('log').getByText('bom dia').waitFor()
    await page.keyboard.press('Alt+e')
    const asked = dialog(page, 'Etiquetas da conversa')
    const search = asked.getByRole('combobox')
    await search.fill('etiqueta 200')
    await expect.poll(() => asked.getByRole('option').count()).toBe(1)
    await search.fill('')
    await expect.poll(() => asked.getByRole('option').count()).toBeGreaterThan(190)
    // What is last in the list is reached by key, and is in sight.
    await search.press('ArrowUp', { delay: 80 })
    await expect
      .poll(() =>
        asked.evaluate((element) => {
          const list = element.querySelector('[role=listbox]')?.getBoundingClientRect()
          const marked = element.querySelector('[role=combobox]')?.getAttribute('aria-activedescendant')
          const active = document.getElementById(marked ?? '')?.getBoundingClientRect()
          return !!list && !!active && active.top >= list.top - 1 && active.bottom <= list.bottom + 1
        }),
      )
      .toBe(true)
    await asked.getByRole('button', { name: 'Salvar', exact: true }).waitFor()
    await expectSound(page, width)
    await search.fill(`etiqueta ${number}`)
    await search.press('Enter')
    await asked.getByRole('button', { name: 'Salvar', exact: true }).click()
    await asked.waitFor({ state: 'detached' })
    await page.getByText(`pôs a etiqueta ${longName(number)}`).waitFor()
    await go(page, '/conversas-ativas')
    await page.getByRole('button', { name: 'Filtrar', exact: true }).click()
    const panel = dialog(page, 'Filtrar')
    await panel
      .getByRole('button', { name: /^Etiqueta/ })
      .first()
      .click()
    await panel.getByPlaceholder('Buscar...').fill(`etiqueta ${number}`)
    await expectSound(page, width)
    await option(page, longName(number)).click()
    await panel.getByText('1 de').waitFor()
    await panel.getByRole('button', { name: 'Salvar esta visão' }).click()
    const name = `Compridas ${width}`
    await page.getByRole('textbox', { name: 'Nome' }).fill(name)
    await page.getByRole('button', { name: 'Salvar', exact: true }).click()
    await page.getByRole('button', { name: new RegExp(`^${name}`), pressed: true }).waitFor()
    await page.getByRole('link').filter({ hasText: client }).waitFor()
    await expectSound(page, width)
    const view = (await ana.call<SavedView[]>('GET', '/api/views')).find((one) => one.name === name)
    await ana.call('DELETE', `/api/views/${view?.id}`)
    await page.context().close()
  })
})
