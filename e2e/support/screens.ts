import type { Page } from 'playwright-core'
import { picture, sound } from './files.ts'
import { maintenanceScreens } from './maintenance-screens.ts'
import { Phones, sampleMessages } from './phones.ts'
import type { Screen } from './screen.ts'

export const screens: readonly Screen[] = [
  { name: 'dashboard', open: (page, url) => page.goto(url).then(() => undefined) },
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
  {
    name: 'presenca',
    async open(page, url) {
      await page.goto(url)
      await page.getByRole('heading', { level: 1 }).waitFor()
      const open = page.getByRole('button', { name: 'Abrir menu' })
      if (await open.isVisible()) await open.click()
      await page.getByRole('button', { name: /^Presença/ }).click()
      await page.getByRole('menu').waitFor()
    },
  },
  ...['horario', 'midia', 'mensagens', 'fila', 'pre-atendimento', 'ia', 'evolution'].map((tab) => ({
    name: `settings-advanced-${tab}`,
    heightPx: 1700,
    open: (page: Page, url: string) => page.goto(`${url}/settings-advanced?aba=${tab}`).then(() => undefined),
  })),
  ...['usuario', 'mensagens', 'midia', 'gateway'].map((tab) => ({
    name: `settings-${tab}`,
    heightPx: 1700,
    open: (page: Page, url: string) => page.goto(`${url}/settings?aba=${tab}`).then(() => undefined),
  })),
  { name: 'perfil', heightPx: 1200, open: (page, url) => page.goto(`${url}/perfil`).then(() => undefined) },
  {
    name: 'perfil-senha',
    heightPx: 1200,
    async open(page, url) {
      await page.goto(`${url}/perfil`)
      await page.getByRole('textbox', { name: 'Nova senha' }).fill('flamengo10')
      await page.getByText('Fraca.').waitFor()
      await page.getByRole('button', { name: 'Salvar' }).click()
    },
  },
  {
    name: 'perfil-verificacao',
    async open(page, url) {
      await page.goto(`${url}/perfil`)
      await page.getByRole('button', { name: 'Ativar' }).click()
      await page.getByRole('img', { name: 'Código QR para o aplicativo' }).waitFor()
      await page.getByRole('button', { name: 'Não consigo ler o código' }).click()
    },
  },
  {
    name: 'arquivadas',
    open: async (page, url) => {
      await page.goto(`${url}/conversas-arquivadas`)
      await page.getByRole('list', { name: 'Conversas arquivadas' }).waitFor()
    },
  },
  {
    name: 'arquivadas-busca',
    heightPx: 1100,
    open: async (page, url) => {
      await page.goto(`${url}/conversas-arquivadas?search=boleto`)
      await page
        .getByRole('link', { name: /Ir para a mensagem/ })
        .first()
        .waitFor()
    },
  },
  {
    name: 'arquivada',
    heightPx: 1100,
    open: async (page, url) => {
      await page.goto(`${url}/conversas-arquivadas?search=boleto`)
      await page
        .getByRole('link', { name: /Ir para a mensagem/ })
        .first()
        .click()
      await page.getByRole('log', { name: 'Mensagens' }).waitFor()
    },
  },
  {
    name: 'contatos',
    open: async (page, url) => {
      await page.goto(`${url}/contacts`)
      await page.getByRole('table').waitFor()
    },
  },
  {
    name: 'contatos-editar',
    open: async (page, url) => {
      await page.goto(`${url}/contacts`)
      await page.getByRole('table').waitFor()
      const table = page.getByRole('table')
      const more = table.getByRole('button', { name: /^Mais ações/ }).first()
      if (await more.isVisible()) {
        await more.click()
        await page.getByRole('menuitem', { name: 'Editar' }).click()
      } else
        await table
          .getByRole('button', { name: /^Editar/ })
          .first()
          .click()
      await page.getByRole('dialog', { name: 'Editar Contato' }).waitFor()
    },
  },
  {
    name: 'contatos-repetidos',
    open: async (page, url) => {
      await page.goto(`${url}/contacts`)
      await page.getByRole('button', { name: 'Repetidos' }).click()
      await page.getByRole('dialog', { name: 'Contatos repetidos' }).waitFor()
    },
  },
  {
    name: 'contato',
    heightPx: 1100,
    open: async (page, url) => {
      await page.goto(`${url}/contacts`)
      await page.getByRole('table').getByRole('link').nth(1).click()
      await page.getByRole('region', { name: 'Avaliações' }).waitFor()
    },
  },
  {
    name: 'importar',
    heightPx: 1100,
    open: async (page, url) => {
      await page.goto(`${url}/contacts/import`)
      await page.getByText('Solte um CSV ou XLSX aqui').waitFor()
      await page.locator('input[type=file]').setInputFiles({
        name: 'contatos-matriz.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(
          'NOME COMPLETO;FONE;E-MAIL;RAZAO SOCIAL;TIPO;OBS\r\n' +
            'Jussara Prado Amorim;(21) 98812-4410;jussara@prado.example;Prado Ltda;cliente;28 dias\r\n' +
            'Nivaldo Kruger;48 3224-9011;;;fornecedor;\r\nÓtica Boa Vista;9217;otica@;;;\r\n',
        ),
      })
      await page.getByRole('region', { name: 'Colunas' }).waitFor()
    },
  },
  {
    name: 'contato-anonimizar',
    open: async (page, url) => {
      await page.goto(`${url}/contacts`)
      await page.getByRole('table').getByRole('link').nth(2).click()
      await page.getByRole('button', { name: 'Mais ações' }).click()
      await page.getByRole('menuitem', { name: 'Anonimizar' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'pedidos-de-titulares',
    open: (page, url) => page.goto(`${url}/settings-advanced?aba=lgpd`).then(() => undefined),
  },
  {
    name: 'empresas',
    open: async (page, url) => {
      await page.goto(`${url}/companies`)
      await page.getByRole('list', { name: 'Empresas' }).waitFor()
    },
  },
  {
    name: 'categorias',
    open: async (page, url) => {
      await page.goto(`${url}/settings-advanced?aba=categorias`)
      await page.getByRole('button', { name: 'Editar Cliente' }).click()
      await page.getByRole('region', { name: 'Editar categoria' }).waitFor()
    },
  },
  { name: 'users', open: (page, url) => page.goto(`${url}/users`).then(() => undefined) },
  {
    name: 'users-novo',
    async open(page, url) {
      await page.goto(`${url}/users`)
      await page.getByRole('button', { name: 'Novo Usuário' }).click()
      await page.getByRole('button', { name: 'Criar' }).click()
    },
  },
  {
    name: 'users-editar',
    async open(page, url) {
      await page.goto(`${url}/users?search=bruno`)
      await page.getByRole('button', { name: /^Editar Bruno/ }).click()
      await page
        .getByRole('region', { name: 'Acesso' })
        .getByText(/sessão aberta|Chrome/)
        .first()
        .waitFor()
    },
  },
  {
    name: 'users-excluir',
    async open(page, url) {
      await page.goto(`${url}/users`)
      await page
        .getByRole('button', { name: /^Excluir / })
        .first()
        .click()
    },
  },
  { name: 'permissions', open: (page, url) => page.goto(`${url}/permissions?limit=5`).then(() => undefined) },
  {
    name: 'permissions-verificacao',
    async open(page, url) {
      await page.goto(`${url}/permissions`)
      await page.getByRole('button', { name: 'Verificação em duas etapas' }).click()
      await page.getByRole('switch').first().waitFor()
    },
  },
  {
    name: 'permissions-configurar',
    async open(page, url) {
      await page.goto(`${url}/permissions`)
      await page
        .getByRole('button', { name: /^Configurar / })
        .first()
        .click()
    },
  },
  {
    name: 'permissions-ver-como',
    async open(page, url) {
      await page.goto(`${url}/permissions?search=bruno`)
      await page.getByRole('button', { name: 'Ver como Bruno Tavares' }).click()
    },
  },
  {
    name: 'auditoria',
    heightPx: 1310,
    async open(page, url) {
      await page.goto(`${url}/auditoria`)
      await page.getByRole('table').waitFor()
    },
  },
  {
    name: 'auditoria-aberta',
    heightPx: 1310,
    async open(page, url) {
      await page.goto(`${url}/auditoria?group=permissions`)
      await page
        .getByRole('button', { name: /^Abrir registro/ })
        .first()
        .click()
    },
  },
  {
    name: 'auditoria-periodo',
    async open(page, url) {
      await page.goto(`${url}/auditoria?from=2026-01-01&outcome=refused`)
      await page.getByRole('button', { name: /^Período/ }).click()
      await page.getByLabel('Até').waitFor()
    },
  },
  {
    name: 'auditoria-pessoa',
    async open(page, url) {
      await page.goto(`${url}/auditoria`)
      await page.getByRole('table').waitFor()
      await page.getByRole('button', { name: 'Pessoa' }).click()
    },
  },
  {
    name: 'auditoria-sem-resultado',
    async open(page, url) {
      await page.goto(`${url}/auditoria?from=2020-01-01&to=2020-01-02`)
      await page.getByText('Nenhum registro com estes filtros').waitFor()
    },
  },
  {
    name: 'relatorios',
    heightPx: 1500,
    async open(page, url) {
      await page.goto(`${url}/reports?period=month`)
      await page.getByRole('rowheader', { name: 'Ana Beatriz Nogueira' }).first().waitFor()
    },
  },
  {
    name: 'relatorios-conversas',
    heightPx: 2000,
    async open(page, url) {
      await page.goto(`${url}/reports?period=month&figure=first_reply`)
      await page.getByRole('columnheader', { name: 'No expediente' }).waitFor()
    },
  },
  {
    name: 'relatorios-vazio',
    async open(page, url) {
      await page.goto(`${url}/reports?period=month&startDate=2020-02-01`)
      await page.getByText('Nenhuma conversa no período').waitFor()
    },
  },
  ...maintenanceScreens,
  { name: 'nao-encontrada', open: (page, url) => page.goto(`${url}/nao-existe`).then(() => undefined) },
  { name: 'simulador', open: (page, url) => page.goto(`${url}/simulador`).then(() => undefined) },
]

const everyKindName = 'Manda de Tudo'

async function openEveryKind(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/conversas-ativas?search=${encodeURIComponent(everyKindName)}`)
  await page.getByRole('link', { name: everyKindName }).click()
  await page.getByRole('log').waitFor()
}

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

const signs =
  'Oi! *Preciso* de _ajuda_ com o ~pedido~ `48213`:\n- caixa rasgada\n- *falta* um item\n' +
  '> Entrega até sexta\nLigue (11) 98765-4321 ou ana@exemplo.com.br\n```total = 129,90```'

/** Creates a chat with a message of every kind from the client, and then from the company's phone. */
export async function writeEveryKind(url: string): Promise<void> {
  const phones = new Phones(url)
  const { id } = await phones.create(everyKindName)
  await phones.write(id, signs)
  await phones.send(id, { kind: 'image', base64: 'AAAA', caption: 'não abre' })
  for (const message of Object.values(sampleMessages)) await phones.send(id, message)
  for (const message of Object.values(sampleMessages)) {
    const sent = await phones.sendAsOwner(id, message)
    if (message.kind !== 'poll') continue
    await phones.vote(id, sent.id, ['tarde'])
    await phones.pin(id, sent.id, true)
  }
  await phones.call(id, { outcome: 'missed' })
}
