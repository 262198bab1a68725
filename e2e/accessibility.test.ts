import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { rightNow } from './support/right-now.ts'
import { crowdedTexts } from './support/crowded-texts.ts'
import { expectAccessible } from './support/sound.ts'
import { newPage } from './support/browser.ts'
import { go } from './support/go.ts'
import { isFull } from './support/full-run.ts'
import { inFullAlso } from './support/matrix.ts'
import { lastMonth } from './support/last-month.ts'
import { sampleMessages } from './support/phones.ts'
import { browser, colleague, phones, signedIn, url } from './support/stage.ts'

const wide = { width: 1440, height: 900, theme: 'light' } as const
const narrow = { width: 390, height: 844, theme: 'dark' } as const
const looks = inFullAlso(
  [wide, narrow],
  [
    { width: 1440, height: 900, theme: 'dark' },
    { width: 1024, height: 800, theme: 'dark' },
    { width: 1024, height: 800, theme: 'light' },
    { width: 768, height: 1024, theme: 'light' },
    { width: 390, height: 844, theme: 'light' },
  ],
)
let everything: number

beforeAll(async () => {
  everything = await writeEverything()
})

/** Creates a chat with every look of a message. @returns the id of its conversation */
async function writeEverything(): Promise<number> {
  const ana = await colleague('ana')
  const phone = await phones.create('De Tudo Um Pouco')
  const first = await phones.write(phone.id, 'veja https://exemplo.com.br e me diga')
  const { id } = await ana.conversationWith(phone)
  await phones.react(phone.id, first.id, '👍')
  await phones.write(phone.id, 'estou citando', first.id)
  const edited = await phones.write(phone.id, 'ainda sem erro')
  await phones.edit(phone.id, edited.id, 'já sem erro')
  const deleted = await phones.write(phone.id, 'não era para cá')
  await phones.remove(phone.id, deleted.id)
  await phones.write(phone.id, '*forte* _fraco_ ~errado~ `código`\n> citado\n- um\n- dois\n```tudo\nassim```')
  for (const kind of ['picture', 'video', 'gif', 'voice', 'soundFile', 'document', 'sticker'] as const)
    await phones.send(phone.id, sampleMessages[kind])
  await phones.send(phone.id, { kind: 'image', base64: 'AAAA', caption: 'a foto que não abre' })
  await phones.writeAsOwner(phone.id, 'do celular da loja')
  await ana.reply(id, 'esta chega')
  // Not expect.poll, which only works within a test.
  await vi.waitFor(
    async () =>
      expect(await rightNow('asked again until it is there', phones.received(phone.id))).toContain(
        'esta chega',
      ),
    15_000,
  )
  await phones.change(phone.id, { onWhatsApp: false })
  await ana.reply(id, 'esta não chega')
  return id
}

type Screen = [name: string, address: string, shown: (page: Page) => Promise<unknown>]

const archived = (page: Page) => page.getByRole('list', { name: 'Conversas arquivadas' }).getByRole('article')

/** One of each screen, in its usual state. */
const screens: Screen[] = [
  ['/', '/', (page) => page.getByRole('list', { name: 'Conversas recentes' }).waitFor()],
  [
    '/conversas-ativas',
    '/conversas-ativas?limit=5',
    (page) => page.getByRole('list', { name: 'Conversas ativas' }).waitFor(),
  ],
  ['/conversas-arquivadas', '/conversas-arquivadas', (page) => archived(page).first().waitFor()],
  [
    '/conversas-arquivadas/:id',
    '/conversas-arquivadas',
    async (page) => {
      await archived(page).first().getByRole('link').first().click()
      await page
        .getByRole('region', { name: 'Histórico de Mensagens' })
        .getByText(/^\d+ mensagens?$/)
        .waitFor()
    },
  ],
  ['/perfil', '/perfil', (page) => page.getByRole('list', { name: 'Sessões abertas' }).waitFor()],
  ['/contacts', '/contacts', (page) => page.getByRole('table').waitFor()],
  [
    '/contacts/:id',
    '/contacts',
    async (page) => {
      await page.getByRole('table').getByRole('link').first().click()
      await page.getByRole('region', { name: 'Conversas' }).waitFor()
    },
  ],
  [
    '/contacts/import',
    '/contacts/import?id=novo',
    (page) => page.getByText('Solte um CSV ou XLSX aqui').waitFor(),
  ],
  ['/companies', '/companies', (page) => page.getByRole('list', { name: 'Empresas' }).waitFor()],
  ['/users', '/users', (page) => page.getByRole('row', { name: /Ana Beatriz/ }).waitFor()],
  ['/permissions', '/permissions', (page) => page.getByText('@bruno').waitFor()],
  ['/settings', '/settings?aba=mensagens', (page) => page.getByText('Tudo salvo').waitFor()],
  [
    '/settings-advanced',
    '/settings-advanced?aba=evolution',
    (page) => page.getByLabel('Nome da instância').waitFor(),
  ],
  [
    '/reports',
    `${lastMonth}&figure=handling`,
    (page) => page.getByRole('columnheader', { name: 'No expediente' }).waitFor(),
  ],
  ['/auditoria', '/auditoria', (page) => page.getByRole('table').waitFor()],
  [
    '/maintenance',
    '/maintenance',
    (page) => page.getByRole('region', { name: 'Uso de disco', exact: true }).waitFor(),
  ],
  ['/primeiros-passos', '/primeiros-passos', (page) => page.getByText('Tudo pronto').waitFor()],
  ['/test-contact-display', '/test-contact-display', (page) => page.getByRole('textbox').first().waitFor()],
  ['not found', '/nao-existe', (page) => page.getByText('404 Page Not Found').waitFor()],
  ['/simulador', '/simulador', (page) => page.getByRole('textbox', { name: 'Mensagem' }).first().waitFor()],
]

/** Further states of them, for the full run. */
const states: Screen[] = [
  [
    '/conversas-ativas without a result',
    '/conversas-ativas?search=zzzz',
    (page) => page.getByText('Nenhuma conversa corresponde à busca aplicada').waitFor(),
  ],
  [
    '/chat that does not exist',
    '/chat?conversation=99999999',
    (page) => page.getByText('Conversa não encontrada', { exact: true }).waitFor(),
  ],
  [
    '/settings-advanced with the AI',
    '/settings-advanced?aba=ia',
    (page) => page.getByLabel('ID do agente', { exact: true }).waitFor(),
  ],
  [
    "'Ver como'",
    '/permissions?search=bruno',
    async (page) => {
      await page.getByRole('button', { name: 'Ver como Bruno Tavares' }).click()
      await page.getByText('Abre 8 de 15 telas').waitFor()
    },
  ],
  [
    '/auditoria with a row opened',
    '/auditoria?group=auth',
    (page) =>
      page
        .getByRole('button', { name: /^Abrir registro/ })
        .first()
        .click(),
  ],
]

/** In every run a screen has one look, in turns the wide and the narrow one; in the full run it has all. */
const screensAt = (look: (typeof looks)[number]) =>
  isFull ? [...screens, ...states] : screens.filter((_, n) => look === (n % 2 === 0 ? wide : narrow))

/** By how many pixels the page, or the part of it that scrolls a screen, is wider than its place. */
const overflow = (page: Page) =>
  page.evaluate(() => {
    const scrollers = [...document.querySelectorAll('main, main *')].filter(
      (box) => box.clientHeight > innerHeight / 2 && /auto|scroll/.test(getComputedStyle(box).overflowY),
    )
    return Math.max(
      ...[document.documentElement, ...scrollers].map(
        ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
      ),
    )
  })

describe('nothing keeps anybody out', () => {
  describe.each(looks)('at $width px, $theme', (look) => {
    let page: Page
    beforeAll(async () => {
      page = await signedIn('admin', look)
    })
    afterAll(() => page.context().close())

    test.runIf(isFull || look === wide)('the login with an error keeps nobody out', async () => {
      const login = await newPage(browser, look)
      await login.goto(url)
      await login.getByRole('button', { name: 'Entrar' }).click()
      await login.getByRole('alert').waitFor()
      await expectAccessible(login)
      await login.context().close()
    })

    test.each(screensAt(look))('the screen of %s keeps nobody out', async (_name, address, shown) => {
      await go(page, address)
      await shown(page)
      await expectAccessible(page)
      await expect.poll(() => crowdedTexts(page)).toEqual([])
      await expect.poll(() => overflow(page)).toBe(0)
    })

    test.runIf(isFull || look === narrow)(
      'the chat, with everything that it may contain, keeps nobody out',
      async () => {
        await go(page, `/chat?conversation=${everything}`)
        await page.getByText('Número sem WhatsApp').waitFor()
        await expectAccessible(page)
        await page.getByRole('log').evaluate((log) => void (log.scrollTop = 0))
        await page.getByRole('img', { name: 'Reações: 👍' }).waitFor()
        await expectAccessible(page)
        await expect.poll(() => overflow(page)).toBe(0)
      },
    )
  })
})
