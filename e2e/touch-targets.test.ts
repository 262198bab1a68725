import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { newContext } from './support/browser.ts'
import { pressEscape } from './support/focus.ts'
import { go } from './support/go.ts'
import { inFullAlso } from './support/matrix.ts'
import { newTalk } from './support/open-chat.ts'
import { sampleMessages } from './support/phones.ts'
import { screens, states } from './support/screens.ts'
import { browser, colleague, phones, signedIn, url } from './support/stage.ts'

// What a finger presses on a phone is 44 px wide and high, by what the browser finds there.

const smallest = 44
const open = await (await colleague('ana')).openConversations()
const held = open.find(({ assignedUser }) => assignedUser?.name.startsWith('Ana'))

let page: Page
beforeAll(async () => {
  page = await signedIn('admin', { width: 390, height: 844 })
})

/** The controls that are smaller, with their size. Links within a text have the height of its line. */
const tooSmall = (within = page.locator('body')) =>
  within.evaluate((place, wanted) => {
    const pressed =
      'button, a[href], input, select, textarea, summary, ' +
      '[role=button], [role=tab], [role=switch], [role=option], [role^=menuitem]'
    const isMeant = (control: Element) => {
      const { display, visibility } = getComputedStyle(control)
      const { width, height } = control.getBoundingClientRect()
      const isInText = control.closest('p') !== null || (control.matches('a') && display === 'inline')
      const isThere = width > 1 && height > 1 && visibility !== 'hidden'
      return isThere && !isInText && !control.matches(':disabled, [type=file], [inert] *, .sr-only *')
    }
    const found = [...place.querySelectorAll(pressed)].filter(isMeant).flatMap((control) => {
      control.scrollIntoView({ block: 'center', inline: 'center' })
      const { x, y, width, height } = control.getBoundingClientRect()
      const [middleX, middleY] = [x + width / 2, y + height / 2]
      const label = control.closest('label')
      const isHit = (atX: number, atY: number) => {
        const hit = document.elementFromPoint(atX, atY)
        return hit !== null && (control.contains(hit) || label?.contains(hit) === true)
      }
      /** How far from the middle it is still hit. */
      const reach = (stepX: number, stepY: number) => {
        let far = 0
        while (far < wanted && isHit(middleX + stepX * (far + 1), middleY + stepY * (far + 1))) far += 1
        return far
      }
      // Something lies over it, as a bar does over what is scrolled.
      if (!isHit(middleX, middleY)) return []
      const [wide, high] = [reach(-1, 0) + reach(1, 0) + 1, reach(0, -1) + reach(0, 1) + 1]
      const name = control.getAttribute('aria-label') ?? control.textContent.trim().slice(0, 40)
      return wide < wanted || high < wanted ? [`${control.tagName} ${wide}×${high}: ${name}`] : []
    })
    return [...new Set(found)]
  }, smallest)

const chat: (typeof screens)[number] = [
  '/chat',
  `/chat?conversation=${held?.id}`,
  (shown) => shown.getByRole('log').waitFor(),
]
const all = [chat, ...screens.filter(([name]) => name !== '/simulador')]
test.each(inFullAlso(all, states))(
  'what is pressed on %s is as large as a finger',
  async (_, address, shown) => {
    await go(page, address)
    await shown(page)
    await expect.poll(() => tooSmall()).toEqual([])
  },
)

test('the name of a contact of two letters is as large as a finger', async () => {
  const [name, phone] = ['Lu', '11904470044']
  await (await colleague('admin')).call('POST', '/api/contacts', { name, phone })
  await go(page, `/contacts?search=${name}`)
  await page.getByRole('table').getByRole('link', { name, exact: true }).waitFor()
  await expect.poll(() => tooSmall()).toEqual([])
})

test('what is pressed in messages of all kinds is as large as a finger', async () => {
  const { phone, id } = await newTalk(await colleague('ana'), 'Manda De Tudo', 'oi')
  await go(page, `/chat?conversation=${id}`)
  const log = page.getByRole('log')
  const last = log.getByRole('article').last()
  const small: string[] = []
  for (const [kind, message] of Object.entries(sampleMessages)) {
    const before = await last.textContent()
    await phones.send(phone.id, message)
    // What was measured before has been scrolled to the middle.
    const newest = () =>
      log.evaluate((list) => {
        list.scrollTop = list.scrollHeight
        return [...list.querySelectorAll('[role=article], article')].at(-1)?.textContent
      })
    await expect.poll(newest).not.toBe(before)
    for (const control of await tooSmall(last)) small.push(`${kind}: ${control}`)
  }
  expect(small).toEqual([])
})

test('what is pressed on the login is as large as a finger', async () => {
  const login = await (await newContext(browser, { width: 390, height: 844 })).newPage()
  await login.goto(url)
  await login.getByRole('button', { name: 'Entrar' }).waitFor()
  await expect.poll(() => tooSmall(login.locator('body'))).toEqual([])
  await login.getByRole('button', { name: 'Entrar' }).click()
  await login.getByRole('alert').first().waitFor()
  await expect.poll(() => tooSmall(login.locator('body'))).toEqual([])
})

const menuItem = async (name: string) => {
  await page.getByRole('button', { name: 'Mais ações' }).click()
  await page.getByRole('menuitem', { name, exact: true }).waitFor()
  await expect.poll(() => tooSmall(page.getByRole('menu'))).toEqual([])
  await page.getByRole('menuitem', { name, exact: true }).click()
}
const button = (name: string | RegExp) => page.getByRole('button', { name }).first().click()
const chatOf = `/chat?conversation=${held?.id}`
test.each<[dialog: string, address: string, open: () => Promise<void>]>([
  ['Finalizar atendimento', chatOf, () => button('Finalizar')],
  ['Transferir conversa', chatOf, () => menuItem('Transferir')],
  ['Novo Contato', '/contacts', () => button('Novo Contato')],
  ['Novo Usuário', '/users', () => button('Novo Usuário')],
  ['Convidar', '/users', () => button('Convidar')],
  ['Bruno Tavares', '/permissions', () => button('Configurar Bruno Tavares')],
  ['Menu', '/', () => button('Abrir menu')],
])('what is pressed in the dialog %s is as large as a finger', async (name, address, opens) => {
  await go(page, address)
  await opens()
  const dialog = page.getByRole('dialog', { name })
  await dialog.waitFor()
  await dialog.getByRole('button').first().waitFor()
  await expect.poll(() => tooSmall(dialog)).toEqual([])
  await pressEscape(page)
})

test.each([
  ['/contacts', 'Categoria'],
  ['/contacts', 'Itens por página'],
])('what is pressed in the list of choices on %s, %s, is as large as a finger', async (address, name) => {
  await go(page, address)
  await page.getByRole('combobox', { name }).click()
  const list = page.getByRole('listbox')
  await list.getByRole('option').first().waitFor()
  await expect.poll(() => tooSmall(list)).toEqual([])
  await pressEscape(page)
})

test("what is pressed in the bell's list is as large as a finger", async () => {
  const carla = await colleague('carla')
  const [bruno, { id }] = [await colleague('bruno'), await newTalk(carla, 'Aviso do sino')]
  await (await colleague('admin')).call('PUT', `/api/conversations/${id}/follow`, {})
  await carla.call('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: carla.id })
  await carla.call('POST', `/api/conversations/${id}/transfer`, { newOperatorId: bruno.id })
  await go(page, '/')
  await page.getByRole('button', { name: /^Menções e avisos: \d+ por ler$/ }).click()
  const list = page.getByRole('dialog', { name: 'Menções e avisos' })
  await list.getByText('Aviso do sino').first().waitFor()
  await list.getByRole('button', { name: 'Marcar todas como lidas' }).waitFor()
  await expect.poll(() => tooSmall(list)).toEqual([])
  await pressEscape(page)
})
