import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { ManagedMacro } from '#shared/macros/managed-macros.ts'
import type { MacroStep } from '#shared/macros/steps.ts'
import { pressEscape } from './support/focus.ts'
import { go } from './support/go.ts'
import { inFullAlso } from './support/matrix.ts'
import { newTalk, openChat } from './support/open-chat.ts'
import { rightNow } from './support/right-now.ts'
import { expectSound } from './support/sound.ts'
import { colleague, phones, signedIn, url } from './support/stage.ts'
import { toast } from './support/toast.ts'

// Macros: how they are made, and run from the slash, from 'Ir para…' and from the menu of a chat.

const admin = await colleague('admin')
const ana = await colleague('ana')

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const steps = (page: Page) => page.getByRole('list', { name: 'Passos da macro' }).getByRole('listitem')
const add = (page: Page, kind: string) =>
  page
    .getByRole('group', { name: 'Adicionar passo' })
    .getByRole('button', { name: kind, exact: true })
    .click()
const choose = async (page: Page, label: string, name: string) => {
  await page.getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name, exact: true }).click()
}
const composer = (page: Page) => page.getByPlaceholder('Digite sua mensagem...')
const seen = () => admin.call<ManagedMacro[]>('GET', '/api/macros/managed')
const named = async (name: string) => (await seen()).find((one) => one.name === name)

let made = 0
/** A macro of everybody. */
async function macro(name: string, all: MacroStep[]): Promise<{ name: string; shortcut: string }> {
  const own = `${name} ${++made}`
  const shortcut = `prova${made}`
  await admin.call('POST', '/api/macros', {
    name: own,
    shortcut,
    isShared: true,
    sectorId: null,
    steps: all,
  })
  return { name: own, shortcut }
}
async function tag(name: string): Promise<number> {
  return (await admin.call<{ id: number }>('POST', '/api/tags', { name, color: '#9333ea', sectorId: null }))
    .id
}
/** A client who has written, in a chat that Ana has. */
async function talkOf(page: Page, client: string) {
  const talk = await newTalk(ana, client, 'o pedido saiu?')
  await ana.call('PATCH', `/api/conversations/${talk.id}/assign-operator`, { operatorId: ana.id })
  await openChat(page, talk.id, client)
  await page.getByRole('log').getByText('o pedido saiu?').waitFor()
  return talk
}
/** Chooses a macro by its shortcut, once it is offered. */
async function ask(page: Page, shortcut: string): Promise<void> {
  await composer(page).pressSequentially(`/${shortcut}`)
  await page.getByRole('option', { name: new RegExp(`/${shortcut}\\b`) }).waitFor()
  await page.keyboard.press('Enter')
}
const texts = (phone: { id: string }) => phones.received(phone.id)
const preview = (page: Page) => dialog(page, 'Antes de rodar')
const run = (page: Page) => preview(page).getByRole('button', { name: 'Rodar', exact: true })

describe.each(inFullAlso([[1440, 'light']], [[390, 'dark']]))('at %i px, %s', (width, theme) => {
  const look = { width, height: 900, theme }

  test('a macro is made of steps, ordered by key and by dragging, and what cannot be is said', async () => {
    const page = await signedIn('admin', look)
    await go(page, '/settings-advanced?aba=macros')
    await page.getByRole('button', { name: 'Nova macro' }).click()
    const name = `Feita à mão ${width}`
    await page.getByRole('textbox', { name: 'Nome' }).fill(name)
    await page.getByRole('textbox', { name: 'Atalho' }).fill('pedido')
    await add(page, 'Prioridade')
    await add(page, 'Texto')
    await page.getByRole('textbox', { name: 'Texto' }).fill('Pedido confirmado, ')
    await page.getByRole('button', { name: 'Inserir Primeiro nome' }).click()
    await add(page, 'Etiqueta')
    await choose(page, 'Etiqueta', 'Urgente')
    await add(page, 'Finalizar')
    await add(page, 'Lembrar')
    const save = page.getByRole('button', { name: 'Salvar', exact: true })
    await page.getByText('‘Lembrar’ com ‘Finalizar’ não vale').waitFor()
    await expect.poll(() => save.isDisabled()).toBe(true)
    await expectSound(page, width)
    await page.getByRole('button', { name: 'Tirar o passo 5: Lembrar' }).click()
    const text = steps(page)
      .nth(1)
      .getByRole('button', { name: /Passo 2: Texto/ })
    await text.press('Alt+ArrowUp')
    await steps(page).nth(0).getByText('Pedido confirmado').waitFor()
    if (width > 1000) await steps(page).nth(2).dragTo(steps(page).nth(1))
    // The shortcut is that of another one.
    await choose(page, 'Quem usa', 'Todos')
    await save.click()
    await page.getByText('O atalho /pedido já é da macro ‘Pedido confirmado’').waitFor()
    await page.getByRole('textbox', { name: 'Atalho' }).fill(`feita${width}`)
    await save.click()
    await toast(page, 'Macro criada').waitFor()
    const kinds = async () => (await named(name))?.steps.map(({ kind }) => kind)
    await expect
      .poll(kinds)
      .toEqual(
        width > 1000 ? ['text', 'tag', 'priority', 'finalize'] : ['text', 'priority', 'tag', 'finalize'],
      )
    await expect
      .poll(async () => (await named(name))?.steps[0])
      .toEqual({ kind: 'text', text: 'Pedido confirmado, {{firstName}}' })
    await page.getByRole('button', { name: 'Duplicar' }).click()
    await expect.poll(() => page.getByRole('textbox', { name: 'Nome' }).inputValue()).toBe(`${name} (cópia)`)
  })

  test('a macro is run by its shortcut, after what it will do was shown', async () => {
    const page = await signedIn('ana', look)
    const client = `Macro Rápida ${width}`
    const { phone, id } = await talkOf(page, client)
    const tagId = await tag(`confirmado ${width}`)
    const { name, shortcut } = await macro('Confirma', [
      { kind: 'text', text: 'Confirmado, {{firstName}}!' },
      { kind: 'tag', tagId },
      { kind: 'note', text: 'separar hoje' },
    ])
    await composer(page).pressSequentially(`/${shortcut}`)
    const option = page.getByRole('option', { name: new RegExp(name) })
    await option.getByText('macro, 3 passos').waitFor()
    await page.keyboard.press('Enter')
    await preview(page).getByText('Confirmado, Macro!').waitFor()
    await preview(page).getByText('Põe a etiqueta').waitFor()
    await expectSound(page, width)
    expect(await rightNow('nothing was run', texts(phone))).toEqual([])
    await run(page).click()
    await toast(page, `Macro ‘${name}’ feita`).waitFor()
    await page.getByRole('log').getByText(`rodou a macro ‘${name}’`).waitFor()
    await expect.poll(() => texts(phone)).toEqual(['Confirmado, Macro!'])
    const talk = await ana.call<{ tagIds?: number[] }>('GET', `/api/conversations/${id}`)
    expect(talk.tagIds).toEqual([tagId])
    await expect.poll(() => named(name)).toMatchObject({ uses: 1 })
  })

  test('a macro is run from ‘Ir para…’ and from the menu, and finalizes', async () => {
    const page = await signedIn('ana', look)
    const client = `Macro Paleta ${width}`
    const { id } = await talkOf(page, client)
    const { name } = await macro('Sobe', [{ kind: 'priority', priority: 'high' }])
    const end = await macro('Acaba', [{ kind: 'finalize', reasonId: null }])
    await page.keyboard.press('Control+k')
    await page.keyboard.type(`Macro: ${name}`)
    await dialog(page, 'Ir para…')
      .getByRole('option', { name: `Macro: ${name}` })
      .click()
    await preview(page).getByText('Muda a prioridade').waitFor()
    await run(page).click()
    const state = () => ana.call<{ priority: string; status: string }>('GET', `/api/conversations/${id}`)
    await expect.poll(state).toMatchObject({ priority: 'high', status: 'active' })
    await preview(page).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Mais ações' }).click()
    await page.getByRole('menuitem', { name: 'Rodar macro' }).click()
    await dialog(page, 'Rodar macro').getByPlaceholder('Buscar macro').fill(end.name)
    await page.keyboard.press('Enter')
    await preview(page).getByText('Finaliza como').waitFor()
    await run(page).click()
    await toast(page, 'Atendimento finalizado!').waitFor()
    await expect.poll(state).toMatchObject({ status: 'completed' })
  })

  test('a value that is missing is written first, and what the client writes meanwhile is said', async () => {
    const page = await signedIn('ana', look)
    const client = `Macro Vazia ${width}`
    const { phone } = await talkOf(page, client)
    const { shortcut } = await macro('Empresa', [{ kind: 'text', text: 'Olá, {{company}}!' }])
    await ask(page, shortcut)
    await preview(page).getByText('Envia o texto').waitFor()
    await expect.poll(() => run(page).isDisabled()).toBe(true)
    await preview(page).getByRole('textbox', { name: 'Empresa' }).fill('Padaria Sol')
    await preview(page).getByText('Olá, Padaria Sol!').waitFor()
    await phones.write(phone.id, 'alguém aí?')
    await page.getByRole('log', { includeHidden: true }).getByText('alguém aí?').waitFor()
    await run(page).click()
    await preview(page).getByText('O cliente acabou de escrever').waitFor()
    expect(await rightNow('nothing was run', texts(phone))).toEqual([])
    await run(page).click()
    await expect.poll(() => texts(phone)).toEqual(['Olá, Padaria Sol!'])
  })

  test('a step that is not possible stops the macro before anything is done', async () => {
    const page = await signedIn('ana', look)
    const client = `Macro Parada ${width}`
    const { phone } = await talkOf(page, client)
    const form = new FormData()
    form.set('file', new Blob(['politica de troca']), 'politica.txt')
    const answer = await fetch(`${url}/api/macros/files`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${admin.token}` },
    })
    const file = (await answer.json()) as Extract<MacroStep, { kind: 'file' }>['file']
    const gone = await tag(`vai sumir ${width}`)
    const { shortcut } = await macro('Quebrada', [
      { kind: 'text', text: 'Segue a política' },
      { kind: 'file', file, text: '' },
      { kind: 'tag', tagId: gone },
    ])
    await admin.call('DELETE', `/api/tags/${gone}`)
    await ask(page, shortcut)
    await preview(page).getByText('A macro precisa ser corrigida').waitFor()
    await preview(page).getByText('politica.txt').waitFor()
    await expect.poll(() => run(page).isDisabled()).toBe(true)
    await expectSound(page, width)
    await pressEscape(page)
    expect(await rightNow('nothing was run', texts(phone))).toEqual([])
  })

  test('who may not change a macro sees its steps and copies it', async () => {
    await macro('Só vejo', [{ kind: 'priority', priority: 'high' }])
    const page = await signedIn('ana', look)
    await go(page, '/settings?aba=macros')
    await page
      .getByRole('button', { name: /Só vejo/ })
      .first()
      .click()
    await page.getByText('Duplique-a e mude a cópia').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Salvar', exact: true }).count()).toBe(0)
    await expectSound(page, width)
    await page.getByRole('button', { name: 'Duplicar' }).click()
    await page.getByRole('textbox', { name: 'Atalho' }).fill(`minha${width}`)
    await page.getByRole('button', { name: 'Salvar', exact: true }).click()
    await toast(page, 'Macro criada').waitFor()
    const own = await ana.call<ManagedMacro[]>('GET', '/api/macros/managed')
    expect(own.find((one) => one.shortcut === `minha${width}`)).toMatchObject({ isShared: false })
  })
})
