import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Message } from '#shared/messages/messages.ts'
import type { PhoneView } from '#simulator/control-views.ts'
import { inFullAlso, testInFull } from './support/matrix.ts'
import { newChat, openChat } from './support/open-chat.ts'
import { go } from './support/go.ts'
import { expectSound } from './support/sound.ts'
import { colleague, phones, signedIn } from './support/stage.ts'

// Notes of the team: what colleagues see of a conversation, and the client never.

const diego = await colleague('diego')
const carla = await signedIn('carla')

const sizes = inFullAlso([[1440, 'light']], [[390, 'dark']])
describe.each(sizes)('at %i px, %s', (width, theme) => {
  let page: Page
  let phone: PhoneView
  let id: number
  let name: string
  let count = 0
  beforeAll(async () => {
    page = await signedIn('diego', { width, height: 860, theme })
  })
  beforeEach(async () => {
    name = `Nota ${width} ${++count}`
    ;({ phone, id } = await newChat(page, diego, name))
  })

  const reply = () => page.getByRole('textbox', { name: 'Mensagem', exact: true })
  const field = () => page.getByRole('textbox', { name: 'Nota interna' })
  const timeline = (where = page) => where.getByRole('log')
  const note = (text: string, where = page) => where.getByRole('article').filter({ hasText: text })
  const write = async (text: string) => {
    await page.getByRole('button', { name: 'Nota interna', exact: true }).click()
    await field().fill(text)
    await page.getByRole('button', { name: 'Salvar nota' }).click()
    await note(text).getByRole('button', { name: 'Opções da nota' }).waitFor()
  }
  const choose = async (text: string, act: string) => {
    await note(text).getByRole('button', { name: 'Opções da nota' }).click()
    await page.getByRole('menuitem', { name: act, exact: true }).click()
  }
  /** What a message would change of the conversation. */
  const state = async () => {
    const talk = await diego.call<Conversation>('GET', `/api/conversations/${id}`)
    const { status, waitingFor, waitingSince, lastActivityAt, messageCount, lastMessage } = talk
    return { status, waitingFor, waitingSince, lastActivityAt, messageCount, lastMessage }
  }

  test('a colleague sees a note written, edited and deleted, and the client has none of it', async () => {
    await openChat(carla, id, name)
    await timeline(carla).getByText('bom dia').waitFor()
    const before = await state()
    await write('até 8 % pode fechar')
    await expectSound(page, width)
    // Back to the reply, for whoever would go on writing to the client.
    await reply().waitFor()
    await note('até 8 % pode fechar', carla).getByText('Diego Sampaio').waitFor()
    await choose('até 8 % pode fechar', 'Editar')
    await expect.poll(() => field().inputValue()).toBe('até 8 % pode fechar')
    await field().fill('até 10 % pode fechar')
    await page.getByRole('button', { name: 'Salvar nota' }).click()
    await note('até 10 % pode fechar', carla).getByRole('button', { name: 'editada' }).waitFor()
    await choose('até 10 % pode fechar', 'Excluir')
    await page
      .getByRole('dialog', { name: 'Excluir nota?' })
      .getByRole('button', { name: 'Excluir nota' })
      .click()
    await timeline(carla).getByText('Nota excluída').waitFor()
    await expect.poll(() => note('até 10 % pode fechar', carla).count()).toBe(0)
    await expect.poll(state).toEqual(before)
    // What comes after it has reached the phone, so it would have, too.
    await diego.reply(id, 'posso ajudar?')
    await expect.poll(() => phones.received(phone.id)).toContain('posso ajudar?')
    await expect.poll(async () => (await phones.received(phone.id)).join()).not.toContain('pode fechar')
  })

  test('each mode has a draft of its own, which the other one tells of', async () => {
    await reply().fill('Combinado!')
    await reply().press('Alt+n')
    await page.getByText('Rascunho da resposta guardado: “Combinado!”').waitFor()
    await expect.poll(() => field().inputValue()).toBe('')
    await expectSound(page, width)
    await field().fill('cobrar o frete')
    await field().press('Alt+n')
    await expect.poll(() => reply().inputValue()).toBe('Combinado!')
    await page.getByText('Rascunho da nota guardado: “cobrar o frete”').waitFor()
    await page.reload()
    await expect.poll(() => reply().inputValue()).toBe('Combinado!')
    await reply().press('Alt+n')
    await expect.poll(() => field().inputValue()).toBe('cobrar o frete')
    await field().press('Enter')
    await note('cobrar o frete').getByText('Nota interna').waitFor()
    await expect.poll(() => reply().inputValue()).toBe('Combinado!')
    await expect.poll(async () => (await state()).messageCount).toBe(1)
  })

  testInFull('a note that the server refuses stays in the chat, and is saved on the second try', async () => {
    await page.route('**/notes', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 422, json: { code: 'request.invalid', message: 'Dados inválidos' } })
        : route.continue(),
    )
    await page.getByRole('button', { name: 'Nota interna', exact: true }).click()
    await field().fill('não se perde')
    await field().press('Enter')
    await note('não se perde').getByText('Nota não salva: Dados inválidos').waitFor()
    await expectSound(page, width)
    await page.unroute('**/notes')
    await note('não se perde').getByRole('button', { name: 'Tentar novamente' }).click()
    await note('não se perde').getByRole('button', { name: 'Opções da nota' }).waitFor()
  })

  testInFull('a file is kept in a note, and the side of the chat leads to the newest', async () => {
    await page.getByRole('button', { name: 'Nota interna', exact: true }).click()
    await page.getByLabel('Arquivos').setInputFiles({
      name: 'ficha.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('ficha cadastral'),
    })
    const dialog = page.getByRole('dialog', { name: 'Nota interna com arquivo' })
    await dialog.getByLabel('Texto da nota').fill('segue a ficha')
    await dialog.getByRole('button', { name: 'Salvar nota' }).click()
    await note('segue a ficha').getByRole('link', { name: 'Baixar ficha.txt' }).waitFor()
    const notes = await diego.call<{ total: number }>('GET', `/api/conversations/${id}/notes`)
    expect(notes.total).toBe(1)
    if (width < 1000) return
    const section = page.getByRole('region', { name: 'Notas internas' })
    await section.getByRole('link', { name: /segue a ficha/ }).click()
    await expect.poll(() => page.url()).not.toContain('mensagem=')
  })

  testInFull('a finished conversation takes notes in the chat and in the archive, and no reply', async () => {
    await diego.call('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: diego.id })
    await diego.call('POST', `/api/conversations/${id}/finalize`, {})
    await page.getByText('Esta conversa foi finalizada.').waitFor()
    await expectSound(page, width)
    await write('ligou depois, tudo certo')
    await go(page, `/conversas-arquivadas/${id}`)
    await note('ligou depois, tudo certo').waitFor()
    await write('e mandou um bolo')
    await expectSound(page, width)
    const messages = await diego.call<Message[]>('GET', `/api/conversations/${id}/messages`)
    expect(
      messages.filter(({ messageType }) => messageType === 'note').map(({ content }) => content),
    ).toEqual(['ligou depois, tudo certo', 'e mandou um bolo'])
  })
})
