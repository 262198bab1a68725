// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { messageTypes } from '#shared/messages/message-kinds.ts'
import type { Message } from '#shared/messages/messages.ts'
import { unsupportedMessage } from '#shared/text/text.ts'
import { UiProvider } from '#web/ui/ui-provider.tsx'
import { messageRow } from '#web/conversations/cache/test-rows.ts'
import { MessageBody } from './message-body.tsx'
import { inApp } from '#web/users/test-app.tsx'

const show = (given: Partial<Message>) =>
  render(
    <UiProvider>
      <MessageBody message={messageRow(given)} meta={<time>12:00</time>} />
    </UiProvider>,
    { wrapper: inApp(new QueryClient()) },
  ).container

/** The code of rare kinds. */
const loaded = () => act(() => vi.dynamicImportSettled())

test.each(messageTypes)(
  'a %s without metadata, without words and without votes is shown by its name',
  (type) => {
    const shown = show({ messageType: type, content: '' })
    expect(shown.textContent).toContain('12:00')
    if (['image', 'audio', 'contact', 'location', 'poll', 'unsupported'].includes(type))
      expect(shown.textContent).not.toBe('12:00')
  },
)

test.each(messageTypes)('a %s without metadata keeps its words', (type) => {
  expect(show({ messageType: type, content: 'palavras antigas' }).textContent).toContain('palavras antigas')
})

test('a card shows each line that it has, and links only what may be followed', async () => {
  show({
    messageType: 'contact',
    content: 'Anselmo',
    metadata: {
      contacts: [
        {
          name: 'Anselmo',
          phones: [{ number: '+55 11 97012-8834', waId: '5511970128834' }, { number: '0800 123' }],
          organization: 'Portaria',
          email: 'anselmo@exemplo.com.br',
          url: 'https://exemplo.com.br/',
        },
        { name: 'Golpe', phones: [], email: 'x@y.z?cc=todos', url: 'javascript:alert(1)' },
      ],
    },
  })
  await loaded()
  const [card, bad] = screen.getAllByRole('listitem')
  expect(card?.textContent).toBe(
    'AAnselmo(11) 97012-88340800 123Portariaanselmo@exemplo.com.brhttps://exemplo.com.br/Iniciar conversa',
  )
  expect(
    within(card ?? document.body)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href')),
  ).toEqual(['tel:+5511970128834', 'mailto:anselmo@exemplo.com.br', 'https://exemplo.com.br/'])
  for (const link of screen.getAllByRole('link'))
    expect(link.getAttribute('rel')).toBe('noopener noreferrer nofollow')
  expect(bad?.textContent).toContain('javascript:alert(1)')
  expect(within(bad ?? document.body).queryByRole('link')).toBeNull()
})

test('the first five of many cards and numbers are shown, and twenty more with each press', async () => {
  const phones = Array.from({ length: 30 }, (_, index) => ({ number: `+55 11 97012-${8800 + index}` }))
  const contacts = Array.from({ length: 257 }, (_, index) => ({ name: `Pessoa ${index + 1}`, phones }))
  show({ messageType: 'contact', metadata: { contacts } })
  await loaded()
  const press = (name: string) => fireEvent.click(screen.getAllByRole('button', { name })[0] as HTMLElement)
  const shown = () => [screen.getAllByRole('listitem').length, screen.getAllByRole('link').length]
  expect(shown()).toEqual([5, 25])
  press('mais 252')
  expect(shown()).toEqual([25, 125])
  press('mais 25 números')
  expect(shown()).toEqual([25, 145])
  press('mais 5 números')
  expect(shown()).toEqual([25, 150])
  for (let rest = 232; rest > 0; rest -= 20) press(`mais ${rest}`)
  expect(shown()[0]).toBe(257)
  expect(screen.queryByRole('button', { name: /^mais \d+$/ })).toBeNull()
})

const long = 'palavra '.repeat(16_384)

test.each<[string, Partial<Message>]>([
  ...messageTypes.map((messageType): [string, Partial<Message>] => [messageType, { messageType }]),
  ['image with its file', { messageType: 'image', fileUrl: '/api/media/1' }],
  ['video with its file', { messageType: 'video', fileUrl: '/api/media/1' }],
  ['document with its file', { messageType: 'document', fileUrl: '/api/media/1', fileName: long }],
  ['poll', { messageType: 'poll', metadata: { poll: { options: [long], selectable: 1 } } }],
  [
    'place',
    {
      messageType: 'location',
      metadata: { location: { latitude: 1, longitude: 2, name: long, address: long } },
    },
  ],
  [
    'card',
    {
      messageType: 'contact',
      metadata: {
        contacts: [{ name: long, phones: [{ number: long }], organization: long, email: long, url: long }],
      },
    },
  ],
])(
  'of a %s with texts of 131,072 characters little is drawn at first, and no label is long',
  async (_what, given) => {
    const shown = show({ content: long, ...given })
    await loaded()
    expect(shown.textContent?.length).toBeLessThan(6000)
    const attributes = [...shown.querySelectorAll('*')].flatMap(({ attributes: all }) => [...all])
    expect(attributes.filter(({ value }) => value.length > 600).map(({ name }) => name)).toEqual([])
  },
)

test('a card without a number that WhatsApp can reach leads to no conversation', async () => {
  show({
    messageType: 'contact',
    content: 'Central',
    metadata: { contacts: [{ name: 'Central', phones: [{ number: '0800 123' }] }] },
  })
  await loaded()
  expect(screen.getAllByRole('listitem')).toHaveLength(1)
  expect(screen.queryByRole('button', { name: 'Iniciar conversa' })).toBeNull()
})

test('a card may stand as JSON in the text', async () => {
  const shown = show({
    messageType: 'contact',
    content: '{"displayName":"Dona Zefinha","phoneNumber":"11987654321","organization":"Feira"}',
  })
  await loaded()
  expect(shown.textContent).toContain('Dona Zefinha(11) 98765-4321Feira')
  cleanup()
  expect(show({ messageType: 'contact', content: '{"broken' }).textContent).toContain('{"broken')
})

test('a place has its name, its address, its coordinates and a way to the map', async () => {
  const location = { latitude: -23.5614, longitude: -46.6559, name: 'Loja', address: 'Av. Paulista, 1578' }
  const shown = show({ messageType: 'location', content: 'Loja\nAv. Paulista, 1578', metadata: { location } })
  await act(() => vi.dynamicImportSettled())
  expect(shown.textContent).toBe('LojaLocalizaçãoAv. Paulista, 1578-23.56140, -46.65590Abrir no mapa12:00')
  expect(screen.getByRole('link', { name: 'Abrir no mapa' }).getAttribute('href')).toBe(
    'https://www.openstreetmap.org/?mlat=-23.5614&mlon=-46.6559#map=17/-23.5614/-46.6559',
  )
})

test('a place that moves is labelled, with the words that came along', async () => {
  const location = { latitude: 1, longitude: 2, isLive: true }
  const shown = show({ messageType: 'location', content: 'estou a caminho', metadata: { location } })
  await act(() => vi.dynamicImportSettled())
  expect(shown.textContent).toContain('Localização em tempo real')
  expect(shown.textContent).toContain('estou a caminho')
})

test.each([
  [1, 'Escolha uma'],
  [0, 'Escolha uma ou mais'],
  [3, 'Escolha uma ou mais'],
])('a poll of which %i may be chosen says %s, and who has chosen what', async (selectable, hint) => {
  show({
    messageType: 'poll',
    content: 'Quando?',
    metadata: { poll: { options: ['manhã', 'tarde', 'noite'], selectable } },
    votes: [
      { from: 'contact', options: ['tarde', 'de madrugada'] },
      { from: 'user', options: ['tarde'] },
    ],
  })
  expect(screen.getByText('Quando?')).toBeDefined()
  expect(await screen.findByText(`Enquete · ${hint}`)).toBeDefined()
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'manhã',
    'tardeclientenós',
    'noite',
    'de madrugadacliente',
  ])
})

test.each<[string, Partial<Message>]>([
  ['0:411×12:00', { messageType: 'audio', metadata: { isVoice: true, seconds: 41 } }],
  ['Arquivo de áudio3:001×12:00', { messageType: 'audio', metadata: { isVoice: false, seconds: 180 } }],
  [
    'hino.mp33:001×12:00',
    { messageType: 'audio', fileName: 'hino.mp3', metadata: { isVoice: false, seconds: 180 } },
  ],
  ['Mensagem de vídeo0:0912:00', { messageType: 'video', metadata: { isRound: true, seconds: 9 } }],
  ['GIF12:00', { messageType: 'video', metadata: { isGif: true } }],
  ['Vídeo12:00', { messageType: 'video' }],
  ['Figurinha12:00', { messageType: 'sticker' }],
  [
    'nota.pdfPDF · 3 páginas · 184,22 KB12:00',
    { messageType: 'document', fileName: 'nota.pdf', fileSize: 188_641, metadata: { pages: 3 } },
  ],
  [
    'DocumentoZIP · 1 página12:00',
    { messageType: 'document', fileMimeType: 'application/zip', metadata: { pages: 1 } },
  ],
  [
    'Mensagem não suportadaAbra o WhatsApp no celular para ver.12:00',
    { messageType: 'unsupported', content: unsupportedMessage },
  ],
  [
    'Mensagem não suportadaPode ser de visualização única. Abra o WhatsApp no celular para ver.12:00',
    { messageType: 'unsupported', content: unsupportedMessage, metadata: { gatewayType: 'unknown' } },
  ],
  [
    'Visualização únicaAbra o WhatsApp no celular para ver.12:00',
    { messageType: 'unsupported', content: unsupportedMessage, metadata: { isViewOnce: true } },
  ],
])('a message is drawn with the text %s', (text, given) => {
  expect(show({ content: '', ...given }).textContent).toBe(text)
})

test.each(['document', 'image', 'video'] as const)(
  'a %s that is not kept says why, and offers nothing',
  (messageType) => {
    const shown = show({ messageType, content: 'abra!', fileName: 'boleto.pdf.exe', fileUrl: null })
    expect(shown.textContent).toContain('Não guardado: extensão .exe não é permitida')
    expect(shown.textContent).toContain('abra!')
    expect(shown.querySelector('a, img, video')).toBeNull()
  },
)

test.each(['image', 'sticker'] as const)('an %s that is not to be drawn is offered as a download', (type) => {
  const given = { messageType: type, fileUrl: '/api/media/files/abc', fileSize: 2048 }
  expect(show(given).querySelector('img')).not.toBeNull()
  cleanup()
  const shown = show({ ...given, metadata: { isDownloadOnly: true } })
  expect(shown.querySelector('img')).toBeNull()
  expect(screen.getByRole('link', { name: 'Baixar' })).toHaveProperty('pathname', '/api/media/files/abc')
})

test('the name of a document without a caption has a line of its own, apart from the time', () => {
  const fileName = 'Relatório de faturamento consolidado do terceiro trimestre.pdf'
  const metadata = { pages: 12 }
  const shown = show({ messageType: 'document', content: fileName, fileName, fileUrl: '/files/1', metadata })
  const name = within(shown).getByTitle(fileName)
  expect(name.textContent).toBe(fileName)
  // What is too long is cut before the ending.
  expect([...name.children].map(({ textContent }) => textContent)).toEqual([fileName.slice(0, -4), '.pdf'])
  expect(name.children[1]?.className).toContain('flex-none')
  expect(name.closest('.flex.items-center')?.textContent).not.toContain('12:00')
  expect(shown.textContent).toContain('12:00')
})

test.each([
  ['the key of a Pix card', 'Pix\nRita Alves\nChave (CPF): 123.456.789-09', '123.456.789-09'],
  ['the code of a charge', '2 × Bolo\nTotal: R$ 80,00\nPix\nCódigo: 00020126:x', '00020126:x'],
])('%s can be copied by a button', async (_what, content, key) => {
  const writeText = vi.fn(async () => undefined)
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } })
  show({ messageType: 'text', content, metadata: { gatewayType: 'interactiveMessage' } })
  fireEvent.click(screen.getByRole('button', { name: 'Copiar chave Pix' }))
  await vi.waitFor(() => expect(writeText).toHaveBeenCalledWith(key))
})

test('a text in which a person writes of a Pix key has nothing to copy', () => {
  show({ messageType: 'text', content: 'Pix\nRita\nChave (CPF): 123' })
  expect(screen.queryByRole('button', { name: 'Copiar chave Pix' })).toBeNull()
})
