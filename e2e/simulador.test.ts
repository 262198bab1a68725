import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { launchBrowser, newPage, signIn } from './support/browser.ts'
import { Colleague } from './support/colleague.ts'
import { Phones } from './support/phones.ts'

const { url, password } = inject('demo')
const phones = new Phones(url)
let browser: Browser
let page: Page
let ana: Colleague

beforeAll(async () => {
  browser = await launchBrowser()
  page = await newPage(browser)
  ana = await Colleague.signIn(url, 'ana', password)
})
afterAll(async () => {
  await phones.setFaults({ duplicateWebhook: { on: false, oneIn: 5 }, disconnect: { on: false } })
  await browser.close()
})
beforeEach(async () => {
  await page.goto(`${url}/simulador`)
  await page.getByRole('heading', { name: 'Simulador' }).waitFor()
})

const phone = (name: string) => page.getByRole('region', { name, exact: true })
const chat = (name: string) => phone(name).getByRole('log')
const faults = () => page.getByRole('region', { name: 'Falhas' })
const register = () => page.getByRole('region', { name: 'Registro do gateway' })

/** A new client, with his phone alone on the stage. */
async function take(name: string) {
  const made = await phones.create(name)
  await page.goto(`${url}/simulador?celulares=${made.id}`)
  await phone(name).waitFor()
  return made
}

async function write(name: string, text: string): Promise<void> {
  await phone(name).getByRole('textbox', { name: 'Mensagem' }).fill(text)
  await phone(name).getByRole('button', { name: 'Enviar', exact: true }).click()
  await chat(name).getByText(text, { exact: true }).waitFor()
}

/** Opens the menu of the bubble that stands last and chooses from it. */
async function choose(name: string, item: string | RegExp): Promise<void> {
  await chat(name).getByRole('button', { name: 'Opções da mensagem' }).last().click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

const tick = (name: string, mark: string): Locator => chat(name).getByRole('img', { name: mark, exact: true })

describe('a phone', () => {
  test('writes a text, which the console takes, and gets the answer', async () => {
    const made = await take('Escreve Texto')
    await write('Escreve Texto', 'Vocês abrem sábado?')
    await tick('Escreve Texto', 'Entregue').waitFor()
    const { id } = await ana.conversationWith(made)
    await ana.reply(id, 'Abrimos até as 13h.')
    await chat('Escreve Texto').getByText('Abrimos até as 13h.').waitFor()
  })

  test('sends a picture with what stands in the field as its caption, and a voice message', async () => {
    const made = await take('Manda Mídia')
    const field = phone('Manda Mídia').getByRole('textbox', { name: 'Mensagem' })
    await field.fill('veja a caixa')
    await phone('Manda Mídia').getByRole('button', { name: 'Enviar mídia' }).click()
    await page.getByRole('menuitem', { name: 'Foto de exemplo' }).click()
    const picture = chat('Manda Mídia').getByRole('img', { name: 'Foto' })
    await picture.waitFor()
    await expect
      .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(0)
    await chat('Manda Mídia').getByText('veja a caixa').waitFor()
    expect(await field.inputValue()).toBe('')
    await phone('Manda Mídia').getByRole('button', { name: 'Enviar mídia' }).click()
    await page.getByRole('menuitem', { name: 'Áudio de exemplo' }).click()
    await chat('Manda Mídia').getByRole('button', { name: 'Tocar áudio' }).waitFor()
    await chat('Manda Mídia').getByText('0:03').waitFor()
    const { id } = await ana.conversationWith(made)
    await expect
      .poll(async () => {
        const messages = await ana.call<{ messageType: string }[]>('GET', `/api/conversations/${id}/messages`)
        return messages.map(({ messageType }) => messageType)
      })
      .toEqual(['image', 'audio'])
  })

  test('quotes, reacts, edits and deletes', async () => {
    const name = 'Faz De Tudo'
    const made = await take(name)
    await write(name, 'bom dia')
    const { id } = await ana.conversationWith(made)
    await ana.reply(id, 'bom dia, como ajudo?')
    await chat(name).getByText('bom dia, como ajudo?').waitFor()
    await choose(name, 'Reagir com 👍')
    await chat(name).getByRole('img', { name: 'Reações: 👍' }).waitFor()
    await choose(name, 'Retirar a reação 👍')
    await chat(name)
      .getByRole('img', { name: /^Reações/ })
      .waitFor({ state: 'detached' })
    await choose(name, 'Responder')
    await phone(name)
      .getByText(/^Respondendo a /)
      .waitFor()
    await write(name, 'com um orçamento')
    await chat(name).getByRole('blockquote').getByText('bom dia, como ajudo?').waitFor()
    await choose(name, 'Editar')
    await phone(name).getByText('Editando mensagem').waitFor()
    await write(name, 'com dois orçamentos')
    await chat(name).getByText('editada').waitFor()
    await choose(name, 'Apagar')
    await chat(name).getByText('Você apagou esta mensagem').waitFor()
    expect(await chat(name).getByText('com dois orçamentos').count()).toBe(0)
  })

  test('shows the ticks of the company only when it is touched', async () => {
    const name = 'Lê Quando Tocam'
    const made = await take(name)
    await write(name, 'oi')
    const { id } = await ana.conversationWith(made)
    await page.getByRole('heading', { name: 'Simulador' }).click()
    await ana.reply(id, 'leia quando puder')
    await chat(name).getByText('leia quando puder').waitFor()
    const marks = async () =>
      (await ana.call<{ deliveryStatus: string | null }[]>('GET', `/api/conversations/${id}/messages`)).map(
        ({ deliveryStatus }) => deliveryStatus,
      )
    await expect.poll(marks).toEqual([null, 'delivered'])
    await chat(name).click()
    await expect.poll(marks).toEqual([null, 'read'])
  })

  test('is made in a dialog, and can write at once', async () => {
    await page.getByRole('button', { name: 'Novo celular' }).click()
    const dialog = page.getByRole('dialog', { name: 'Novo celular' })
    await dialog.getByRole('button', { name: 'Criar celular' }).click()
    await dialog.getByText('Informe o nome').waitFor()
    await dialog.getByRole('textbox').first().fill('Cliente Novinho')
    await dialog.getByRole('textbox').last().fill('123')
    await dialog.getByRole('button', { name: 'Criar celular' }).click()
    await dialog.getByText('De 8 a 15 algarismos, ou deixe vazio').waitFor()
    await dialog.getByRole('textbox').last().fill('')
    await dialog.getByRole('button', { name: 'Criar celular' }).click()
    await dialog.waitFor({ state: 'detached' })
    await write('Cliente Novinho', 'cheguei agora')
    await tick('Cliente Novinho', 'Entregue').waitFor()
  })

  test('is put on the stage and taken from it', async () => {
    const made = await phones.create('Entra E Sai')
    const box = page.getByRole('checkbox', { name: `Mostrar ${made.name}` })
    await box.check()
    await phone(made.name).waitFor()
    await page.reload()
    await phone(made.name).waitFor()
    await box.uncheck()
    await phone(made.name).waitFor({ state: 'detached' })
  })
})

describe('the faults', () => {
  test('are switched on and off, and the register says what they did', async () => {
    await take('Duas Vezes')
    await phones.setFaults({ duplicateWebhook: { oneIn: 1 } })
    await faults().getByText('nenhuma ligada').waitFor()
    await faults().getByRole('switch', { name: 'Duplicar webhook' }).click()
    await faults().getByText('1 ligada').waitFor()
    await faults().getByRole('button', { name: '1 em 1, ajustar Duplicar webhook' }).waitFor()
    await write('Duas Vezes', 'isto chega uma vez só')
    const lines = register().getByRole('listitem')
    await lines.filter({ hasText: 'Duplicar webhook' }).first().waitFor()
    await lines.filter({ hasText: 'messages.upsert' }).first().waitFor()
    await faults().getByRole('switch', { name: 'Duplicar webhook' }).click()
    await faults().getByText('nenhuma ligada').waitFor()
    await register().getByText('Tudo confere').waitFor()
    const open = await ana.openConversations()
    const row = open.find(({ contact }) => contact.name === 'Duas Vezes')
    expect(row?.messageCount).toBe(1)
    await register().getByRole('button', { name: 'Limpar' }).click()
    await register().getByText('Nada passou pelo gateway desde que o registro foi limpo.').waitFor()
  })

  test('have strengths that are set in a dialog', async () => {
    await faults().getByRole('button', { name: 'Ajustar Duplicar webhook' }).click()
    const dialog = page.getByRole('dialog', { name: 'Duplicar webhook' })
    await dialog.getByLabel('Uma vez em').fill('0')
    await dialog.getByText('Um número inteiro a partir de 1').waitFor()
    await dialog.getByLabel('Uma vez em').fill('7')
    await dialog.getByRole('button', { name: /^Salvar/ }).click()
    await dialog.waitFor({ state: 'detached' })
    await faults().getByRole('switch', { name: 'Duplicar webhook' }).click()
    await faults().getByRole('button', { name: '1 em 7, ajustar Duplicar webhook' }).waitFor()
    await faults().getByRole('switch', { name: 'Duplicar webhook' }).click()
    await faults().getByText('nenhuma ligada').waitFor()
  })

  test('the number is disconnected here and in the console, and what was written meanwhile arrives afterwards', async () => {
    const name = 'Espera A Volta'
    await take(name)
    const operator = await newPage(browser)
    await signIn(operator, url, 'ana', password)
    const state = (text: string, on: Page) => on.getByRole('status').getByText(text, { exact: true })
    await state('Conectado', operator).waitFor()
    await faults().getByRole('switch', { name: 'Desconectar o número' }).click()
    for (const each of [page, operator]) await state('Desconectado', each).waitFor()
    await write(name, 'alguém aí?')
    await tick(name, 'A caminho').waitFor()
    await faults().getByRole('switch', { name: 'Desconectar o número' }).click()
    for (const each of [page, operator]) await state('Conectado', each).waitFor()
    await tick(name, 'Entregue').waitFor()
    await operator.context().close()
  })
})
