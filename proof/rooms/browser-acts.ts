import type { Browser } from '../walk/browser.ts'
import { type Act, type Acts, type BroughtBy, pick, someone, write } from '../walk/writing.ts'
import type { World } from '../walk/world.ts'

const atBrowser =
  (act: (browser: Browser, world: World) => Promise<unknown> | void): Act =>
  async (world, browsers) => {
    const browser = pick(world.random, browsers)
    if (browser) await act(browser, world)
  }

const chat = async (browser: Browser, world: World) => {
  const talk = pick(world.random, await world.talks())
  if (talk) browser.enterChat(talk.id)
}

/** Acts at a browser: of its user, or on its connection. */
export const acts = {
  'the link drops, and what happens is resumed': [
    3,
    atBrowser(async (browser, world) => {
      await browser.drop()
      for (let n = 0; n < 3; n++) await write(world, someone(world))
      await browser.connect()
    }),
  ],
  'the link drops, and its place is forgotten': [
    1,
    atBrowser(async (browser, world) => {
      await browser.drop()
      await write(world, someone(world))
      await browser.connect('lost')
    }),
  ],
  'a poll leaves and will land later': [
    5,
    atBrowser((browser) => {
      browser.isHolding = true
      browser.poll()
      return browser.idle().then(() => void (browser.isHolding = false))
    }),
  ],
  'a poll lands': [8, atBrowser((browser) => browser.land())],
  'a chat is opened': [4, atBrowser(chat)],
  'a chat is left': [
    2,
    atBrowser((browser, world) => {
      const id = pick(world.random, browser.chats)
      if (id !== undefined && browser.chats.length > 1) browser.leaveChat(id)
    }),
  ],
  'older messages': [
    2,
    atBrowser((browser, world) => {
      const id = pick(world.random, browser.chats)
      if (id !== undefined) browser.olderMessages(id)
    }),
  ],
  'somebody types': [
    2,
    atBrowser(async (browser, world) => {
      const talk = pick(world.random, await world.talks())
      if (talk) await browser.types(talk.id)
    }),
  ],
  'the numbers are asked for': [2, atBrowser((browser) => browser.askStats())],
} satisfies Acts

export const broughtBy = {
  hello: 'the link drops, and what happens is resumed',
  resumed: 'the link drops, and what happens is resumed',
  resync: 'the link drops, and its place is forgotten',
  stats_update: 'the numbers are asked for',
  // These are not in the event log, but sent to each new connection.
  presence: 'the link drops, and its place is forgotten',
  viewing: 'the link drops, and its place is forgotten',
  typing: 'somebody types',
} as const satisfies BroughtBy
