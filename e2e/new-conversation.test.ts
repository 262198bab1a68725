import { testInFull } from './support/matrix.ts'
import { expect, test } from 'vitest'
import type { PhoneView } from '#simulator/control-views.ts'
import { expectSound } from './support/sound.ts'
import { picture } from './support/files.ts'
import { expectFocused } from './support/focus.ts'
import { go } from './support/go.ts'
import { newTalk, openChat } from './support/open-chat.ts'
import { colleague, phones, signedIn, url } from './support/stage.ts'

const page = await signedIn('supervisora')
const supervisora = await colleague('supervisora')

const log = (on = page) => on.getByRole('log')
const said = (text: string, on = page) => log(on).getByRole('article').filter({ hasText: text })
const composer = (on = page) => on.getByPlaceholder('Digite sua mensagem...')

/** Opens a chat in which the client has shared the card of a person who has never written. */
async function cardOf(
  name: string,
  on = page,
): Promise<{ friend: PhoneView; bubble: ReturnType<typeof said> }> {
  const { phone: client, id } = await newTalk(supervisora, `Amigo de ${name}`, 'fala com ele')
  const friend = await phones.create(name)
  await phones.send(client.id, {
    kind: 'contact',
    contacts: [{ name, phones: [{ number: `+${friend.number}`, waid: friend.number }] }],
  })
  await openChat(on, id, client.name)
  const bubble = said(name, on)
  await bubble.waitFor()
  return { friend, bubble }
}
const startWith = async (name: string, on = page) => {
  const { friend, bubble } = await cardOf(name, on)
  await bubble.getByRole('button', { name: 'Iniciar conversa' }).click()
  await on.getByText('NOVA CONVERSA').waitFor()
  return friend
}
const isPending = (on = page) => /\/chat\?contact=\d+&pendingCreation=true$/.test(on.url())
const begun = (on = page) => on.waitForURL(/\/chat\?conversation=\d+$/)

test('a shared card leads to a new conversation, which the first message makes', async () => {
  const friend = await startWith('Seu Nicanor')
  expect(isPending()).toBe(true)
  await page.getByRole('heading', { name: 'Seu Nicanor', level: 1 }).waitFor()
  await page
    .getByText('A conversa será criada automaticamente quando você enviar a primeira mensagem.')
    .waitFor()
  await page.getByText('Nenhuma mensagem ainda').waitFor()
  await expectFocused(composer())
  await composer().fill('Bom dia, Seu Nicanor!')
  await composer().press('Enter')
  await page.getByText('Conversa iniciada com sucesso', { exact: true }).waitFor()
  await begun()
  await said('Bom dia, Seu Nicanor!').getByRole('img', { name: 'Entregue' }).waitFor()
  await expect.poll(() => page.getByText('NOVA CONVERSA').count()).toBe(0)
  await expect.poll(() => phones.received(friend.id)).toEqual(['Bom dia, Seu Nicanor!'])
  await page.goBack()
  expect(isPending()).toBe(false)
})

testInFull('a card of a client with an open conversation leads there', async () => {
  const { friend, bubble } = await cardOf('Já Conversa')
  await phones.write(friend.id, 'oi, tudo bem?')
  const { id } = await supervisora.conversationWith(friend)
  await bubble.getByRole('button', { name: 'Iniciar conversa' }).click()
  await page.getByText('Conversa encontrada', { exact: true }).waitFor()
  await page.getByText('Redirecionando para conversa existente', { exact: true }).waitFor()
  await page.waitForURL(`${url}/chat?conversation=${id}`)
  await said('oi, tudo bem?').waitFor()
})

testInFull('a first message whose answer names no conversation is reported, and kept', async () => {
  await startWith('Sem Conversa')
  await page.route('**/send-message', (route) => route.fulfill({ status: 201, json: { message: {} } }))
  await composer().fill('Bom dia!')
  await composer().press('Enter')
  await page.getByText('ID da conversa não encontrado', { exact: true }).first().waitFor()
  expect(isPending()).toBe(true)
  await page.unroute('**/send-message')
})

test('an operator who may not start a conversation is refused with a message, and stays', async () => {
  const other = await signedIn('ana')
  const { bubble } = await cardOf('Sem Permissão', other)
  await bubble.getByRole('button', { name: 'Iniciar conversa' }).click()
  await other.getByText('Você não tem permissão para realizar esta ação.', { exact: true }).waitFor()
  expect(other.url()).toContain('conversation=')
})

testInFull('a lost connection loses neither the card nor the first message', async () => {
  const { friend, bubble } = await cardOf('Linha Ruim')
  await page.route('**/start-conversation', (route) => route.abort())
  await bubble.getByRole('button', { name: 'Iniciar conversa' }).click()
  await page.getByText('Erro ao iniciar conversa', { exact: true }).waitFor()
  await page.unroute('**/start-conversation')
  await bubble.getByRole('button', { name: 'Iniciar conversa' }).click()
  await page.getByText('NOVA CONVERSA').waitFor()
  // The call arrives, but its answer does not.
  await page.route('**/send-message', async (route) => {
    await route.fetch()
    await route.abort().catch(() => undefined)
  })
  await composer().fill('chega uma vez')
  await composer().press('Enter')
  await said('chega uma vez').waitFor()
  await composer().fill('e isto era um rascunho')
  await page.unroute('**/send-message')
  await begun()
  await said('chega uma vez').getByRole('img', { name: 'Entregue' }).waitFor()
  await expect.poll(() => composer().inputValue()).toBe('e isto era um rascunho')
  await expect.poll(() => phones.received(friend.id)).toEqual(['chega uma vez'])
})

testInFull('the first message of a conversation may be a picture', async () => {
  const friend = await startWith('Começa Com Foto')
  await page
    .locator('footer input[type=file]')
    .setInputFiles({ name: 'vitrine.png', mimeType: 'image/png', buffer: picture(64, 48, 60) })
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Enviar/ })
    .click()
  await begun()
  await log().getByRole('img', { name: 'Entregue' }).waitFor()
  await expect.poll(async () => (await phones.chat(friend.id)).map(({ kind }) => kind)).toEqual(['image'])
})

testInFull('a number that is not on WhatsApp is not written to', async () => {
  await go(page, '/chat?contact=999999&pendingCreation=true')
  await page.getByText('Conversa não encontrada').waitFor()
  await go(page, '/chat?contact=7')
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
})

const looks = [
  { width: 390, height: 844, theme: 'dark' },
  { width: 1440, height: 900, theme: 'light' },
] as const
testInFull.each(looks)('a new conversation keeps nobody out at $width px, $theme', async (options) => {
  const other = await signedIn('supervisora', options)
  const name = `Comprido${'a'.repeat(50)}${options.width}`
  await startWith(name, other)
  await expectSound(other, options.width)
  await composer(other).fill('cabe')
  await composer(other).press('Enter')
  await begun(other)
})
