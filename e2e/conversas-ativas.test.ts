import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ConversationPage } from '#shared/conversations/conversations.ts'
import { pressEscape } from './support/focus.ts'
import { go } from './support/go.ts'
import { describeInFull, testInFull } from './support/matrix.ts'
import { newTalk } from './support/open-chat.ts'
import { rightNow } from './support/right-now.ts'
import { expectAccessibleState, expectSound } from './support/sound.ts'
import { colleague, phones, signedIn, url } from './support/stage.ts'
import {
  endedTonesOf,
  forgetTones,
  isDeviceOpen,
  lastPeakOf,
  listenToTones,
  tonesOf,
} from './support/tones.ts'
import { toast } from './support/toast.ts'

const address = `${url}/conversas-ativas`
const bruno = await colleague('bruno')

/** Narrow screens have rows at first, and cards by choice. */
const chooseCards = (page: Page) => page.addInitScript(() => (localStorage['list_look'] ??= 'cards'))

describe.each([
  [1440, 'light'],
  [390, 'dark'],
] as const)('at %i px, %s', (width, theme) => {
  let page: Page
  const isPhone = width < 768
  /** What does not depend on the width. */
  const deskTest = isPhone ? testInFull : test
  /** Each width has its own phones. */
  const own = (name: string) => `${name} ${width}`
  beforeAll(async () => {
    page = await signedIn('admin', { width, theme })
    await listenToTones(page.context())
    await chooseCards(page)
  })
  /** Whether the page has a list that a test has changed on its way. */
  let isAltered = false
  beforeEach(async () => {
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    if (isAltered) await page.goto(address)
    else await go(page, '/conversas-ativas')
    isAltered = false
    await cards().first().waitFor()
  })

  const cards = () => page.getByRole('list', { name: 'Conversas ativas' }).getByRole('link')
  const card = (name: string) => cards().filter({ hasText: name })
  const search = () => page.getByRole('searchbox', { name: 'Buscar por nome ou telefone...' })
  /** Searches, and waits until the address has it: later it would change what the next test has opened. */
  const find = async (words: string) => {
    await search().fill(words)
    await page.waitForURL((at) => at.searchParams.get('search') === words)
  }
  /** The names on the cards, from top to bottom. */
  const order = async (...wanted: string[]) =>
    (await cards().allTextContents()).map((text) => wanted.find((name) => text.includes(name)))

  /** Chooses something in the menu that narrow screens have. */
  const display = async (name: string) => {
    await page.getByRole('button', { name: 'Exibição' }).click()
    await page.getByRole('menuitemradio', { name }).or(page.getByRole('menuitem', { name })).click()
  }

  /** Changes the server's answer to the list before the page receives it. */
  async function alter(change: (page: ConversationPage) => ConversationPage): Promise<void> {
    isAltered = true
    await page.route('**/api/conversations?page=*', async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, json: change((await answer.json()) as ConversationPage) })
    })
    await page.reload()
  }

  const emptied = ({ pagination }: ConversationPage): ConversationPage => ({
    conversations: [],
    pagination: { ...pagination, totalItems: 0, totalPages: 0, hasNextPage: false },
  })

  describe('the list of active conversations', () => {
    test('the list of active conversations counts what it shows, and turns its pages', async () => {
      const total = (await bruno.openConversations()).length
      await page.getByRole('heading', { name: 'Conversas Ativas' }).waitFor()
      await page.getByText(`1-10 de ${total} conversas`).waitFor()
      const size = page.getByRole('combobox', { name: 'Itens por página' })
      if (isPhone) await display('5 itens')
      else {
        await size.click()
        const options = page.getByRole('option')
        await expect
          .poll(() => options.allTextContents())
          .toEqual(['5 itens', '10 itens', '20 itens', '30 itens', '50 itens'])
        await options.first().click()
      }
      await page.getByText(`1-5 de ${total} conversas`).waitFor()
      const pager = page.getByRole('navigation', { name: 'Paginação' })
      const pages = Math.ceil(total / 5)
      const place = pager.getByText(`Página 1 de ${pages}`)
      await place.waitFor()
      const lines = (it: Element) => it.clientHeight / Number.parseFloat(getComputedStyle(it).lineHeight)
      await expect.poll(() => place.evaluate(lines)).toBeCloseTo(1, 1)
      await expect.poll(() => pager.getByRole('button', { name: 'Primeira página' }).isDisabled()).toBe(true)
      await pager.getByRole('button', { name: 'Próxima página' }).click()
      await page.getByText(`6-10 de ${total} conversas`).waitFor()
      await pager.getByRole('button', { name: 'Última página' }).click()
      await pager.getByText(`Página ${pages} de ${pages}`).waitFor()
      await expect.poll(() => pager.getByRole('button', { name: 'Próxima página' }).isDisabled()).toBe(true)
      await pager.getByRole('button', { name: 'Primeira página' }).click()
      await pager.getByText(`Página 1 de ${pages}`).waitFor()
      await pager.getByRole('button', { name: 'Página 2', exact: true }).click()
      await pager.getByText(`Página 2 de ${pages}`).waitFor()
      await page.reload()
      await pager.getByText(`Página 2 de ${pages}`).waitFor()
      await pager.getByRole('button', { name: 'Página anterior' }).click()
      await page.getByText(`1-5 de ${total} conversas`).waitFor()
      await expect.poll(() => cards().count()).toBe(5)
      await expect
        .poll(() => pager.getByRole('button', { name: /^Página \d+$/ }).count())
        .toBe(Math.min(isPhone ? 3 : 5, pages))
    })

    testInFull('the list of active conversations says when a search finds nothing', async () => {
      await search().fill('ninguém se chama assim')
      await page.getByText('Nenhuma conversa corresponde à busca aplicada').waitFor()
      await page.getByText('Nenhuma conversa encontrada').waitFor()
      await page.getByRole('main').getByRole('button', { name: 'Limpar busca' }).last().click()
      await cards().first().waitFor()
      expect(new URL(page.url()).search).toBe('')
    })

    testInFull('the list of active conversations says when there is none', async () => {
      await alter(emptied)
      await page.getByText('Não há conversas ativas no momento').waitFor()
      await page.getByText('Nenhuma conversa encontrada').waitFor()
      await expect.poll(() => page.getByRole('navigation', { name: 'Paginação' }).count()).toBe(0)
    })

    deskTest('a failure can be tried again', async () => {
      isAltered = true
      let isWell = false
      let asked = 0
      await page.route('**/api/conversations?page=*', (route) => {
        asked++
        return isWell ? route.continue() : route.fulfill({ status: 500, body: '' })
      })
      await page.reload()
      await page.getByText('Não foi possível carregar as conversas.').waitFor()
      const again = page.getByRole('button', { name: 'Tentar novamente' })
      const before = asked
      await again.click()
      await expect.poll(() => asked).toBeGreaterThan(before)
      isWell = true
      await expect
        .poll(async () => {
          // By now the list may have been fetched automatically.
          await again.dispatchEvent('click', undefined, { timeout: 500 }).catch(() => undefined)
          return cards().count()
        })
        .toBeGreaterThan(0)
    })
  })

  describe('a card', () => {
    deskTest('a conversation card in the queue says who, of what, since when, and how urgent', async () => {
      await find('Kauã')
      const kaua = card('Kauã Nhambiquara')
      if (isPhone) {
        await display('Linhas')
        await kaua.getByText(/^Comercial #\d+$/).waitFor()
        await kaua.getByText(/^\d+ (min|h)$/).waitFor()
        await expect.poll(async () => (await kaua.boundingBox())?.height).toBe(64)
        await expectAccessibleState(page)
        await display('Cartões com todos os dados')
      }
      await kaua.getByText('Lead', { exact: true }).waitFor()
      await kaua.getByText(/^Comercial #\d+$/).waitFor()
      await kaua.getByText('Alta', { exact: true }).waitFor()
      await kaua.getByText('Contato', { exact: true }).waitFor()
      await kaua.getByText('(92) 99174-0388').filter({ visible: true }).waitFor()
      await kaua.getByText(/^início \d\d\/\d\d\/\d{4} \d\d:\d\d$/).waitFor()
      await kaua.getByText('Aguardando Operador', { exact: true }).waitFor()
      // Beside the chat a card is as narrow as on a phone.
      await kaua
        .getByText(/^\d+ (min|h)$/)
        .filter({ visible: true })
        .waitFor()
      await kaua.getByText('📱 WhatsApp', { exact: true }).waitFor()
      await kaua.getByText(/^Última atividade há \d+ (minutos|horas?)$/).waitFor()
      await kaua.getByText('KN', { exact: true }).waitFor()
    })

    testInFull('a conversation card of an operator names the operator and the company', async () => {
      await find('Cooperativa')
      const coop = card('Cooperativa Agrícola')
      // As narrow as it is beside the chat, a card leaves its room to the name.
      await coop.getByText('Coop. Vale do Ribeira', { exact: true }).waitFor({ state: 'attached' })
      await coop.getByText('Bruno Tavares', { exact: true }).waitFor()
      await coop.getByText('👤 Operador', { exact: true }).waitFor()
      await coop.getByText('Aguardando Cliente', { exact: true }).waitFor()
      await coop.getByText('Bruno: A coleta ficou para sexta, dia 20.').waitFor()
      await expect.poll(() => coop.getByText(/^(Alta|Baixa|Normal|FILA.*)$/).count()).toBe(0)
      await find('Íris')
      await card('Íris Nakagawa').getByText('Baixa', { exact: true }).waitFor()
      await card('Íris Nakagawa').getByText('Geral', { exact: true }).waitFor()
    })

    testInFull('a conversation card has words for everything that may be missing', async () => {
      await alter((list) => ({
        ...list,
        conversations: list.conversations.map((row, index) =>
          index > 0
            ? row
            : {
                ...row,
                initiatedBy: 'operator',
                lastMessage: null,
                contact: { ...row.contact, name: '', category: '', phone: null },
              },
        ),
      }))
      const first = card('Contato Desconhecido')
      await first.getByText('Sem categoria', { exact: true }).waitFor()
      await first.getByText('Nenhuma mensagem ainda', { exact: true }).waitFor()
      await first.getByText(/^Operador$/).waitFor()
      await first.getByText('Número oculto').filter({ visible: true }).waitFor()
    })

    const ages = [
      [0, 'agora mesmo'],
      [1, 'há 1 minuto'],
      [59, 'há 59 minutos'],
      [61, 'há 1 hora'],
      [300, 'há 5 horas'],
      [1500, 'há 1 dia'],
      [4400, 'há 3 dias'],
    ] as const
    testInFull('a conversation card says how long ago the last activity was', async () => {
      const before = (minutes: number) =>
        new Date(Date.now() - minutes * 60_000 - 31_000 * Math.sign(minutes)).toISOString()
      await alter((list) => ({
        ...list,
        conversations: list.conversations.map((row, index) => ({
          ...row,
          lastActivityAt: before(ages[index % ages.length]?.[0] ?? 0),
        })),
      }))
      for (const [index, [, words]] of ages.entries())
        await cards().nth(index).getByText(`Última atividade ${words}`, { exact: true }).waitFor()
    })

    testInFull('a conversation card of mine is highlighted, and no other', async () => {
      await find('de')
      const edge = (name: string) => card(name).evaluate((link) => getComputedStyle(link).boxShadow)
      await card('Maria Aparecida').getByText('Minha conversa').waitFor()
      await expect.poll(() => edge('Maria Aparecida')).toContain('inset')
      await find('Cooperativa')
      await card('Cooperativa').waitFor()
      await expect.poll(() => card('Cooperativa').getByText('Minha conversa').count()).toBe(0)
      await expect.poll(() => edge('Cooperativa')).toBe('none')
    })

    testInFull("a conversation card with a state that is not known says 'Status Indefinido'", async () => {
      const other = await signedIn('supervisora', { width, theme })
      await chooseCards(other)
      const name = own('Estado Estranho')
      const phone = await phones.create(name)
      await other.routeWebSocket('**/ws', (socket) => {
        const server = socket.connectToServer()
        server.onMessage((frame) =>
          socket.send(
            String(frame).includes(name)
              ? String(frame).replaceAll('"waitingFor":"operator"', '"waitingFor":"nobody"')
              : frame,
          ),
        )
      })
      await phones.write(phone.id, 'oi')
      await bruno.conversationWith(phone)
      await other.goto(`${address}?search=Estranho+${width}`)
      await other.getByRole('list', { name: 'Conversas ativas' }).getByText(name).waitFor()
      await phones.write(phone.id, 'de novo')
      await other.getByText('Status Indefinido').waitFor()
    })
  })

  describe('tabs and orders', () => {
    test.runIf(!isPhone)(
      'my conversations are by who waits longest, and the order of each tab is remembered',
      async () => {
        const admin = await colleague('admin')
        const names = ['Espera Mais', 'Espera Menos', 'Já Atendida'].map(own)
        for (const name of names) {
          const { id } = await newTalk(admin, name)
          await admin.call('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: admin.id })
          if (name === names[2]) await admin.reply(id, 'resolvido')
        }
        await page.getByRole('button', { name: /^Minhas ?\d*/ }).click()
        await expect.poll(() => new URL(page.url()).search).toBe('?tab=mine')
        await page.getByRole('combobox', { name: 'Itens por página' }).click()
        await page.getByRole('option', { name: '50 itens' }).click()
        const mine = async () => (await order(...names)).filter(Boolean)
        await expect.poll(mine).toEqual(names)
        await page.getByRole('button', { name: 'Ordenar: quem espera há mais tempo' }).click()
        await page.getByRole('menuitemradio', { name: 'Última mensagem' }).click()
        await expect.poll(mine).toEqual(names.toReversed())
        await page.reload()
        await page.getByRole('button', { name: 'Ordenar: última mensagem' }).waitFor()
        await expect.poll(mine).toEqual(names.toReversed())
        // The chat's list begins in the same tab, and its arrow leads back to this one.
        await card('Já Atendida').click()
        const pane = page.getByRole('region', { name: 'Conversas', exact: true })
        await expect
          .poll(() => pane.getByRole('button', { name: /^Minhas/ }).getAttribute('aria-pressed'))
          .toBe('true')
        await pane.getByRole('button', { name: 'Nova conversa', exact: true }).click()
        await page.getByRole('dialog').getByRole('combobox').fill('quem é')
        await pressEscape(page)
        await page.getByRole('link', { name: 'Voltar para conversas ativas' }).click()
        await page.waitForURL(`${address}?tab=mine&limit=50`)
        await page.getByRole('button', { name: /^Fila ?\d*/ }).click()
        await page.getByRole('button', { name: 'Ordenar: início' }).waitFor()
        await expect.poll(() => cards().filter({ hasText: 'Comercial #1' }).count()).toBe(1)
      },
    )
  })

  describeInFull('several at once', () => {
    test('conversations are selected by box and range, and the outcome of each is shown', async () => {
      const names = ['Um', 'Dois', 'Três'].map((name) => own(`Vários ${name}`))
      const ids: number[] = []
      for (const name of names) ids.push((await newTalk(bruno, name)).id)
      await find('Vários')
      await expect.poll(() => cards().count()).toBe(3)
      const box = (name: string) => page.getByRole('checkbox', { name: `Selecionar ${name}` })
      const bar = page.getByRole('group', { name: 'Seleção' })
      if (isPhone) await display('Linhas')
      if (isPhone) await display('Selecionar conversas')
      else await card(names[0] ?? '').hover()
      await box(names[0] ?? '').check()
      await card(names[2] ?? '').click({ modifiers: ['Shift'] })
      await bar.getByText('3 selecionadas').waitFor()
      await expectAccessibleState(page)
      await bar.getByRole('button', { name: 'Marcar como lidas' }).click()
      await toast(page, '3 conversas marcadas como lidas').waitFor()
      await expect.poll(() => bar.count()).toBe(0)

      if (isPhone) await display('Selecionar conversas')
      else await page.getByRole('button', { name: 'Selecionar conversas' }).click()
      await bar.getByRole('button', { name: 'Selecionar todas' }).click()
      await bar.getByRole('button', { name: 'Finalizar' }).click()
      const form = page.getByRole('dialog', { name: 'Finalizar atendimentos' })
      await form.getByLabel('Notas do atendimento').fill('mutirão')
      // One of them leaves the list meanwhile, and one call is lost.
      await bruno.call('POST', `/api/conversations/${ids[0]}/finalize`, {})
      await page.route(`**/${ids[1]}/finalize`, (route) => route.abort())
      await form.getByRole('button', { name: 'Finalizar 3 conversas' }).click()
      const sheet = page.getByRole('dialog', { name: 'O que foi feito' })
      await sheet.getByText('1 conversa finalizada · 1 recusada · 1 falhou').waitFor()
      await expect
        .poll(() => sheet.getByRole('listitem').filter({ hasText: 'já foi finalizada' }).count())
        .toBe(1)
      await expectAccessibleState(page)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await sheet.getByRole('button', { name: 'Tentar de novo' }).click()
      await sheet.getByText('2 conversas finalizadas · 1 recusada').waitFor()
      await sheet.getByRole('button', { name: 'Fechar' }).last().click()
      await page.getByText('Nenhuma conversa corresponde à busca aplicada').waitFor()
      await pressEscape(page)
      await expect.poll(() => bar.count()).toBe(0)
      if (isPhone) await display('Cartões com todos os dados')
    })
  })

  describe('live', () => {
    test('a client who writes joins the end of the queue, and leaves it when answered', async () => {
      await go(page, `/conversas-ativas?search=${width}+Ordem`)
      await page.getByText('Nenhuma conversa corresponde à busca aplicada').waitFor()
      const names = [`${width} Ordem Primeira`, `${width} Ordem Segunda`] as const
      const [first, second] = [await phones.create(names[0]), await phones.create(names[1])]
      await phones.write(first.id, 'cheguei antes')
      await bruno.conversationWith(first)
      await phones.write(second.id, 'cheguei depois')
      await card(names[1]).waitFor()
      await expect.poll(() => order(...names)).toEqual(names)
      const place = async (name: string) =>
        Number(
          (
            await card(name)
              .getByText(/^Comercial #\d+$/)
              .textContent()
          )?.slice('Comercial #'.length),
        )
      const before = await place(names[1])
      await expect.poll(() => place(names[0])).toBe(before - 1)

      await bruno.reply((await bruno.conversationWith(first)).id, 'já vi')
      await expect.poll(() => place(names[1])).toBe(before - 1)
      await expect.poll(() => order(...names)).toEqual([names[1], names[0]])
      await card(names[0]).getByText('Aguardando Cliente').waitFor()
      await card(names[0]).getByText('Bruno Tavares').waitFor()
    })
  })

  describe('the sound', () => {
    // Nothing rings at the first load, or for what an earlier test has caused.
    beforeEach(() => loaded(() => page.reload()))
    /** Nothing rings before the settings and the list are known. */
    const loaded = async (load: () => Promise<unknown>) => {
      const known = ['/api/system-settings', '/api/conversations'].map((path) =>
        page.waitForResponse((answer) => {
          const { pathname, search: query } = new URL(answer.url())
          return pathname === path && query === ''
        }),
      )
      await load()
      await Promise.all(known)
      await cards().first().waitFor()
    }
    const someoneNew = (name: string) => newTalk(bruno, own(name))
    const goTo = async (name: string) => {
      if (isPhone) await page.getByRole('button', { name: 'Abrir menu' }).click()
      await page.getByRole('link', { name }).first().click()
    }

    deskTest('the sound of a new conversation is one tone on the list, none at the first load', async () => {
      expect(await rightNow('it must have stayed silent', tonesOf(page))).toEqual([])
      await someoneNew('Toca Na Lista')
      await expect.poll(() => tonesOf(page)).toEqual([800])
      await loaded(() => page.reload())
      await page.getByRole('status').getByText('Conectado').waitFor()
      expect(await rightNow('it must have stayed silent', tonesOf(page))).toEqual([])
    })

    testInFull('the sound of a new conversation is three notes elsewhere', async () => {
      await goTo('Dashboard')
      await page.getByText('Conversas Recentes').waitFor()
      await someoneNew('Toca Fora Da Lista')
      await expect.poll(() => tonesOf(page)).toHaveLength(3)
      await expect.poll(async () => new Set(await tonesOf(page)).size).toBe(3)
    })

    testInFull(
      'the sound of a further message of a client of mine is two notes, as loud as the person likes it',
      async () => {
        const { phone, id } = await someoneNew('Escreve Mais')
        const admin = await colleague('admin')
        await admin.call('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: admin.id })
        await loaded(() => page.goto(`${address}?search=Escreve+Mais+${width}`))
        await card('Escreve Mais').getByText('Aguardando Operador').waitFor()
        await page.getByRole('status').getByText('Conectado').waitFor()
        await forgetTones(page)
        await phones.write(phone.id, 'e outra coisa')
        await expect.poll(() => tonesOf(page)).toEqual([520, 620])
        const loudest = (await lastPeakOf(page)) ?? 0
        expect(loudest).toBeGreaterThan(0)
        await page.getByRole('button', { name: 'Volume e sons' }).click()
        const options = page.getByRole('dialog', { name: 'Volume e sons' })
        await expectSound(page, width)
        const volume = options.getByRole('slider', { name: 'Volume' })
        await volume.focus()
        for (let step = 0; step < 5; step++) await page.keyboard.press('ArrowLeft')
        await options.getByText('50%').waitFor()
        await forgetTones(page)
        await options.getByRole('button', { name: 'Mensagem em conversa minha' }).click()
        await expect.poll(() => tonesOf(page)).toEqual([520, 620])
        await expect.poll(() => lastPeakOf(page)).toBeCloseTo(loudest / 2)
        await page.reload()
        await page.getByRole('button', { name: 'Volume e sons' }).click()
        await expect.poll(() => volume.inputValue()).toBe('50')
      },
    )

    testInFull('the sound lets the device rest after a tone, and wakes it for the next one', async () => {
      if (isPhone) await page.getByRole('button', { name: 'Volume e sons' }).click()
      const name = isPhone ? 'Nova conversa' : 'Testar som de nova conversa'
      const tried = page.getByRole('button', { name, exact: true })
      await forgetTones(page)
      await tried.click()
      await expect.poll(() => endedTonesOf(page)).toEqual([800])
      await expect.poll(() => isDeviceOpen(page)).toBe(false)
      await tried.click()
      await expect.poll(() => endedTonesOf(page)).toEqual([800, 800])
      await page.getByText('O navegador bloqueou o som').waitFor({ state: 'detached' })
    })

    testInFull('the sound can be tried, and switched off for good', async () => {
      if (isPhone) await page.getByRole('button', { name: 'Volume e sons' }).click()
      for (const name of isPhone
        ? ['Nova conversa', 'Mudança de status']
        : ['Testar som de nova conversa', 'Testar som de mudança de status'])
        await page.getByRole('button', { name, exact: true }).click()
      await expect.poll(() => tonesOf(page)).toEqual([800, 400])
      await page.getByRole('button', { name: 'Som Ativo' }).click()
      await page.getByRole('button', { name: 'Som Off' }).waitFor()
      await page.reload()
      await page.getByRole('button', { name: 'Som Off' }).waitFor()
      await page.getByRole('status').getByText('Conectado').waitFor()
      await page.goto(`${address}?search=Em+Silêncio+${width}`)
      await page.getByText('Nenhuma conversa corresponde à busca aplicada').waitFor()
      await someoneNew('Entra Em Silêncio')
      await card('Entra Em Silêncio').waitFor()
      expect(await rightNow('it must have stayed silent', tonesOf(page))).toEqual([])
      await page.getByRole('button', { name: 'Som Off' }).click()
      await page.getByRole('button', { name: 'Som Ativo' }).waitFor()
    })

    testInFull('the sound that the settings switch off plays for nobody', async () => {
      const save = async (enableSoundNotifications: boolean) =>
        (await colleague('admin')).call('PATCH', '/api/system-settings', { enableSoundNotifications })
      const switchOf = (name: string) => page.getByRole('button', { name })
      await expect.poll(() => switchOf('Som Ativo').isEnabled()).toBe(true)
      await save(false)
      try {
        await expect.poll(() => switchOf('Som Off').isDisabled()).toBe(true)
        await page.goto(`${address}?search=Ouve+${width}`)
        await forgetTones(page)
        await someoneNew('Ninguém Ouve')
        await card('Ninguém Ouve').waitFor()
        // Longer than a tone waits for the browser to let it sound (startsWithinMs).
        await page.waitForTimeout(500)
        expect(await rightNow('it must have stayed silent', tonesOf(page))).toEqual([])
        await page.route('**/api/system-settings', (route) => route.abort())
        await page.goto(`${address}?search=Saber+${width}`)
        await page.getByRole('status').getByText('Conectado').waitFor()
        await someoneNew('Nem Sem Saber')
        await card('Nem Sem Saber').waitFor()
        await page.waitForTimeout(500)
        expect(await rightNow('nobody knows yet that it may sound', tonesOf(page))).toEqual([])
        await page.unrouteAll({ behavior: 'ignoreErrors' })
        await page.reload()
      } finally {
        await save(true)
      }
      await expect.poll(() => switchOf('Som Ativo').isEnabled()).toBe(true)
    })
  })
})

test('the head of a narrow list stays within it, whatever it says', async () => {
  const page = await signedIn('admin', { width: 1280, height: 720 })
  await page.goto(`${url}/conversas-ativas?search=zzzz`)
  await page.getByText('Nenhuma conversa encontrada').waitFor()
  const outside = () =>
    page
      .getByRole('region', { name: 'Conversas', exact: true })
      .evaluate((pane) =>
        [...pane.querySelectorAll('button, input')]
          .filter((one) => one.getBoundingClientRect().right > pane.getBoundingClientRect().right - 8)
          .map((one) => one.getAttribute('aria-label') ?? one.textContent),
      )
  await expect.poll(outside).toEqual([])
})
