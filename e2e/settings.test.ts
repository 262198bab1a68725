import type { Locator } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { getSystemSettings } from '#shared/settings/settings-endpoints.ts'
import { type SystemSettings, systemSettings } from '#shared/settings/settings.ts'
import { tokenOf } from './support/browser.ts'
import { picture } from './support/files.ts'
import { expectFocused, refusal } from './support/focus.ts'
import { go } from './support/go.ts'
import { describeInFull, inFullAlso, testInFull } from './support/matrix.ts'
import { newTalk, openChat } from './support/open-chat.ts'
import { expectAccessibleState } from './support/sound.ts'
import { colleague, phones, signedIn, url } from './support/stage.ts'
import { toast } from './support/toast.ts'

const page = await signedIn('admin')
let before: SystemSettings

const asked = async (method: string, path: string, body?: unknown, who = page) => {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${await tokenOf(who)}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  expect(answer.status).toBe(200)
  return (await answer.json()) as Record<string, unknown>
}
const stored = async () => (await asked('GET', getSystemSettings.path)) as unknown as SystemSettings

beforeAll(async () => {
  before = await stored()
})
afterEach(async () => {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  const own = Object.entries(before).filter(([key]) => key in systemSettings.shape)
  await asked('PATCH', getSystemSettings.path, Object.fromEntries(own))
})

const field = (label: string, where = page) => where.getByLabel(label, { exact: true })
const button = (name: string, where = page) => where.getByRole('button', { name, exact: true })
const open = async (path: string, where = page) => {
  // A link to where one is would leave what an earlier test has typed.
  if (where.url() === url + path) await where.reload()
  else await go(where, path)
  await where.getByRole('tab', { selected: true }).waitFor()
}
const save = async (name = 'Salvar') => {
  await button(name).click()
  await page.getByText('Tudo salvo').waitFor()
}

/** A text field of the settings: its label and its name in the API. */
type TextField = [label: string, key: keyof SystemSettings]

const daily: TextField[] = [
  ['Aviso antes da primeira mensagem do operador', 'warningMessage'],
  ['Aviso de conversa iniciada pelo operador', 'operatorInitiatedWarningMessage'],
  ['Transferência', 'transferMessage'],
  ['Finalização', 'finalizationMessage'],
  ['Inatividade', 'inactivityMessage'],
  ['Saudação', 'greetingMessage'],
  ['Verificação', 'verificationMessage'],
  ['Despedida', 'farewellMessage'],
  ['LGPD', 'lgpdMessage'],
]
const texts: [address: string, button: string, said: string, fields: TextField[]][] = [
  [
    '/settings?aba=mensagens',
    'Salvar Mensagens Automáticas',
    'Configurações de mensagens salvas com sucesso!',
    daily,
  ],
  [
    '/settings-advanced?aba=fila',
    'Salvar',
    'Configurações da fila salvas com sucesso!',
    [
      ['Mensagem da fila', 'queueMessage'],
      ['Atualização de posição', 'queuePositionUpdateMessage'],
      ['Boas-vindas', 'queueWelcomeMessage'],
      ['Aviso antes de encerrar', 'inactivityWarningMessage'],
    ],
  ],
  [
    '/settings-advanced?aba=pre-atendimento',
    'Salvar',
    'Configurações de pré-atendimento salvas com sucesso!',
    [
      ['Pergunta', 'preAttendanceMessage'],
      ['Ao escolher 2', 'preAttendanceCancelMessage'],
      ['Opção inválida', 'preAttendanceInvalidMessage'],
    ],
  ],
  [
    '/settings-advanced?aba=mensagens',
    'Salvar',
    'Configurações de mensagens salvas com sucesso!',
    [
      ['Pergunta da avaliação', 'ratingMessage'],
      ['Arquivo bloqueado', 'blockedFileMessage'],
    ],
  ],
  [
    '/settings-advanced?aba=horario',
    'Salvar',
    'Configurações de horário salvas com sucesso!',
    [['Mensagem', 'autoReplyMessage']],
  ],
]

describe('every text', () => {
  test.each(inFullAlso(texts.slice(0, 1), texts.slice(1)))(
    'every text of %s is saved, and there after a reload',
    async (address, name, said, fields) => {
      await open(address)
      for (const [label, key] of fields) await field(label).fill(`${key} 😀 {{contact}}`)
      const count = fields.length
      await page.getByText(count === 1 ? '1 mudança não salva' : `${count} mudanças não salvas`).waitFor()
      await button(name).click()
      await toast(page, said).waitFor()
      const now = await stored()
      for (const [, key] of fields) expect(now[key]).toBe(`${key} 😀 {{contact}}`)
      await page.reload()
      for (const [label, key] of fields)
        await expect.poll(() => field(label).inputValue()).toBe(`${key} 😀 {{contact}}`)
    },
  )

  testInFull('every text shows its placeholders, and a preview of what the client reads', async () => {
    await open('/settings?aba=mensagens')
    const greeting = field('Saudação')
    await greeting.fill('Oi, !')
    await greeting.evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(4, 4))
    await button('Inserir Nome do contato').nth(5).click()
    await expect.poll(() => greeting.inputValue()).toBe('Oi, {{contact}}!')
    await page.getByText('Oi, Maria Souza!').waitFor()
    await greeting.fill('Oi, ')
    await button('Inserir Primeiro nome').nth(5).click()
    await expect.poll(() => greeting.inputValue()).toBe('Oi, {{firstName}}')
    await page.getByText('Oi, Maria', { exact: true }).waitFor()
    await greeting.fill('*Oi*, {{contato}} e {{position}}')
    await page.getByText('{{contato}} não é um campo conhecido e vai como está.').waitFor()
    await page.getByText('Posição na fila não tem valor neste texto.').waitFor()
    await greeting.fill('')
    await page.getByText('Vazio: nada é enviado.').last().waitFor()
    await button('Descartar').click()
    await expect.poll(() => greeting.inputValue()).toBe(before.greetingMessage)
  })

  testInFull('every text that is too long is refused with its limit, in Portuguese', async () => {
    const tooLong = 'a'.repeat(4097)
    const refusal = page.getByRole('alert').getByText('No máximo 4.096 caracteres')
    await open('/settings?aba=mensagens')
    await field('Saudação').fill(tooLong)
    await page.getByText('4.097 de 4.096 caracteres').waitFor()
    await button('Salvar Mensagens Automáticas').click()
    await refusal.waitFor()
    // In sight, above the bar with the button that was pressed.
    await expect.poll(() => isAbove(refusal, button('Salvar Mensagens Automáticas'))).toBe(true)
    await button('Descartar').click()
  })

  testInFull('every text has the save bar at the bottom of the screen, also on a short tab', async () => {
    const size = page.viewportSize()!
    await page.setViewportSize({ ...size, height: 2400 })
    for (const address of ['/settings-advanced?aba=pre-atendimento', '/settings?aba=gateway']) {
      await open(address)
      const bar = page.getByRole('status').filter({ hasText: 'Tudo salvo' }).locator('../..')
      await expect
        .poll(async () => {
          const box = await bar.boundingBox()
          return box && box.y + box.height
        })
        .toBe(2400)
    }
    await page.setViewportSize(size)
  })

  testInFull('every text that is not saved says why, and stays', async () => {
    await open('/settings?aba=mensagens')
    await page.route('**/api/system-settings', (route) =>
      route.request().method() === 'PATCH' ? route.fulfill({ status: 502, body: 'proxy' }) : route.continue(),
    )
    await field('Saudação').fill('Fica aqui')
    await button('Salvar Mensagens Automáticas').click()
    await toast(page, 'Falha ao salvar mensagens automáticas: HTTP 502: proxy').waitFor()
    await expect.poll(() => field('Saudação').inputValue()).toBe('Fica aqui')
    await page.getByText('1 mudança não salva').waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await save('Salvar Mensagens Automáticas')
  })
})

describe('the hours', () => {
  test('the hours are saved with days, lunch, zone and exceptions', async () => {
    await open('/settings-advanced?aba=horario')
    await field('Início').fill('8')
    await field('Fim').fill('1730')
    await page.getByText('2 mudanças não salvas').waitFor()
    await page.getByRole('switch', { name: 'Sábado' }).click()
    await field('Fim do almoço').fill('13:30')
    await page.getByRole('combobox', { name: 'Fuso horário' }).click()
    await page.getByRole('option', { name: 'Manaus' }).click()
    await button('Adicionar exceção').click()
    await field('Data').fill('2026-12-25')
    await field('Mensagem (opcional)').fill('Feliz Natal!')
    await page.getByText('08:00–12:00, 13:30–17:30').first().waitFor()
    await button('Salvar').click()
    await toast(page, 'Configurações de horário salvas com sucesso!').waitFor()
    await expect
      .poll(() => stored())
      .toMatchObject({
        workingHours: { start: '08:00', end: '17:30', days: [1, 2, 3, 4, 5, 6] },
        lunchBreak: { enabled: true, start: '12:00', end: '13:30' },
        timezone: 'America/Manaus',
        scheduleExceptions: [{ date: '2026-12-25', hours: null, message: 'Feliz Natal!' }],
      })
    await page.reload()
    await expect.poll(() => field('Data').inputValue()).toBe('2026-12-25')
    await page.getByRole('button', { name: 'Remover exceção de 2026-12-25' }).click()
    await save()
    await expect.poll(async () => (await stored()).scheduleExceptions).toEqual([])
  })

  test('the hours say what is missing in the words of the product, and save nothing', async () => {
    await open('/settings-advanced?aba=horario')
    await field('Início').fill('')
    await field('Fim').fill('25:00')
    for (const day of ['Segunda', 'Terça', 'Quarta', 'Quinta', 'Sexta'])
      await page.getByRole('switch', { name: day }).click()
    await button('Salvar').click()
    await page.getByText('Horário de início é obrigatório').waitFor()
    await refusal(page.getByText('Horário de fim inválido'))
    await field('Fim').fill('')
    await page.getByText('Horário de fim é obrigatório').waitFor()
    await refusal(page.getByText('Selecione pelo menos um dia'))
    await field('Início').fill('08:00')
    await field('Fim').fill('08:00')
    await field('Fim do almoço').fill('12:00')
    await button('Salvar').click()
    await page.getByText('O fim é igual ao início; para o dia inteiro, use 00:00 a 00:00').waitFor()
    await page.getByText('O fim é igual ao início; se não há almoço, desligue o intervalo').waitFor()
    await expect.poll(async () => (await stored()).workingHours).toEqual(before.workingHours)
    await button('Descartar').click()
    await expect.poll(() => field('Início').inputValue()).toBe('09:00')
  })

  test('days get hours of their own by keyboard alone, and what is wrong is said there', async () => {
    await open('/settings-advanced?aba=horario')
    await page.getByRole('switch', { name: 'Horário diferente em alguns dias' }).press('Space')
    const saturday = page.getByRole('group', { name: 'Horário de Sábado' })
    await saturday.getByLabel('Até').fill('8')
    await saturday.getByLabel('Até').press('Tab')
    await refusal(saturday.getByText('O fim é igual ao início; para o dia inteiro, use 00:00 a 00:00'))
    await saturday.getByLabel('Até').fill('1230')
    await saturday.getByLabel('Almoço', { exact: true }).press('Enter')
    await page.getByRole('option', { name: 'Sem almoço' }).press('Enter')
    await button('Adicionar dia').press('Enter')
    const sunday = page.getByRole('group', { name: 'Horário de Domingo' })
    await sunday.getByRole('switch', { name: 'Dia inteiro (24 h)' }).press('Space')
    await sunday.getByLabel('Almoço', { exact: true }).press('Enter')
    await page.getByRole('option', { name: 'Outro almoço' }).press('Enter')
    await sunday.getByLabel('Almoço até').fill('12:15')
    await page.getByText('00:00–12:00, 12:15–24:00', { exact: true }).waitFor()
    await expectAccessibleState(page)
    await save()
    const { workingHours } = before
    const differentDays = [
      { day: 6, start: '08:00', end: '12:30', lunch: 'none' },
      { day: 0, start: '00:00', end: '00:00', lunch: { start: '12:00', end: '12:15' } },
    ]
    await expect.poll(async () => (await stored()).workingHours).toEqual({ ...workingHours, differentDays })
    await page.reload()
    await button('Remover horário de Domingo').press('Enter')
    await expectFocused(button('Adicionar dia'))
    await page.getByRole('switch', { name: 'Sábado' }).press('Space')
    await saturday.waitFor({ state: 'detached' })
    await save()
    await expect.poll(async () => (await stored()).workingHours).toEqual(workingHours)
  })

  testInFull('the hours show the time of the zone, and whether somebody answers now', async () => {
    await open('/settings-advanced?aba=horario')
    const clock = page.getByText(/^agora \d\d:\d\d:\d\d$/)
    const first = await clock.textContent()
    await expect.poll(() => clock.textContent()).not.toBe(first)
    for (const day of ['Sábado', 'Domingo']) await page.getByRole('switch', { name: day }).click()
    await page.getByRole('switch', { name: 'Intervalo de almoço' }).click()
    await field('Início').fill('00:00')
    await field('Fim').fill('23:59')
    await page.getByText('Aberto agora', { exact: true }).waitFor()
    await page.getByText(/, muda às 23:59$/).waitFor()
    await button('Descartar').click()
  })
})

describeInFull('queue, messages and pre-attendance', () => {
  test('the switches and numbers of the settings are saved', async () => {
    await open('/settings-advanced?aba=fila')
    await field('Limite por operador').fill('7')
    await page.getByRole('switch', { name: 'Distribuir automaticamente' }).click()
    await page.getByRole('combobox', { name: 'Encerrar por inatividade' }).click()
    await page.getByRole('option', { name: 'Também quando nós não respondemos' }).click()
    await page.getByRole('switch', { name: 'Contar só no expediente' }).click()
    await field('Avisar antes de encerrar').fill('5')
    await save()
    await open('/settings-advanced?aba=mensagens')
    for (const name of [
      'Pedir avaliação',
      'Confirmar leitura ao cliente',
      'Resposta pelo celular conta',
      'Registrar visualizações de todos',
      'Sons de notificação',
    ])
      await page.getByRole('switch', { name }).click()
    await page.getByRole('combobox', { name: 'Desfazer envio' }).click()
    await page.getByRole('option', { name: '5 segundos' }).click()
    await save()
    await open('/settings-advanced?aba=pre-atendimento')
    await page.getByRole('switch', { name: 'Perguntar antes de entrar na fila' }).click()
    await save()
    await expect
      .poll(() => stored())
      .toMatchObject({
        maxActivePerOperator: 7,
        autoDistributionEnabled: true,
        inactivityAppliesTo: 'all',
        inactivityCountsOpenHoursOnly: true,
        inactivityWarningMinutes: 5,
        ratingsEnabled: !before.ratingsEnabled,
        readReceiptsEnabled: !before.readReceiptsEnabled,
        phoneAnswersCount: !before.phoneAnswersCount,
        undoSendSeconds: 5,
        enableViewTrackingForAll: !before.enableViewTrackingForAll,
        enableSoundNotifications: !before.enableSoundNotifications,
        preAttendanceEnabled: true,
      })
  })

  test('a number beyond its bounds is refused, and what was not saved is said', async () => {
    await open('/settings-advanced?aba=fila')
    await field('Avisar antes de encerrar').fill('30')
    await button('Salvar').click()
    await page.getByText('Digite um número de 0 a 29').waitFor()
    await field('Avisar antes de encerrar').fill('9')
    await page.route('**/api/system-settings', (route) =>
      route.request().method() === 'PATCH' ? route.fulfill({ status: 502, body: 'proxy' }) : route.continue(),
    )
    await button('Salvar').click()
    await toast(page, 'Falha ao salvar configurações: HTTP 502: proxy').waitFor()
    await button('Descartar').click()
  })

  test('quick replies are added, ordered, changed and removed', async () => {
    await asked('PATCH', getSystemSettings.path, { quickResponses: [] })
    await open('/settings-advanced?aba=respostas')
    await page.getByText('Nenhuma resposta rápida cadastrada.').waitFor()
    for (const [shortcut, text] of [
      ['pix', 'Nossa chave é {{company}}'],
      ['prazo', 'Entregamos em dois dias'],
    ] as const) {
      await button('Adicionar resposta').click()
      await field('Atalho').last().fill(shortcut)
      await field('Texto').last().fill(text)
    }
    await page.getByText('2 mudanças não salvas').waitFor()
    const top = async (label: string) => (await field(label).first().boundingBox())?.y ?? 0
    // The border of the shortcut's field is around its slash, too.
    await expect.poll(async () => (await top('Atalho')) - (await top('Texto'))).toBeLessThanOrEqual(1)
    await page.getByRole('button', { name: 'Mover para cima: resposta 2' }).click()
    await save()
    await expect
      .poll(async () => (await stored()).quickResponses.map(({ shortcut }) => shortcut))
      .toEqual(['prazo', 'pix'])
    await page.reload()
    await page
      .getByTitle('Arraste para ordenar')
      .last()
      .dragTo(page.getByTitle('Arraste para ordenar').first())
    await expect.poll(() => field('Atalho').first().inputValue()).toBe('pix')
    await page.getByRole('button', { name: 'Remover resposta 2' }).click()
    await save()
    await expect
      .poll(async () => (await stored()).quickResponses)
      .toEqual([{ shortcut: 'pix', text: 'Nossa chave é {{company}}' }])
  })

  test('a quick reply brings its file into the chat, with its text as the caption', async () => {
    await asked('PATCH', getSystemSettings.path, { quickResponses: [] })
    await open('/settings-advanced?aba=respostas')
    await button('Adicionar resposta').click()
    await field('Atalho').fill('tabela')
    await field('Texto').fill('Segue a tabela, ')
    await page
      .getByRole('listitem')
      .filter({ has: field('Atalho') })
      .getByRole('button', { name: 'Inserir Primeiro nome' })
      .click()
    await expect.poll(() => field('Texto').inputValue()).toBe('Segue a tabela, {{firstName}}')
    const file = { name: 'tabela.png', mimeType: 'image/png', buffer: picture(640, 480, 170) }
    await page.getByLabel('Arquivo da resposta 1').setInputFiles(file)
    await page.getByText('tabela.png').waitFor()
    await save()
    await page.reload()
    await page.getByText('tabela.png').waitFor()
    const { phone, id } = await newTalk(await colleague('supervisora'), 'Tabela Ferreira', 'tem tabela?')
    await openChat(page, id, phone.name)
    await page.getByPlaceholder('Digite sua mensagem...').fill('/tab')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Enviar arquivo' })
    await dialog.getByText('tabela.png').first().waitFor()
    await expect.poll(() => dialog.getByRole('textbox').inputValue()).toBe('Segue a tabela, Tabela')
    await dialog.getByRole('button', { name: 'Enviar' }).click()
    await expect
      .poll(async () => (await phones.chat(phone.id)).map((message) => message.kind), { timeout: 30_000 })
      .toContain('image')
  })

  test('the preview phone plays the dialogue with the texts of the fields', async () => {
    await open('/settings-advanced?aba=pre-atendimento')
    const phone = page.getByRole('region', { name: 'Celular do cliente' })
    await field('Pergunta').fill('Diga 1 ou 2, {{contact}}')
    await phone.getByText('Diga 1 ou 2, Maria Souza').waitFor()
    await phone.getByLabel('Mensagem do cliente').fill('quero falar')
    await phone.getByLabel('Mensagem do cliente').press('Enter')
    await phone.getByText(before.preAttendanceInvalidMessage).waitFor()
    await phone.getByRole('button', { name: 'Responder 1' }).click()
    await phone.getByText('O cliente entra na fila com o que escreveu').waitFor()
    await phone.getByRole('button', { name: 'Recomeçar a conversa' }).click()
    await phone.getByRole('button', { name: 'Responder 2' }).click()
    await phone.getByText(before.preAttendanceCancelMessage).waitFor()
    await field('Pergunta').fill('')
    await phone.getByText('O cliente entra direto na fila', { exact: true }).waitFor()
    const warning = page.getByText('Sem a pergunta, quem escreve entra direto na fila.')
    await expect.poll(() => warning.count()).toBe(0)
    await page.getByRole('switch', { name: 'Perguntar antes de entrar na fila' }).click()
    await warning.waitFor()
    await button('Descartar').click()
    await warning.waitFor({ state: 'detached' })
  })
})

describeInFull('media', () => {
  test('the media settings are protected but for the text of a refusal', async () => {
    await open('/settings?aba=midia')
    await expect.poll(() => page.getByText('Protegido', { exact: true }).count()).toBe(10)
    for (const label of ['URL base de mídia', 'Diretório de uploads', 'Documentos'])
      await expect.poll(() => page.getByLabel(label).getAttribute('readonly')).not.toBeNull()
    await expect.poll(() => page.getByLabel('Tamanho máximo (MB)').isDisabled()).toBe(true)
    await page.getByText(/limite de 10,0 MB/).waitFor()
    await field('Mensagem').fill('Este tipo não abrimos.')
    await button('Salvar Mensagem').click()
    await toast(page, 'Configurações atualizadas').waitFor()
    await expect.poll(async () => (await stored()).blockedFileMessage).toBe('Este tipo não abrimos.')
    await page.route('**/api/media-settings', (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    )
    await field('Mensagem').fill('Outra')
    await button('Salvar Mensagem').click()
    await toast(page, 'Erro ao salvar').waitFor()
    await toast(page, 'Não foi possível salvar a mensagem.').waitFor()
    await page.unroute('**/api/media-settings')
    await page.route('**/api/media-settings', (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 502, body: 'Bad Gateway' })
        : route.continue(),
    )
    await button('Salvar Mensagem').click()
    await toast(page, 'Erro 502: Bad Gateway').waitFor()
    await expect.poll(() => field('Mensagem').inputValue()).toBe('Outra')
    await page.goto(url)
  })
})

testInFull('the queue names its placeholder, and pre-attendance has a tab', async () => {
  await open('/settings-advanced?aba=fila')
  await page.getByText('{{position}} é o lugar do cliente na fila').first().waitFor()
  await page.getByRole('tab', { name: 'Pré-atendimento' }).click()
  await page.getByRole('tab', { name: 'Pré-atendimento', selected: true }).waitFor()
})

testInFull(
  'the search over the settings leads to a field of another part, with the focus on it',
  async () => {
    await open('/settings?aba=usuario')
    const search = page.getByPlaceholder('Buscar configuração...')
    await search.fill('nao existe isso')
    await page.getByText('Nenhuma configuração encontrada').waitFor()
    await search.fill('limite')
    const found = page.getByRole('list', { name: 'Configurações encontradas' })
    await found.getByText('Limite por operador').waitFor()
    await expectAccessibleState(page)
    await search.press('Enter')
    await page.getByRole('heading', { name: 'Configurações Avançadas', level: 1 }).waitFor()
    await expectFocused(field('Limite por operador'))
    await expectAccessibleState(page)
  },
)

testInFull('hours of a time zone that is not known are not saved', async () => {
  const settings = await stored()
  await page.route('**/api/system-settings', (route) =>
    route.request().method() === 'GET'
      ? route.fulfill({ json: { ...settings, timezone: '' } })
      : route.continue(),
  )
  await page.goto(`${url}/settings-advanced?aba=horario`)
  await page.getByRole('switch', { name: 'Terça' }).click()
  await button('Salvar').click()
  await page.getByText('Fuso horário é obrigatório', { exact: true }).waitFor()
  await page.unroute('**/api/system-settings')
  await page.goto(url)
})

describe('what is not saved', () => {
  const dialog = () => page.getByRole('dialog', { name: 'Sair sem salvar?' })

  testInFull('an unsaved setting is not lost by a tab, a link or the way back', async () => {
    await open('/settings-advanced?aba=mensagens')
    await page.getByRole('tab', { name: 'Fila' }).click()
    await field('Mensagem da fila').fill('Ainda não salvo')
    await page.getByRole('tab', { name: 'Horário' }).click()
    await dialog().getByRole('button', { name: 'Continuar editando' }).click()
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await dialog().getByRole('button', { name: 'Continuar editando' }).click()
    await page.evaluate(() => history.back())
    await dialog().getByRole('button', { name: 'Continuar editando' }).click()
    await expect.poll(() => field('Mensagem da fila').inputValue()).toBe('Ainda não salvo')
    expect(new URL(page.url()).search).toBe('?aba=fila')
    await page.evaluate(() => history.back())
    await dialog().getByRole('button', { name: 'Sair sem salvar' }).click()
    await page.getByRole('tab', { name: 'Mensagens', selected: true }).waitFor()
  })

  test('the second of two administrators is notified, and nothing is overwritten unseen', async () => {
    const other = await signedIn('supervisora')
    await open('/settings-advanced?aba=fila')
    await field('Mensagem da fila').fill('A minha')
    await asked('PATCH', getSystemSettings.path, { queueMessage: 'A dela', queueWelcomeMessage: 'Oi' }, other)
    await page.getByText('Outra pessoa mudou o que você está editando. Nada foi sobrescrito.').waitFor()
    // Fields without edits follow the stored values.
    await expect.poll(() => field('Boas-vindas').inputValue()).toBe('Oi')
    await expect.poll(() => field('Mensagem da fila').inputValue()).toBe('A minha')
    await button('Salvar').click()
    await toast(page, /mudou estas configurações enquanto você editava/).waitFor()
    await expect.poll(async () => (await stored()).queueMessage).toBe('A dela')
    await button('Manter o meu').click()
    await save()
    await expect.poll(async () => (await stored()).queueMessage).toBe('A minha')
  })
})

describe('who may do what', () => {
  test('an operator sees their own data and quick replies alone, by the short address too', async () => {
    // She leads no sector.
    const ana = await signedIn('elisa', { width: 390 })
    await open('/configuracoes', ana)
    await ana.getByText('Seus dados').waitFor()
    for (const label of ['Nome', 'Perfil', 'E-mail', 'Usuário'])
      await ana.getByText(label, { exact: true }).first().waitFor()
    await expect.poll(() => ana.getByRole('tab').allTextContents()).toEqual(['Usuário', 'Respostas e macros'])
  })

  testInFull('a supervisor sees no gateway in the settings', async () => {
    const chief = await signedIn('supervisora')
    await open('/settings', chief)
    await expect
      .poll(() => chief.getByRole('tab').allTextContents())
      .toEqual(['Usuário', 'Mensagens automáticas', 'Respostas e macros', 'Mídia', 'Motivos', 'Etiquetas'])
  })

  testInFull('settings that cannot be loaded say so, and can be tried again', async () => {
    await page.route('**/api/system-settings', (route) => route.abort())
    await page.goto(`${url}/settings-advanced?aba=fila`)
    await button('Tentar novamente').waitFor({ timeout: 30_000 })
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await button('Tentar novamente').click()
    await field('Mensagem da fila').waitFor()
  })
})

async function isAbove(upper: Locator, lower: Locator): Promise<boolean> {
  const [one, other] = [await upper.boundingBox(), await lower.boundingBox()]
  return Boolean(one && other && one.y + one.height <= other.y)
}

/** Whether all of the width of one element is inside another. */
async function isWithin(inner: Locator, outer: Locator): Promise<boolean> {
  const [one, other] = [await inner.boundingBox(), await outer.boundingBox()]
  return Boolean(one && other && one.x >= other.x && one.x + one.width <= other.x + other.width + 1)
}

testInFull('the chosen tab of the settings is in view on a narrow screen', async () => {
  const narrow = await signedIn('admin', { width: 390 })
  for (const tab of ['evolution', 'lgpd']) {
    await open(`/settings-advanced?aba=${tab}`, narrow)
    const chosen = narrow.getByRole('tab', { selected: true })
    await expect.poll(() => isWithin(chosen, narrow.getByRole('tablist'))).toBe(true)
  }
})
