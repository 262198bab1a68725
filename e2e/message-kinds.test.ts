import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { PhoneView } from '#simulator/control-views.ts'
import { expectAccessible } from './support/sound.ts'
import { expectFocused, pressEscape } from './support/focus.ts'
import { go } from './support/go.ts'
import { describeInFull, inFullAlso, testInFull } from './support/matrix.ts'
import { newChat, newTalk } from './support/open-chat.ts'
import { sampleMessages } from './support/phones.ts'
import { colleague, phones, signedIn, url } from './support/stage.ts'

const page = await signedIn('ana')
const ana = await colleague('ana')

const log = (on = page) => on.getByRole('log')
const articles = (on = page) => log(on).getByRole('article')
const said = (text: string, on = page) => articles(on).filter({ hasText: text })
const fromOwner = (text: string) =>
  log()
    .getByRole('article', { name: /^Enviada pelo celular, / })
    .filter({ hasText: text })
const composer = () => page.getByPlaceholder('Digite sua mensagem...')
const reactions = (text: string, emojis: string) =>
  said(text).getByRole('img', { name: `Reações: ${emojis}`, exact: true })

/** Creates a client who has just written, and opens the chat. */
const chatWith = (name: string, first = 'oi') => newChat(page, ana, name, first)

type Kind = keyof typeof sampleMessages

/** The texts in the bubble of each kind. */
const shown: Record<Kind, (string | RegExp)[]> = {
  text: ['Bom dia! Veja https://exemplo.com.br/pedido'],
  picture: ['a caixa rasgada'],
  video: ['a descarga'],
  roundVideo: [],
  gif: ['ficou assim'],
  voice: ['0:01'],
  soundFile: ['Arquivo de áudio', '0:01'],
  document: ['segue a nota', 'nota fiscal 48.213.pdf', /PDF · 1 página · .*Bytes/],
  sticker: [],
  contact: [
    'Seu Anselmo (portaria)',
    '(11) 97012-8834',
    '+1 (415) 555-2671',
    'Condomínio Aurora',
    'portaria@exemplo.com.br',
    'https://exemplo.com.br/portaria',
  ],
  contacts: ['Zefa', '(11) 98765-4320', 'Raul', 'mais 2'],
  location: [
    'Mercadinho Bom Preço',
    'Localização',
    'R. Domingos de Morais, 2187',
    '-23.56140, -46.65590',
    'Abrir no mapa',
  ],
  liveLocation: ['Localização em tempo real', 'estou chegando', '-23.55050, -46.63330'],
  poll: ['Quando entregamos?', 'Escolha uma', 'manhã', 'tarde', 'noite'],
  listReply: ['Segunda via do boleto'],
  buttonReply: ['Sim, pode entregar'],
  templateReply: ['Quero falar com alguém'],
  interactiveReply: ['Formulário enviado'],
  viewOncePlaceholder: [
    'Mensagem não suportada',
    'Pode ser de visualização única.',
    'Abra o WhatsApp no celular para ver.',
  ],
  order: ['Pedido: Cesta de café', '3 itens', 'R$ 129,90'],
  product: ['Produto: Café especial', 'R$ 49,90'],
  groupInvite: ['Convite para o grupo Moradores do Aurora'],
  unknown: ['festa'],
  forwarded: ['recado do fornecedor', 'Encaminhada'],
  fromAd: ['vi o anúncio de vocês', 'Veio de um anúncio: Café especial com 20% de desconto'],
  ephemeral: ['some em um dia'],
  viewOnce: ['só uma vez', 'Visualização única'],
  nested: ['dentro de três', 'contrato.docx', 'DOCX'],
  ofAlbum: ['segunda do álbum'],
}
const kinds = Object.keys(shown) as Kind[]
/** Those that every run sends from each side; the full run sends all of them. */
const everyRun: Record<'client' | 'owner', Kind[]> = {
  client: ['picture', 'poll'],
  owner: ['text'],
}
const kindsOf = (side: 'client' | 'owner') =>
  inFullAlso(
    everyRun[side],
    kinds.filter((kind) => !everyRun[side].includes(kind)),
  )

/** The accessible name of the picture, video or player. */
const named: Partial<Record<Kind, string>> = {
  picture: 'Imagem: a caixa rasgada',
  video: 'Vídeo: a descarga',
  roundVideo: 'Mensagem de vídeo',
  gif: 'GIF: ficou assim',
  voice: 'Áudio',
  soundFile: 'Arquivo de áudio',
  sticker: 'Figurinha',
  viewOnce: 'Imagem: só uma vez',
  ofAlbum: 'Imagem: segunda do álbum',
}
const calledIn = (name: string) => page.locator(`[alt="${name}"], [aria-label="${name}"]`)

describe.each(['client', 'owner'] as const)('what the %s sends', (side) => {
  const name = side === 'client' ? 'Manda Cada Coisa' : 'Recebe Cada Coisa'
  const author = side === 'client' ? name : 'Enviada pelo celular'
  let phone: PhoneView
  beforeAll(async () => {
    ;({ phone } = await chatWith(name))
  })
  const send = (kind: Kind) =>
    side === 'client'
      ? phones.send(phone.id, sampleMessages[kind])
      : phones.sendAsOwner(phone.id, sampleMessages[kind])

  test.each(kindsOf(side))('%s is shown as what it is, on its side', async (kind) => {
    await send(kind)
    let bubble = log().getByRole('article', { name: new RegExp(`^${author}, `) })
    for (const hasText of shown[kind]) bubble = bubble.filter({ hasText })
    const name = named[kind]
    if (name !== undefined) bubble = bubble.filter({ has: calledIn(name) })
    await bubble.waitFor()
    await expect.poll(() => bubble.count()).toBe(1)
  })
})

testInFull('content of an unknown kind without words is a line that names it, and no message', async () => {
  const { phone } = await chatWith('Manda O Que Não Se Conhece')
  await phones.send(phone.id, {
    kind: 'unknown',
    messageType: 'newKindMessage',
    raw: { newKindMessage: { url: 'https://exemplo.com.br' } },
  })
  await log()
    .getByText('Há algo nesta conversa que só aparece no celular (newKindMessage)', { exact: true })
    .waitFor()
  await expect.poll(() => said('Mensagem não suportada').count()).toBe(0)
})

testInFull("what the company's phone sends is marked 'enviada pelo celular' and has no author", async () => {
  const { phone } = await chatWith('Fala Com O Celular')
  await phones.sendAsOwner(phone.id, sampleMessages.location)
  await fromOwner('Mercadinho Bom Preço').getByText('enviada pelo celular', { exact: true }).waitFor()
  await expect.poll(() => log().getByText('Ana Beatriz').count()).toBe(0)
})

describeInFull('in the lists and in quotes', () => {
  const quoted = [
    ['poll', 'Enquete', 'Quando entregamos?'],
    ['picture', 'Imagem', 'a caixa rasgada'],
    ['location', 'Localização', 'Mercadinho Bom Preço'],
    ['contact', 'Contato', 'Seu Anselmo (portaria)'],
    ['document', 'Documento', 'segue a nota'],
  ] as const
  test.each(quoted)('a %s stands behind an icon that says %s', async (kind, label, words) => {
    const { phone } = await chatWith(`Em Uma Linha ${kind}`)
    await phones.send(phone.id, sampleMessages[kind])
    const row = page.getByRole('region', { name: 'Conversas' }).getByRole('link', { name: phone.name })
    await row.getByText(words).waitFor()
    await row.getByRole('img', { name: label }).waitFor()
    await said(words).hover()
    await said(words).getByRole('button', { name: 'Responder' }).click()
    await page.getByText(`Respondendo a ${phone.name}`).waitFor()
    await composer().fill('sobre isto')
    await composer().press('Enter')
    const quote = said('sobre isto').getByRole('button', { name: words })
    await quote.getByRole('img', { name: label }).waitFor()
  })
})

describeInFull('a message changes', () => {
  test('a pin comes and goes', async () => {
    const { phone } = await chatWith('Fixa No Alto', 'o endereço é este')
    const [message] = await phones.chat(phone.id)
    for (const by of ['phone', 'owner'] as const) {
      await phones.pin(phone.id, message?.id ?? '', true, by)
      await said('o endereço é este').getByText('fixada').waitFor()
      await phones.pin(phone.id, message?.id ?? '', false, by)
      await said('o endereço é este').getByText('fixada').waitFor({ state: 'detached' })
    }
  })
})

describe('the menu of a message', () => {
  const menuOf = async (text: string) => {
    await said(text).hover()
    await said(text).getByRole('button', { name: 'Opções da mensagem' }).click()
    return page.getByRole('menu', { name: 'Opções da mensagem' })
  }
  const reactionsOnPhone = async (phoneId: string) =>
    (await phones.chat(phoneId))[0]?.reactions.map(({ emoji, from }) => `${emoji} ${from}`)

  const expectFocusOnMenu = (text: string) =>
    expectFocused(said(text).getByRole('button', { name: 'Opções da mensagem' }))

  test('the menu of a message reacts, and takes the reaction back', async () => {
    const { phone } = await chatWith('Recebe Reação', 'ficou ótimo')
    await (await menuOf('ficou ótimo')).getByRole('menuitem', { name: 'Reagir com ❤️' }).click()
    await reactions('ficou ótimo', '❤️').waitFor()
    await expect.poll(() => reactionsOnPhone(phone.id)).toEqual(['❤️ company'])
    await (await menuOf('ficou ótimo')).getByRole('menuitem', { name: 'Retirar a reação ❤️' }).click()
    await reactions('ficou ótimo', '❤️').waitFor({ state: 'detached' })
    await expect.poll(() => reactionsOnPhone(phone.id)).toEqual([])
  })

  testInFull('the menu of a message is reached, and left, by key alone', async () => {
    const { phone } = await chatWith('Só Teclado', 'sem rato')
    await said('sem rato').getByRole('button', { name: 'Opções da mensagem' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Reagir com 👍' }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => reactionsOnPhone(phone.id)).toEqual(['👍 company'])
    // Neither an action on this screen nor Escape loses the position.
    await expectFocusOnMenu('sem rato')
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Copiar' }).waitFor()
    await pressEscape(page)
    await expectFocusOnMenu('sem rato')
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Responder' }).press('Enter')
    await page.getByText(`Respondendo a ${phone.name}`).waitFor()
    await expectFocused(composer())
  })

  testInFull('the menu of a message has no reactions for what is not at WhatsApp', async () => {
    const { phone, id } = await chatWith('Sem Conta')
    await phones.change(phone.id, { onWhatsApp: false })
    await ana.reply(id, 'não chega')
    await said('não chega').getByText('Número sem WhatsApp').waitFor()
    const menu = await menuOf('não chega')
    await menu.getByRole('menuitem', { name: 'Copiar' }).waitFor()
    await expect.poll(() => menu.getByRole('menuitem', { name: /^Reagir/ }).count()).toBe(0)
    await pressEscape(page)
  })
})

testInFull(
  'a quote leads to its original, also where that is not loaded yet',
  async () => {
    const { phone, id } = await chatWith('Lembra De Tudo', 'a primeira de todas')
    const [first] = await phones.chat(phone.id)
    // More than a page.
    await phones.pileUp(
      phone,
      Array.from({ length: 240 }, (_, at) => `mensagem ${at}`),
    )
    await phones.write(phone.id, 'lembra disto?', first?.id)
    await expect
      .poll(async () => (await ana.openConversations()).find((row) => row.id === id)?.messageCount, {
        timeout: 150_000,
      })
      .toBe(242)
    await page.reload()
    // The chat may open at the unread messages.
    const log = page.getByRole('log')
    await log.waitFor()
    await expect
      .poll(async () => {
        await log.evaluate((box) => box.scrollTo(0, box.scrollHeight))
        return said('lembra disto?').count()
      })
      .toBe(1)
    await said('lembra disto?').getByRole('button', { name: 'a primeira de todas' }).click()
    await articles()
      .filter({ hasText: /^a primeira de todas/ })
      .first()
      .waitFor()
  },
  240_000,
)

describeInFull('a call', () => {
  const line = (text: string) => log().getByText(text, { exact: true })
  const waitsFor = async (id: number) =>
    (await ana.call<{ waitingFor: string }>('GET', `/api/conversations/${id}`)).waitingFor

  const missed = [
    [false, 'Chamada de voz perdida'],
    [true, 'Chamada de vídeo perdida'],
  ] as const
  test.each(missed)(
    'a call that nobody took (video: %s) is a thin line, and the client waits',
    async (video, text) => {
      const { phone, id } = await chatWith(`Liga Em Vão ${video}`)
      await ana.reply(id, 'posso ajudar?')
      await expect.poll(() => waitsFor(id)).toBe('client')
      await phones.call(phone.id, { video, outcome: 'missed' })
      await line(text).waitFor()
      await expect.poll(() => said(text).count()).toBe(0)
      await expect.poll(() => waitsFor(id)).toBe('operator')
      await go(page, `/conversas-ativas?search=${encodeURIComponent(phone.name)}`)
      await page.getByRole('link', { name: phone.name }).getByText(text).waitFor()
    },
  )
})

const arabic = 'شركة الخليج للتجارة والمقاولات العامة'
const unbroken = 'Maximiliano'.repeat(6).slice(0, 60)
const awkward = [unbroken, arabic, '👩‍👩‍👧‍👦🏳️‍🌈'.repeat(8)]

describeInFull('a chat with everything in it, at its most awkward', () => {
  let id: number
  const last = 'é isso, obrigado'
  beforeAll(async () => {
    const { phone, id: made } = await newTalk(ana, unbroken, 'lá vai')
    id = made
    for (const kind of kinds) {
      await phones.send(phone.id, sampleMessages[kind])
      await phones.sendAsOwner(phone.id, sampleMessages[kind])
    }
    const cards = Array.from({ length: 257 }, (_, index) => {
      const name = awkward[index] ?? `Pessoa ${index}`
      return {
        displayName: name,
        vcard: `BEGIN:VCARD\nVERSION:3.0\nFN:${name}\nEMAIL:${'e'.repeat(60)}@exemplo.com.br\nEND:VCARD`,
      }
    })
    await phones.inject({
      event: 'messages.upsert',
      data: {
        key: { remoteJid: `${phone.number}@s.whatsapp.net`, fromMe: false, id: `AGENDA${Date.now()}` },
        pushName: phone.name,
        message: { contactsArrayMessage: { displayName: '257 contatos', contacts: cards } },
        messageType: 'contactsArrayMessage',
        messageTimestamp: Math.floor(Date.now() / 1000),
      },
    })
    for (const text of awkward) {
      await phones.send(phone.id, {
        kind: 'location',
        latitude: 1,
        longitude: 2,
        name: text,
        address: text.repeat(3),
      })
      await phones.send(phone.id, {
        kind: 'document',
        base64: 'AAAA',
        fileName: `${text}.pdf`,
        caption: text,
      })
    }
    const poll = await phones.send(phone.id, {
      kind: 'poll',
      name: unbroken.repeat(3),
      options: Array.from({ length: 12 }, (_, index) => `${index}${(awkward[index % 3] ?? '').repeat(2)}`),
      selectableCount: 0,
    })
    await phones.vote(phone.id, poll.id, [`0${unbroken.repeat(2)}`, `1${arabic.repeat(2)}`])
    await phones.call(phone.id, { outcome: 'missed' })
    await phones.write(phone.id, last, poll.id)
  })

  /** Scrolls through the whole timeline, and calls `check` on each screen. */
  async function eachScreen(on: Page, check: () => Promise<void>): Promise<void> {
    await log(on).evaluate((element) => void (element.scrollTop = 0))
    await said('lá vai', on).waitFor()
    for (;;) {
      await check()
      const isEnd = await log(on).evaluate(async (element) => {
        const before = element.scrollTop
        element.scrollTop += element.clientHeight * 0.8
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
        return element.scrollTop === before
      })
      if (isEnd) return
    }
  }

  const isTooWide = (on: Page) =>
    on.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll('main, [role="log"], [role="log"] article *')]
        .filter((box) => {
          const { overflowX, display } = getComputedStyle(box)
          const isCut = overflowX === 'hidden' || display === 'inline'
          // A quote is three pixels wider than the text on either side.
          return !isCut && box.clientWidth > 0 && box.scrollWidth - box.clientWidth > 6
        })
        .map((box) => box.outerHTML.slice(0, 200)),
    )

  const widths = [390, 1440] as const
  test.each(widths)('no message is wider than its place at %i px', async (width) => {
    const on = await signedIn('ana', { width })
    await on.goto(`${url}/chat?conversation=${id}`)
    // It opens where Ana stopped reading.
    await articles(on).first().waitFor()
    await on.evaluate(() => document.fonts.ready)
    let screens = 0
    await eachScreen(on, async () => {
      screens += 1
      await expect.poll(() => isTooWide(on)).toEqual([])
    })
    expect(screens).toBeGreaterThan(4)
  })

  test.each(['dark', 'light'] as const)('no message keeps anybody out in the %s theme', async (theme) => {
    const on = await signedIn('ana', { theme, height: 2400 })
    await on.goto(`${url}/chat?conversation=${id}`)
    // It opens where Ana stopped reading.
    await articles(on).first().waitFor()
    await eachScreen(on, () => expectAccessible(on))
  })
})
