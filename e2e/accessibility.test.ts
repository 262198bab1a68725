import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { screens as screensOfRooms } from '#web/rooms/screens.ts'
import { rightNow } from './support/right-now.ts'
import { crowdedTexts } from './support/crowded-texts.ts'
import { expectAccessible } from './support/sound.ts'
import { newPage } from './support/browser.ts'
import { go } from './support/go.ts'
import { isFull } from './support/full-run.ts'
import { inFullAlso } from './support/matrix.ts'
import { sampleMessages } from './support/phones.ts'
import { screens, states } from './support/screens.ts'
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

test('every screen of the rooms is among those that are visited', () => {
  const visited = new Set(screens.map(([name]) => name))
  // The chat has a test of its own.
  expect(Object.keys(screensOfRooms).filter((path) => path !== '/chat' && !visited.has(path))).toEqual([])
})

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

    test.runIf(isFull || look === wide)('the login with an error keeps nobody out', async () => {
      const login = await newPage(browser, look)
      await login.goto(url)
      await login.getByRole('button', { name: 'Entrar' }).click()
      await login.getByRole('alert').waitFor()
      await expectAccessible(login)
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
