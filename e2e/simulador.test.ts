import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Message } from '#shared/messages/messages.ts'
import type { ChatMessage, PhoneView } from '#simulator/control-views.ts'
import { newPage } from './support/browser.ts'
import { Colleague } from './support/colleague.ts'
import { describeInFull, testInFull } from './support/matrix.ts'
import { browser, colleague, phones, signedIn, url } from './support/stage.ts'

let page: Page
let ana: Colleague

beforeAll(async () => {
  page = await newPage(browser)
  ana = await colleague('ana')
})
afterAll(async () => {
  await phones.setFaults({ duplicateWebhook: { on: false, oneIn: 5 }, disconnect: { on: false } })
  await phones.setVersion('2.3.7')
})
const open = async () => {
  await page.goto(`${url}/simulador`)
  await page.getByRole('heading', { name: 'Simulador' }).waitFor()
}

const phone = (name: string) => page.getByRole('region', { name, exact: true })
const chat = (name: string) => phone(name).getByRole('log')
const faults = () => page.getByRole('region', { name: 'Falhas' })
const register = () => page.getByRole('region', { name: 'Registro do gateway' })

/** Creates a client and shows only this phone. */
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

/** Chooses from the menu of the last bubble. */
async function choose(name: string, item: string | RegExp): Promise<void> {
  await chat(name).getByRole('button', { name: 'Opções da mensagem' }).last().click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

/** Chooses from the composer's menu. */
async function attach(name: string, item: string): Promise<void> {
  await phone(name).getByRole('button', { name: 'Enviar mídia' }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

const bubbles = (name: string): Locator => chat(name).locator('[id^=bubble-]')
const messagesWith = async (made: PhoneView): Promise<Message[]> => {
  const { id } = await ana.conversationWith(made)
  return await ana.call('GET', `/api/conversations/${id}/messages`)
}
const typesWith = async (made: PhoneView): Promise<string[]> =>
  (await messagesWith(made)).map(({ messageType }) => messageType)

const tick = (name: string, mark: string): Locator => chat(name).getByRole('img', { name: mark, exact: true })

describe('a phone', () => {
  test('a phone of the simulator writes a text, which the console takes, and gets the answer', async () => {
    const made = await take('Escreve Texto')
    await write('Escreve Texto', 'Vocês abrem sábado?')
    await tick('Escreve Texto', 'Entregue').waitFor()
    const { id } = await ana.conversationWith(made)
    await ana.reply(id, 'Abrimos até as 13h.')
    await chat('Escreve Texto').getByText('Abrimos até as 13h.').waitFor()
  })

  testInFull('a phone of the simulator sends a picture with its caption, and a voice message', async () => {
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
    await expect.poll(() => field.inputValue()).toBe('')
    await phone('Manda Mídia').getByRole('button', { name: 'Enviar mídia' }).click()
    await page.getByRole('menuitem', { name: 'Áudio de exemplo' }).click()
    await chat('Manda Mídia').getByRole('button', { name: 'Tocar áudio' }).waitFor()
    await chat('Manda Mídia').getByText('0:03', { exact: true }).waitFor()
    await expect.poll(() => typesWith(made)).toEqual(['image', 'audio'])
  })

  testInFull('a phone of the simulator quotes, reacts, edits and deletes', async () => {
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
    await choose(name, 'Apagar para todos')
    await chat(name).getByText('Você apagou esta mensagem').waitFor()
    await expect.poll(() => chat(name).getByText('com dois orçamentos').count()).toBe(0)
  })

  testInFull('a phone of the simulator shows the ticks of the company only when it is touched', async () => {
    const name = 'Lê Quando Tocam'
    const made = await take(name)
    await write(name, 'oi')
    const { id } = await ana.conversationWith(made)
    await page.getByRole('heading', { name: 'Simulador' }).click()
    await ana.reply(id, 'leia quando puder')
    await chat(name).getByText('leia quando puder').waitFor()
    const mark = async () =>
      (await ana.call<{ deliveryStatus: string | null }[]>('GET', `/api/conversations/${id}/messages`)).at(-1)
        ?.deliveryStatus
    await expect.poll(mark).toBe('delivered')
    await chat(name).click()
    await expect.poll(mark).toBe('read')
  })

  testInFull('a phone of the simulator is made in a dialog, and can write at once', async () => {
    await open()
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

  testInFull('a phone of the simulator is put on the stage and taken from it', async () => {
    await open()
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

describeInFull('the kinds of message', () => {
  /** The items of 'Mais tipos…' by heading, each with the type that the console has of it. */
  const kinds = {
    Mídia: {
      Vídeo: 'video',
      GIF: 'video',
      'Recado de vídeo': 'video',
      Figurinha: 'sticker',
      'Arquivo de áudio': 'audio',
      Documento: 'document',
      'Foto de visualização única': 'image',
      'Aviso de visualização única': 'unsupported',
    },
    'Contatos e localização': {
      'Vários contatos': 'contact',
      'Localização em tempo real': 'location',
      'Convite para grupo': 'text',
    },
    Texto: {
      'Texto encaminhado': 'text',
      'Mensagem temporária': 'text',
      'Texto vindo de um anúncio': 'text',
    },
    Respostas: {
      'Resposta de lista': 'text',
      'Resposta de botão': 'text',
      'Resposta de modelo': 'text',
      'Resposta de formulário': 'text',
    },
    'Loja e outros': { Pedido: 'text', Produto: 'text', 'Tipo desconhecido': 'text' },
  }

  test.each(Object.entries(kinds))(
    'the messages under "%s" are each sent by a press, and the console takes them',
    async (heading, all) => {
      const name = `Envia ${heading}`
      const labels = Object.keys(all)
      const made = await take(name)
      for (const [index, label] of labels.entries()) {
        await attach(name, 'Mais tipos…')
        const group = page
          .getByRole('dialog', { name: 'Mais tipos de mensagem' })
          .getByRole('region', { name: heading })
        await expect.poll(() => group.getByRole('button').allTextContents()).toEqual(labels)
        await group.getByRole('button', { name: label, exact: true }).click()
        await expect.poll(() => bubbles(name).count()).toBe(index + 1)
      }
      await expect.poll(() => typesWith(made)).toEqual(Object.values(all))
      await expect.poll(() => tick(name, 'Entregue').count()).toBe(labels.length)
    },
  )

  test('a film, a GIF, a round film and a sticker can be seen', async () => {
    const name = 'Filma De Tudo'
    await take(name)
    for (const label of ['Vídeo', 'GIF', 'Recado de vídeo']) {
      await attach(name, 'Mais tipos…')
      await page.getByRole('dialog').getByRole('button', { name: label, exact: true }).click()
      const film = chat(name)
        .locator('video')
        .and(page.getByLabel(label, { exact: true }))
      await expect
        .poll(() => film.evaluate((video) => (video as HTMLVideoElement).videoWidth))
        .toBeGreaterThan(0)
    }
    await attach(name, 'Mais tipos…')
    await page.getByRole('dialog').getByRole('button', { name: 'Figurinha' }).click()
    const sticker = chat(name).getByRole('img', { name: 'Figurinha' })
    await expect.poll(() => sticker.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(512)
  })

  test('the text of the field is sent along as the caption', async () => {
    const name = 'Encaminha Palavras'
    const made = await take(name)
    await phone(name).getByRole('textbox', { name: 'Mensagem' }).fill('olha o que me mandaram')
    await attach(name, 'Mais tipos…')
    await page.getByRole('dialog').getByRole('button', { name: 'Texto encaminhado' }).click()
    await chat(name).getByText('Encaminhada').waitFor()
    await chat(name).getByText('olha o que me mandaram').waitFor()
    await expect
      .poll(async () => (await messagesWith(made)).map(({ content }) => content))
      .toEqual(['olha o que me mandaram'])
  })

  test('a place and a card are sent by one press', async () => {
    const name = 'Passa Contato'
    const made = await take(name)
    await attach(name, 'Localização')
    await chat(name).getByText('Galpão Bela Vista').waitFor()
    await attach(name, 'Contato')
    await chat(name).getByText('Seu Anselmo (portaria)').waitFor()
    await chat(name).getByText('+55 11 97012-8834').waitFor()
    await expect.poll(() => typesWith(made)).toEqual(['location', 'contact'])
  })

  test('an unknown kind of message is a line with its name', async () => {
    const name = 'Vem Do Futuro'
    const made = await phones.create(name)
    const sent = await phones.write(made.id, 'de outro tempo')
    await page.route('**/chat', async (route) => {
      const response = await route.fetch()
      const json = (await response.json()) as ChatMessage[]
      await route.fulfill({
        response,
        json: json.map((message) =>
          message.id === sent.id ? { ...message, rich: { kind: 'hologram' } } : message,
        ),
      })
    })
    await page.goto(`${url}/simulador?celulares=${made.id}`)
    await chat(name).getByText('hologram').waitFor()
    await page.unroute('**/chat')
  })
})

describeInFull('a poll', () => {
  const option = (name: string, text: string) =>
    chat(name)
      .getByRole('group', { name: /^Enquete/ })
      .getByRole('button', { name: text })
  const isChosen = (name: string, text: string) => option(name, text).getAttribute('aria-pressed')

  test('a poll is asked in a dialog, which says what is missing, and reaches the console', async () => {
    const name = 'Pergunta Uma Coisa'
    const made = await take(name)
    await attach(name, 'Enquete…')
    const dialog = page.getByRole('dialog', { name: 'Nova enquete' })
    await dialog.getByRole('button', { name: 'Enviar enquete' }).click()
    await dialog.getByText('Escreva a pergunta').waitFor()
    await dialog.getByText('Escreva ao menos duas opções').waitFor()
    await dialog.getByLabel('Pergunta').fill('Que dia é melhor?')
    await dialog.getByLabel('Opção 1').fill('terça')
    await dialog.getByLabel('Opção 2').fill('terça')
    await dialog.getByText('As opções têm de ser diferentes').waitFor()
    await dialog.getByLabel('Opção 2').fill('quarta')
    await dialog.getByRole('button', { name: 'Adicionar opção' }).click()
    await dialog.getByRole('textbox', { name: 'Opção 3' }).fill('quinta')
    await dialog.getByLabel('Quantas opções cada um pode marcar').click()
    await page.getByRole('option', { name: 'Até 2' }).click()
    await dialog.getByRole('button', { name: 'Enviar enquete' }).click()
    await dialog.waitFor({ state: 'detached' })
    await chat(name).getByText('Escolha até 2 opções').waitFor()
    await expect
      .poll(async () => (await messagesWith(made))[0]?.metadata.poll)
      .toMatchObject({ options: ['terça', 'quarta', 'quinta'], selectable: 2 })
    for (const each of ['terça', 'quinta']) {
      await option(name, each).click()
      await expect.poll(() => isChosen(name, each)).toBe('true')
    }
    await expect.poll(() => option(name, 'quarta').getAttribute('aria-disabled')).toBe('true')
  })
})

testInFull('a message is pinned and unpinned, and the pin leads to it', async () => {
  const name = 'Fixa E Solta'
  const made = await take(name)
  await write(name, 'meu endereço é Rua das Flores, 10')
  const isPinned = async () => (await messagesWith(made))[0]?.isPinned
  await choose(name, 'Fixar')
  await chat(name).getByRole('img', { name: 'Fixada' }).waitFor()
  const line = phone(name).getByRole('button', { name: 'Mensagem fixada: meu endereço é Rua das Flores, 10' })
  await expect.poll(isPinned).toBe(true)
  for (let count = 1; count <= 15; count += 1) await phones.write(made.id, `linha ${count}`)
  await chat(name).getByText('linha 15').waitFor()
  const first = bubbles(name).first()
  const isInView = () =>
    first.evaluate((element) => {
      const log = element.closest('[role=log]')?.getBoundingClientRect()
      const { top, bottom } = element.getBoundingClientRect()
      return log !== undefined && top >= log.top && bottom <= log.bottom
    })
  await expect.poll(() => isInView()).toBe(false)
  await line.click()
  await expect.poll(isInView).toBe(true)
  await first.hover()
  await first.getByRole('button', { name: 'Opções da mensagem' }).click()
  await page.getByRole('menuitem', { name: 'Desafixar' }).click()
  await line.waitFor({ state: 'detached' })
  await expect.poll(isPinned).toBe(false)
})

testInFull("the company's own phone writes, reacts, edits and deletes in the same chat", async () => {
  const name = 'Fala Com O Dono'
  const made = await take(name)
  await write(name, 'tem alguém?')
  await phone(name).getByRole('button', { name: 'Opções', exact: true }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Escrever pelo celular da empresa' }).click()
  await phone(name).getByText('Pelo celular da empresa').waitFor()
  await choose(name, 'Reagir com 👍')
  await chat(name).getByRole('img', { name: 'Reações: 👍' }).waitFor()
  await write(name, 'sou eu, o dono')
  await choose(name, 'Editar')
  await write(name, 'sou eu, a dona')
  await attach(name, 'Contato')
  await chat(name).getByText('Seu Anselmo (portaria)').waitFor()
  const said = async () =>
    (await messagesWith(made)).map(({ senderType, messageType, content }) =>
      messageType === 'text' ? `${senderType}: ${content}` : `${senderType}: ${messageType}`,
    )
  await expect.poll(said).toEqual(['contact: tem alguém?', 'user: sou eu, a dona', 'user: contact'])
  await choose(name, 'Apagar para todos')
  await chat(name).getByText('Mensagem apagada').waitFor()
  await phone(name).getByRole('button', { name: 'Voltar a escrever como cliente' }).click()
  await write(name, 'então está bem')
  await expect.poll(async () => (await said()).at(-1)).toBe('contact: então está bem')
})

const calls = [
  ['Chamada de vídeo', 'É recusada', 'foi recusada', 'Chamada de vídeo perdida'],
  ['Chamada de voz', 'Toca e ninguém atende', 'ninguém atendeu', 'Chamada de voz perdida'],
  [
    'Chamada de voz',
    'É atendida no celular da empresa',
    'foi atendida no celular da empresa',
    'Chamada de voz atendida no celular',
  ],
] as const

testInFull.each(calls)(
  'a client calls (%s: %s), and the console hears of it',
  async (title, ending, reported, line) => {
    const name = `Liga ${ending}`
    const made = await take(name)
    await write(name, 'vou ligar')
    await phone(name).getByRole('button', { name: 'Ligar para a empresa' }).click()
    await page.getByRole('group', { name: title }).getByRole('menuitem', { name: ending }).click()
    await page.getByText(`${title}: ${reported}`, { exact: true }).waitFor()
    await register().getByText(`${name}: ${title.toLowerCase()} (offer)`).waitFor()
    await expect
      .poll(async () => (await messagesWith(made)).map(({ content }) => content))
      .toEqual(['vou ligar', line])
  },
)

describeInFull('what happens outside of a chat', () => {
  const begin = async (name: string, event: string) => {
    await page.getByRole('button', { name: 'Outros eventos' }).click()
    const dialog = page.getByRole('dialog', { name: 'Outros eventos' })
    await dialog.getByText(name).waitFor()
    await dialog.getByRole('button', { name: event }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  const line = (event: string, detail: RegExp) =>
    register().getByRole('listitem').filter({ hasText: event }).filter({ hasText: detail }).first()

  test('an event outside of a chat reaches the console, which keeps its chats as they are', async () => {
    const name = 'Vive Lá Fora'
    const made = await take(name)
    await write(name, 'primeira')
    await write(name, 'segunda')
    await expect.poll(() => typesWith(made)).toEqual(['text', 'text'])
    await register().getByRole('button', { name: 'Limpar' }).click()
    await begin(name, 'Escrever em um grupo')
    await line('messages.upsert', /a reunião é às 19h/).waitFor()
    await begin(name, 'Publicar um status')
    await line('messages.upsert', /Dia lindo em São Paulo/).waitFor()
    await begin(name, 'Publicar em um canal')
    await line('messages.upsert', /Novidades da semana/).waitFor()
    await begin(name, 'Sincronizar agenda')
    await line('contacts.upsert', /1 contatos?/).waitFor()
    await begin(name, 'Sincronizar histórico')
    await line('messages.set', /histórico de 2 mensagens/).waitFor()
    await write(name, 'terceira')
    await expect
      .poll(async () => (await messagesWith(made)).map(({ content }) => content))
      .toEqual(['primeira', 'segunda', 'terceira'])
    const open = await ana.openConversations()
    expect(open.filter(({ contact }) => contact.phone === made.number)).toHaveLength(1)
  })

  test('the gateway changes its release, and the console understands it all the same', async () => {
    const name = 'Muda De Versão'
    const made = await take(name)
    const version = page.getByRole('combobox', { name: 'Versão do gateway' })
    await version.click()
    await page.getByRole('option', { name: '2.3.1 e 2.3.2' }).click()
    await expect.poll(() => version.textContent()).toBe('2.3.1 e 2.3.2')
    await write(name, 'falo em outra versão')
    await expect.poll(() => typesWith(made)).toEqual(['text'])
    await page.reload()
    await expect.poll(() => version.textContent()).toBe('2.3.1 e 2.3.2')
    await version.click()
    await page.getByRole('option', { name: '2.3.7' }).click()
    await expect.poll(() => version.textContent()).toBe('2.3.7')
  })
})

describeInFull('sixty phones', () => {
  const list = () => page.getByRole('list', { name: 'Celulares' })
  const rows = () => list().getByRole('listitem')
  let wanted: PhoneView

  beforeAll(async () => {
    const there = (await phones.all()).length
    for (let count = there; count < 59; count += 1) await phones.create(`Figurante ${count}`)
    wanted = await phones.create('Úrsula Ácaro Guimarães')
  })

  test('phones are in a scrolling list, and only chats on the stage are loaded', async () => {
    const chats: string[] = []
    const note = (request: { url: () => string }) => {
      if (request.url().endsWith('/chat')) chats.push(request.url())
    }
    page.on('request', note)
    await page.goto(`${url}/simulador`)
    await expect.poll(() => page.getByRole('log').count()).toBe(4)
    await expect.poll(() => page.locator('[role=log][aria-busy=true]').count()).toBe(0)
    page.off('request', note)
    expect(new Set(chats).size).toBe(4)
    await expect.poll(() => rows().count()).toBeGreaterThanOrEqual(60)
    const isScrolling = (element: Element) => element.scrollHeight > element.clientHeight
    await expect.poll(() => list().evaluate(isScrolling)).toBe(true)
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollHeight > innerHeight))
      .toBe(false)
  })

  test('phones are chosen on a small screen from a drawer', async () => {
    const narrow = await newPage(browser, { width: 390, height: 844 })
    await narrow.goto(`${url}/simulador`)
    await narrow.getByRole('button', { name: 'Celulares e falhas' }).click()
    const drawer = narrow.getByRole('dialog', { name: 'Celulares e falhas' })
    const placeOfFaults = async () => (await drawer.getByRole('region', { name: 'Falhas' }).boundingBox())?.y
    const before = await placeOfFaults()
    await drawer.getByRole('searchbox').fill('URSULA')
    await expect
      .poll(() => drawer.getByRole('list', { name: 'Celulares' }).getByRole('listitem').count())
      .toBe(1)
    await expect.poll(() => placeOfFaults()).toBe(before)
    await drawer.getByRole('button', { name: wanted.name }).click()
    await narrow.getByRole('region', { name: wanted.name, exact: true }).waitFor()
  })
})

describe('the faults', () => {
  test('the faults of the simulator are switched on and off, and logged', async () => {
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
    const count = async () =>
      (await ana.openConversations()).find(({ contact }) => contact.name === 'Duas Vezes')?.messageCount
    await expect.poll(count).toBe(1)
    await register().getByText('Tudo confere').waitFor()
    await expect.poll(() => count()).toBe(1)
    await register().getByRole('button', { name: 'Limpar' }).click()
    await lines.filter({ hasText: 'Duplicar webhook' }).first().waitFor({ state: 'detached' })
    // It is empty until the next call, which may come at once: a picture is fetched, for example.
    const isEmpty = async () => {
      await register().getByRole('button', { name: 'Limpar' }).click()
      return register().getByText('Nada passou pelo gateway desde que o registro foi limpo.').isVisible()
    }
    await expect.poll(isEmpty).toBe(true)
  })

  testInFull('the faults of the simulator have strengths that are set in a dialog', async () => {
    await open()
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

  testInFull(
    'the number is disconnected here and in the console; texts sent meanwhile arrive later',
    async () => {
      const name = 'Espera A Volta'
      await take(name)
      const operator = await signedIn('ana')
      const state = (text: string, on: Page) => on.getByRole('status').getByText(text, { exact: true })
      await state('Conectado', operator).waitFor()
      await faults().getByRole('switch', { name: 'Desconectar o número' }).click()
      for (const each of [page, operator]) await state('Desconectado', each).waitFor()
      await write(name, 'alguém aí?')
      await tick(name, 'A caminho').waitFor()
      await faults().getByRole('switch', { name: 'Desconectar o número' }).click()
      for (const each of [page, operator]) await state('Conectado', each).waitFor()
      await tick(name, 'Entregue').waitFor()
    },
  )
})
