import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { Colleague } from './support/colleague.ts'
import { expectFocused, pressEscape } from './support/focus.ts'
import { go } from './support/go.ts'
import { describeInFull, inFullAlso, testInFull } from './support/matrix.ts'
import { newChat, openChat } from './support/open-chat.ts'
import { rightNow } from './support/right-now.ts'
import { colleague, phones, signedIn, url } from './support/stage.ts'
import { toast } from './support/toast.ts'

let page: Page
let bruno: Colleague

beforeAll(async () => {
  page = await signedIn('ana')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  bruno = await colleague('bruno')
})
beforeEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }))

const log = (on = page) => on.getByRole('log')
const said = (text: string, on = page) => log(on).getByRole('article').filter({ hasText: text })
const composer = (on = page) => on.getByPlaceholder('Digite sua mensagem...')
const header = (on = page) => on.getByRole('region', { name: /^Conversa com / })

/** Creates a client who has just written, and opens the chat. */
const chatWith = (name: string, { first = 'oi', on = page }: { first?: string; on?: Page } = {}) =>
  newChat(on, bruno, name, first)

async function send(text: string): Promise<void> {
  await composer().fill(text)
  // A second Enter within 300 ms is ignored.
  await expect
    .poll(async () => {
      await page.getByRole('button', { name: 'Enviar', exact: true }).click()
      return composer().inputValue()
    })
    .toBe('')
  await said(text).waitFor()
}

describe('the address', () => {
  testInFull('the address of the chat without a conversation leads to the first screen', async () => {
    await page.goto(`${url}/chat`)
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/')
  })

  test.each(inFullAlso(['99999999'], ['abc', '0', '-1']))(
    'the address of a conversation that does not exist (%s) says so',
    async (id) => {
      await page.goto(`${url}/chat?conversation=${id}`)
      await page.getByText('Conversa não encontrada', { exact: true }).waitFor()
      await page.getByText('A conversa solicitada não existe ou foi removida.').waitFor()
      await page.getByRole('link', { name: 'Voltar ao início' }).click()
      await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    },
  )

  testInFull('the address of a finalized conversation shows it without a field to write in', async () => {
    const { id } = await chatWith('Já Acabou')
    await send('tchau')
    // By answering, Ana has it: a finished conversation of somebody else is hidden from them.
    await said('tchau').getByRole('img', { name: 'Entregue' }).waitFor()
    await bruno.call('POST', `/api/conversations/${id}/finalize`, {})
    await page.getByText('Esta conversa foi finalizada.').waitFor()
    await expect.poll(() => composer().count()).toBe(0)
    await said('tchau').waitFor()
  })
})

describeInFull('the header', () => {
  test('the header of the chat says who, where, of what, and with whom', async () => {
    await chatWith('Fatos Do Topo')
    await page.getByRole('link', { name: /Kauã Nhambiquara/ }).click()
    await header().getByRole('heading', { name: 'Kauã Nhambiquara' }).waitFor()
    await header().getByText('sem operador').waitFor()
    await header().getByText('Sem empresa').waitFor()
    // Beside the open panel the header leaves the number to it.
    const panel = page.getByRole('complementary', { name: 'Dados do contato' })
    await panel.getByText('(92) 99174-0388').waitFor()
    await header().getByText('Lead', { exact: true }).waitFor()
    await header().getByText('Contato', { exact: true }).waitFor()
    await header()
      .getByText(/^Comercial #\d+$/)
      .waitFor()
    await header().getByText('Alta', { exact: true }).waitFor()
    await page.getByRole('link', { name: /José Antônio Guimarães/ }).click()
    await header().getByText('com Bruno Tavares').waitFor()
    await header().getByText('Guimarães & Filhos Materiais').waitFor()
    await header().getByRole('link', { name: 'Voltar para conversas ativas' }).click()
    await page.getByRole('heading', { name: 'Conversas Ativas' }).waitFor()
  })

  test('the header of the chat copies the protocol by a button', async () => {
    const { id } = await chatWith('Protocolo Copiado')
    const { protocol } = await bruno.call<{ protocol: string }>('GET', `/api/conversations/${id}`)
    expect(protocol).toMatch(/^20\d{12}$/)
    await header().getByText(protocol).waitFor()
    // It says so for two seconds.
    const copied = header().getByRole('button', { name: 'Protocolo copiado' }).waitFor()
    await header().getByRole('button', { name: 'Copiar protocolo' }).click()
    await copied
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(protocol)
  })

  test('the contact is shown beside the chat, and folds', async () => {
    await go(page, '/conversas-ativas?search=Maria+Aparecida')
    await page.getByRole('link', { name: /Maria Aparecida/ }).click()
    const panel = page.getByRole('complementary', { name: 'Dados do contato' })
    await panel.getByText('compras@bompreco.example').waitFor()
    await panel.getByText('entrega agendada').waitFor()
    await panel.getByText(/Prefere receber antes das 11h/).waitFor()
    await header().getByRole('button', { name: 'Dados do contato' }).click()
    await panel.waitFor({ state: 'detached' })
    await page.reload()
    await log().waitFor()
    await expect.poll(() => panel.count()).toBe(0)
    await header().getByRole('button', { name: 'Dados do contato' }).click()
    await panel.waitFor()
    // Where it would clip the chat's header it is folded at first.
    await page.setViewportSize({ width: 1280, height: 720 })
    await panel.waitFor({ state: 'detached' })
    const facts = header().getByRole('group', { name: 'Dados da conversa' })
    await expect.poll(() => facts.evaluate((row) => row.scrollWidth - row.clientWidth)).toBe(0)
    await header().getByRole('button', { name: 'Dados do contato' }).click()
    await panel.waitFor()
    await header().getByRole('button', { name: 'Dados do contato' }).click()
    await page.setViewportSize({ width: 1440, height: 900 })
    await panel.waitFor()
  })

  test('the name has room beside an open panel, whatever can be done', async () => {
    await chatWith('Um Nome Que Precisa De Lugar')
    await header().getByRole('button', { name: 'Assumir' }).waitFor()
    await page.setViewportSize({ width: 1280, height: 720 })
    const panel = page.getByRole('complementary', { name: 'Dados do contato' })
    await panel.waitFor({ state: 'detached' })
    await header().getByRole('button', { name: 'Dados do contato' }).click()
    await panel.waitFor()
    const name = header().getByRole('heading', { name: 'Um Nome Que Precisa De Lugar' })
    await expect.poll(() => name.evaluate((shown) => shown.clientWidth)).toBeGreaterThan(150)
    const facts = header().getByRole('group', { name: 'Dados da conversa' })
    await expect.poll(() => facts.evaluate((row) => row.scrollWidth - row.clientWidth)).toBe(0)
    for (const action of ['Transferir', 'Finalizar'])
      await header().getByRole('button', { name: action }).waitFor()
    await header().getByRole('button', { name: 'Dados do contato' }).click()
    await page.setViewportSize({ width: 1440, height: 900 })
    await panel.waitFor()
  })
})

describe('the composer', () => {
  test('the composer sends with Enter, breaks with Shift+Enter, and takes no blank text', async () => {
    const { phone } = await chatWith('Linhas Do Texto')
    const button = page.getByRole('button', { name: 'Enviar', exact: true })
    await composer().fill('  \n ')
    await expect.poll(() => button.isDisabled()).toBe(true)
    await composer().press('Enter')
    await composer().fill('')
    await composer().pressSequentially('primeira')
    await composer().press('Shift+Enter')
    await composer().pressSequentially('segunda')
    await composer().press('Enter')
    await said('primeira').waitFor()
    await expect.poll(() => composer().inputValue()).toBe('')
    await expectFocused(composer())
    await expect.poll(() => phones.received(phone.id)).toEqual(['primeira\nsegunda'])
  })

  testInFull('the composer ignores a second Enter within 300 ms', async () => {
    const { phone } = await chatWith('Dedo Rápido')
    await composer().evaluate(async (field: HTMLTextAreaElement) => {
      // On a busy machine the two would be further apart than 300 ms.
      const nowMs = performance.now()
      performance.now = () => nowMs
      const handled = () => new Promise((resolve) => setTimeout(resolve))
      const setValue = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set
      for (const text of ['um', 'dois']) {
        setValue?.call(field, text)
        field.dispatchEvent(new Event('input', { bubbles: true }))
        await handled()
        field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
        await handled()
      }
      Reflect.deleteProperty(performance, 'now')
    })
    await said('um').waitFor()
    expect(await rightNow('the slip must not have sent it', composer().inputValue())).toBe('dois')
    await expect
      .poll(async () => {
        await composer().press('Enter')
        return composer().inputValue()
      })
      .toBe('')
    await expect.poll(() => phones.received(phone.id)).toEqual(['um', 'dois'])
  })

  testInFull('the composer shows the formatting of a text where it is written', async () => {
    await chatWith('Texto Formatado')
    const layer = () => composer().locator('xpath=preceding-sibling::div')
    await composer().fill('sem nada')
    await expect.poll(() => layer().count()).toBe(0)
    const line = 'uma *palavra forte* e _outra inclinada_, ~riscada~ e `código` até o fim da linha '
    for (const text of ['*oi*', line, line.repeat(3), `${line.repeat(9)}\n\n_fim_\n`]) {
      await composer().fill(text)
      await expect
        .poll(() =>
          layer()
            .innerText()
            .then((shown) => shown.replace('\u200B', '')),
        )
        .toBe(text)
      const heights = () =>
        composer().evaluate((field) => {
          const behind = field.previousElementSibling as HTMLElement
          return [behind.scrollHeight, behind.clientWidth, behind.scrollTop].map(
            (size, index) => size - [field.scrollHeight, field.clientWidth, field.scrollTop][index]!,
          )
        })
      await expect.poll(heights).toEqual([0, 0, 0])
    }
    const lookOf = (text: string) =>
      layer()
        .getByText(text, { exact: true })
        .evaluate((letters) => {
          const style = getComputedStyle(letters)
          const isBold = style.webkitTextStrokeWidth !== '0px'
          return [style.fontStyle, style.textDecorationLine, isBold && 'bold', style.fontWeight]
        })
    // A heavier weight would be wider than the letters of the field.
    await composer().fill(line)
    await expect.poll(() => lookOf('palavra forte')).toEqual(['normal', 'none', 'bold', '400'])
    await expect.poll(() => lookOf('outra inclinada')).toEqual(['italic', 'none', false, '400'])
    await expect.poll(() => lookOf('riscada')).toEqual(['normal', 'line-through', false, '400'])
    const ink = () => composer().evaluate((field) => getComputedStyle(field).color)
    await expect.poll(ink).toBe('rgba(0, 0, 0, 0)')
    await composer().fill('sem nada')
    await expect.poll(ink).not.toBe('rgba(0, 0, 0, 0)')
    await composer().fill('*oi*')
    await composer().press('Enter')
    await said('oi').locator('strong').waitFor()
    await expect.poll(() => layer().count()).toBe(0)
  })

  test('a refused reply says why, and can be sent again or discarded', async () => {
    const { phone } = await chatWith('Resposta Recusada')
    await page.route('**/messages', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 403,
            json: { code: 'contacts.blocked', message: 'O contato está bloqueado.' },
          })
        : route.continue(),
    )
    await send('esta fica')
    await toast(page, 'Erro ao enviar mensagem').waitFor()
    await said('esta fica').getByText('O contato está bloqueado.').waitFor()
    await said('esta fica').getByRole('img', { name: 'Não enviada' }).waitFor()
    await send('esta vai embora')
    await said('esta vai embora').getByRole('button', { name: 'Descartar' }).click()
    await said('esta vai embora').waitFor({ state: 'detached' })
    await page.reload()
    await said('esta fica').getByText('O contato está bloqueado.').waitFor()
    await expect.poll(() => said('esta vai embora').count()).toBe(0)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await said('esta fica').getByRole('button', { name: 'Tentar novamente' }).click()
    await said('esta fica').getByRole('img', { name: 'Entregue' }).waitFor()
    await expect.poll(() => phones.received(phone.id)).toEqual(['esta fica'])
  })
})

describe('what a client sends', () => {
  test('a client’s message that they change or take back is shown as it is now', async () => {
    const { phone } = await chatWith('Muda De Ideia')
    const message = await phones.write(phone.id, 'quero 10')
    await said('quero 10').waitFor()
    await phones.react(phone.id, message.id, '👍')
    await said('quero 10').getByRole('img', { name: 'Reações: 👍' }).waitFor()
    await phones.react(phone.id, message.id, '❤️')
    await said('quero 10').getByRole('img', { name: 'Reações: ❤️' }).waitFor()
    await phones.react(phone.id, message.id, '')
    await said('quero 10')
      .getByRole('img', { name: /Reações/ })
      .waitFor({ state: 'detached' })
    await phones.edit(phone.id, message.id, 'quero 12')
    await said('quero 12').getByText('editada').waitFor()
    await expect.poll(() => said('quero 10').count()).toBe(0)
    await phones.remove(phone.id, message.id)
    await said('quero 12').getByText('apagada pelo cliente').waitFor()
  })

  const awkward = inFullAlso(
    [['sixty letters without a space', 'A'.repeat(60), 'x'.repeat(900)]],
    [
      [
        'letters from right to left',
        'شركة الخليج للتجارة والمقاولات العامة',
        'مرحبا، هل لديكم أكياس ورق؟ '.repeat(20),
      ],
      ['emoji', '👩‍👩‍👧‍👦🏳️‍🌈'.repeat(4), '🌻'.repeat(300)],
    ],
  )
  test.each(awkward)('a client’s message never makes the screen wider: %s', async (_what, name, text) => {
    const page = await signedIn('ana')
    const { id } = await chatWith(name, { first: text, on: page })
    for (const width of inFullAlso([1024, 390], [1440])) {
      await page.setViewportSize({ width, height: 800 })
      for (const address of [`/chat?conversation=${id}`, '/conversas-ativas', '/']) {
        await go(page, address)
        await page
          .getByText(address.startsWith('/chat') ? text : 'Conversas')
          .first()
          .waitFor()
        await page.evaluate(() => document.fonts.ready)
        const over = await page.evaluate(() => [
          document.documentElement.scrollWidth - document.documentElement.clientWidth,
          ...[...document.querySelectorAll('main, [role="log"]')].map(
            (box) => box.scrollWidth - box.clientWidth,
          ),
        ])
        expect({ width, address, over: Math.max(...over) }).toEqual({ width, address, over: 0 })
      }
    }
  })
})

describe('quotes', () => {
  test('a reply can quote, here and on the phone', async () => {
    const { phone } = await chatWith('Cita Aqui', { first: 'qual o prazo?' })
    await said('qual o prazo?').hover()
    await said('qual o prazo?').getByRole('button', { name: 'Responder' }).click()
    await page.getByText('Respondendo a Cita Aqui').waitFor()
    await page.keyboard.type('cinco dias')
    await pressEscape(page)
    await expect.poll(() => page.getByText('Respondendo a Cita Aqui').count()).toBe(0)
    await said('qual o prazo?').hover()
    await said('qual o prazo?').getByRole('button', { name: 'Responder' }).click()
    await composer().press('Enter')
    await said('cinco dias')
      .getByRole('button', { name: /qual o prazo/ })
      .waitFor()
    await said('cinco dias').getByRole('img', { name: 'Entregue' }).waitFor()
    const received = (await phones.chat(phone.id)).find(({ text }) => text === 'cinco dias')
    expect(received?.quoted).toMatchObject({ text: 'qual o prazo?', from: 'phone' })
  })
})

describe('the timeline', () => {
  const distanceFromEnd = () =>
    log().evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight)

  testInFull('the timeline stays where somebody scrolls to while it opens', async () => {
    const phone = await phones.create('Quem Rola Primeiro')
    for (let line = 1; line <= 60; line += 1)
      await phones.write(phone.id, `linha ${line}\n`.repeat(1 + (line % 5)))
    const { id } = await bruno.conversationWith(phone)
    await expect
      .poll(async () => (await bruno.call<Conversation>('GET', `/api/conversations/${id}`)).messageCount)
      .toBe(60)
    const early = await signedIn('ana')
    // In the very frame in which the rows are placed at the first unread one.
    await early.addInitScript(() => {
      const observer = new MutationObserver(() => {
        const timeline = document.querySelector('[role="log"]')
        if (!timeline?.querySelector('article')) return
        observer.disconnect()
        timeline.dispatchEvent(new WheelEvent('wheel', { deltaY: 900, bubbles: true }))
        timeline.scrollTop += 900
      })
      observer.observe(document, { childList: true, subtree: true })
    })
    await early.goto(`${url}/chat?conversation=${id}`)
    await log(early).getByRole('article').first().waitFor()
    // The rows have their heights after some frames.
    await early.waitForTimeout(500)
    const scrolled = log(early).evaluate((timeline) => timeline.scrollTop)
    expect(await rightNow('it must not have been pulled back', scrolled)).toBeGreaterThan(600)
  })

  testInFull('the timeline stays at the end while many messages come', async () => {
    const { phone } = await chatWith('Falante', { first: 'vou contar tudo' })
    for (let round = 1; round <= 12; round += 1) {
      for (let line = 1; line <= 12; line += 1) await phones.write(phone.id, `parte ${line} de ${round}`)
      await phones.write(phone.id, `fim da parte ${round}`)
      await said(`fim da parte ${round}`).waitFor({ timeout: 10_000 })
      await expect.poll(distanceFromEnd).toBeLessThan(2)
    }
  })

  testInFull(
    'the timeline is aligned to the bottom while it is short, and announces new messages',
    async () => {
      const { phone } = await chatWith('Conversa Curta')
      await phones.write(phone.id, 'ainda aí?')
      await said('ainda aí?').waitFor()
      const gap = async () => {
        const [row, box] = await Promise.all([said('ainda aí?').boundingBox(), log().boundingBox()])
        return (box?.y ?? 0) + (box?.height ?? 0) - (row?.y ?? 0) - (row?.height ?? 0)
      }
      await expect.poll(gap).toBeLessThan(80)
      const announced = header().locator('[aria-live="polite"]')
      await expect.poll(() => announced.innerText()).toBe('Conversa Curta: ainda aí?')
      await expect.poll(() => log().getAttribute('aria-live')).toBe('off')
    },
  )

  const scrollToTop = () => log().evaluate((element) => void (element.scrollTop = 0))

  test('the timeline loads older pages above without moving what is read', async () => {
    const phone = await phones.create('Muita Conversa')
    await phones.pileUp(
      phone,
      Array.from({ length: 250 }, (_, at) => `mensagem número ${at + 1}.`),
    )
    const { id } = await bruno.conversationWith(phone)
    await expect
      .poll(
        async () =>
          (await bruno.call<{ messageCount: number }>('GET', `/api/conversations/${id}`)).messageCount,
        {
          timeout: 150_000,
        },
      )
      .toBe(250)
    await openChat(page, id, phone.name)
    await said('mensagem número 250.').waitFor()
    const older = page.waitForRequest((request) => request.url().includes('before='))
    await scrollToTop()
    await older
    await expect
      .poll(async () => {
        await scrollToTop()
        return log().getByText('mensagem número 1.', { exact: true }).count()
      })
      .toBe(1)
    await expect.poll(() => page.getByRole('button', { name: 'Novas mensagens' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Ir para o fim' }).waitFor()
    await phones.write(phone.id, 'a mais nova de todas')
    const news = page.getByRole('button', { name: 'Novas mensagens' })
    await news.waitFor()
    await log().getByText('mensagem número 1.', { exact: true }).waitFor()
    await news.click()
    await said('a mais nova de todas').waitFor()
    await news.waitFor({ state: 'detached' })
    await phones.write(phone.id, 'e esta se vê logo')
    await said('e esta se vê logo').waitFor()
    await expect.poll(() => news.count()).toBe(0)
  }, 240_000)

  testInFull('a timeline that failed to load can be tried again', async () => {
    const { id } = await chatWith('Falha Ao Ler')
    await page.route('**/messages*', (route) => route.fulfill({ status: 500, body: '' }))
    await page.goto(`${url}/chat?conversation=${id}`)
    await page.getByText('Não foi possível carregar as mensagens.').waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.getByRole('button', { name: 'Tentar novamente' }).click()
    await said('oi').waitFor()
  })
})

describeInFull('the list beside the chat', () => {
  const list = () => page.getByRole('region', { name: 'Conversas', exact: true })

  test('Alt and an arrow change chats', async () => {
    await chatWith('Vizinho De Cima')
    const second = await chatWith('Vizinho De Baixo')
    await list().getByPlaceholder('Buscar por nome ou telefone...').fill('Vizinho')
    await expect.poll(() => list().getByRole('link').count()).toBe(2)
    await page.keyboard.press('Alt+ArrowUp')
    await header().getByRole('heading', { name: 'Vizinho De Cima' }).waitFor()
    await page.keyboard.press('Alt+ArrowDown')
    await header().getByRole('heading', { name: 'Vizinho De Baixo' }).waitFor()
    expect(page.url()).toBe(`${url}/chat?conversation=${second.id}`)
    await page.keyboard.press('Alt+ArrowDown')
    await header().getByRole('heading', { name: 'Vizinho De Baixo' }).waitFor()
  })
})
