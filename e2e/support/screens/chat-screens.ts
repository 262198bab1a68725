import type { Page } from 'playwright-core'
import { picture, sound } from '../files.ts'
import { Phones } from '../phones.ts'
import { openEveryKind } from './every-kind.ts'
import type { Screen } from './screen.ts'

/** The lists of open conversations, and the chat. */
export const chatScreens: readonly Screen[] = [
  {
    name: 'conversas-ativas',
    open: (page, url) => page.goto(`${url}/conversas-ativas`).then(() => undefined),
  },
  {
    name: 'conversas-ativas-sem-resultado',
    open: (page, url) => page.goto(`${url}/conversas-ativas?search=zzzz`).then(() => undefined),
  },
  {
    name: 'conversas-ativas-selecao',
    async open(page, url) {
      await page.goto(`${url}/conversas-ativas`)
      await act(page, 'Selecionar conversas', 'Exibição')
      await page
        .getByRole('group', { name: 'Seleção' })
        .getByRole('button', { name: 'Selecionar todas' })
        .click()
    },
  },
  {
    name: 'conversas-ativas-exibicao',
    async open(page, url) {
      await page.goto(`${url}/conversas-ativas`)
      const menu = page.getByRole('button', { name: 'Exibição' })
      await page.getByRole('heading', { level: 1 }).waitFor()
      if (await menu.isVisible()) await menu.click()
    },
  },
  {
    name: 'chat',
    open: openMaria,
  },
  {
    name: 'chat-busca',
    async open(page, url) {
      await openMaria(page, url)
      await page.keyboard.press('Control+f')
      await page.getByRole('searchbox', { name: 'Buscar na conversa...' }).fill('a')
      await page.getByRole('search').getByText(/ de /).waitFor()
    },
  },
  {
    name: 'chat-formatacao',
    async open(page, url) {
      await openMaria(page, url)
      await page
        .getByPlaceholder('Digite sua mensagem...')
        .fill('Oi, *Maria*! O pedido `48213` sai _hoje_ às ~14h~ 15h.\n- caixa nova\n- nota fiscal')
    },
  },
  {
    name: 'chat-encaminhar',
    async open(page, url) {
      await openMaria(page, url)
      await chooseFromMessage(page, 'Encaminhar')
      await page.getByRole('dialog').getByRole('radio').first().click()
    },
  },
  {
    name: 'chat-dados-da-mensagem',
    async open(page, url) {
      await openMaria(page, url)
      await chooseFromMessage(page, 'Dados da mensagem')
      await page.getByRole('dialog', { name: 'Dados da mensagem' }).waitFor()
    },
  },
  {
    name: 'chat-transferir',
    async open(page, url) {
      await openMaria(page, url)
      await act(page, 'Transferir')
      await page.getByRole('radio').nth(1).click()
    },
  },
  {
    name: 'chat-finalizar',
    async open(page, url) {
      await openMaria(page, url)
      await act(page, 'Finalizar')
    },
  },
  {
    name: 'chat-mais-acoes',
    async open(page, url) {
      await openMaria(page, url)
      await page.getByRole('button', { name: 'Mais ações' }).click()
    },
  },
  {
    name: 'chat-respostas-rapidas',
    async open(page, url) {
      await openMaria(page, url)
      await page.getByPlaceholder('Digite sua mensagem...').fill('/s')
      await page.getByRole('listbox').waitFor()
    },
  },
  {
    name: 'chat-excluir',
    async open(page, url) {
      await openMaria(page, url)
      await page.getByRole('button', { name: 'Mais ações' }).click()
      await page.getByRole('menuitem', { name: 'Excluir', exact: true }).click()
    },
  },
  {
    name: 'chat-ir-para',
    async open(page, url) {
      await openMaria(page, url)
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog', { name: 'Ir para…' }).waitFor()
      await page.keyboard.type('a')
    },
  },
  {
    name: 'atalhos',
    async open(page, url) {
      await page.goto(`${url}/conversas-ativas`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.keyboard.press('?')
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'chat-menu-da-mensagem',
    async open(page, url) {
      await openMaria(page, url)
      const last = page.getByRole('log').getByRole('button', { name: 'Opções da mensagem' }).last()
      await last.focus()
      await last.press('Enter')
      await page.getByRole('menu').waitFor()
    },
  },
  {
    name: 'chat-emojis',
    async open(page, url) {
      await openMaria(page, url)
      await page.getByRole('button', { name: 'Emojis' }).click()
      await page.getByRole('dialog', { name: 'Emojis' }).getByRole('option').first().waitFor()
    },
  },
  {
    name: 'chat-contato',
    heightPx: 1500,
    async open(page, url) {
      await openMaria(page, url)
      await togglePanel(page)
    },
  },
  {
    name: 'chat-empresa',
    async open(page, url) {
      await openMaria(page, url)
      await page.getByRole('button', { name: 'Empresa:' }).first().click()
      await page.getByRole('listbox', { name: 'Empresa' }).waitFor()
    },
  },
  {
    name: 'chat-nao-lidas-e-rascunho',
    async open(page, url) {
      await openMaria(page, url)
      await page.getByPlaceholder('Digite sua mensagem...').fill('Vou verificar o estoque e já')
      const phones = new Phones(url)
      const unread = await phones.create('Cliente com o nome bem comprido que não cabe na linha da lista')
      for (const text of ['bom dia', 'alguém aí?', 'preciso trocar um produto'])
        await phones.write(unread.id, text)
      await page.goto(`${url}/conversas-ativas?search=${encodeURIComponent('Cliente com o nome')}`)
      await page.getByText('preciso trocar um produto').first().click()
      await page.getByRole('log').waitFor()
    },
  },
  {
    name: 'passar-turno',
    async open(page, url) {
      await page.goto(`${url}/conversas-ativas`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog', { name: 'Ir para…' }).waitFor()
      await page.keyboard.type('passar meu')
      await page.getByRole('option', { name: 'Passar meu turno' }).click()
      await page.getByRole('dialog', { name: 'Passar meu turno' }).waitFor()
    },
  },
  {
    name: 'chat-tipos-de-mensagem',
    heightPx: 9600,
    open: openEveryKind,
  },
  {
    name: 'chat-imagem',
    async open(page, url) {
      await openEveryKind(page, url)
      await page.getByRole('button', { name: 'Abrir imagem: segunda do álbum' }).last().click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'chat-anexos',
    async open(page, url) {
      await openEveryKind(page, url)
      await page.locator('footer input[type=file]').setInputFiles([
        {
          name: 'vitrine da loja nova na esquina.png',
          mimeType: 'image/png',
          buffer: picture(640, 400, 120),
        },
        { name: 'contrato.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') },
        { name: 'recado.wav', mimeType: 'audio/wav', buffer: sound(2) },
      ])
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'test-contact-display',
    open: (page, url) => page.goto(`${url}/test-contact-display`).then(() => undefined),
  },
  {
    name: 'chat-inexistente',
    open: (page, url) => page.goto(`${url}/chat?conversation=99999999`).then(() => undefined),
  },
]

async function openMaria(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/conversas-ativas?search=Maria+Aparecida`)
  await page.getByText('Maria Aparecida de Albuquerque').first().click()
  await page.getByRole('log').waitFor()
}

/** Opens the contact panel, which is open already on wide screens. */
async function togglePanel(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Dados do contato' })
  if ((await button.getAttribute('aria-pressed')) !== 'true') await button.click()
  await page.getByRole('heading', { name: 'Etiquetas' }).waitFor()
}

async function chooseFromMessage(page: Page, name: string): Promise<void> {
  const last = page.getByRole('log').getByRole('button', { name: 'Opções da mensagem' }).last()
  await last.focus()
  await last.press('Enter')
  await page.getByRole('menuitem', { name, exact: true }).click()
}

/** Presses a button of a header, which on narrow screens is an item of its menu. */
async function act(page: Page, name: string, menu = 'Mais ações'): Promise<void> {
  const button = page.getByRole('button', { name, exact: true })
  await button
    .or(page.getByRole('button', { name: menu }))
    .first()
    .waitFor()
  if (await button.isVisible()) return button.click()
  await page.getByRole('button', { name: menu }).click()
  await page
    .getByRole('menuitem', { name, exact: true })

    .click()
}
