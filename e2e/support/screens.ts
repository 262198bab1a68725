import type { Page } from 'playwright-core'
import { screenPaths } from '#shared/acts.ts'
import { lastMonth } from './last-month.ts'

export type Screen = [name: string, address: string, shown: (page: Page) => Promise<unknown>]

const archived = (page: Page) => page.getByRole('list', { name: 'Conversas arquivadas' }).getByRole('article')

/** Screens in their usual state that need more than their address, or of which more is waited for. */
const described: Screen[] = [
  ['/', '/', (page) => page.getByRole('list', { name: 'Conversas recentes' }).waitFor()],
  [
    '/conversas-ativas',
    '/conversas-ativas?limit=5',
    (page) => page.getByRole('list', { name: 'Conversas ativas' }).waitFor(),
  ],
  ['/conversas-arquivadas', '/conversas-arquivadas', (page) => archived(page).first().waitFor()],
  [
    '/conversas-arquivadas/:id',
    '/conversas-arquivadas',
    async (page) => {
      await archived(page).first().getByRole('link').first().click()
      await page
        .getByRole('region', { name: 'Histórico de Mensagens' })
        .getByText(/^\d+ mensage(m|ns)$/)
        .waitFor()
    },
  ],
  ['/agendadas', '/agendadas', (page) => page.getByRole('table', { name: 'A enviar' }).waitFor()],
  ['/perfil', '/perfil', (page) => page.getByRole('list', { name: 'Sessões abertas' }).waitFor()],
  ['/contacts', '/contacts', (page) => page.getByRole('table').waitFor()],
  [
    '/contacts/:id',
    '/contacts',
    async (page) => {
      await page.getByRole('table').getByRole('link').first().click()
      await page.getByRole('region', { name: 'Conversas' }).waitFor()
    },
  ],
  [
    '/contacts/import',
    '/contacts/import?id=novo',
    (page) => page.getByText('Solte um CSV, XLSX ou vCard aqui').waitFor(),
  ],
  ['/companies', '/companies', (page) => page.getByRole('list', { name: 'Empresas' }).waitFor()],
  ['/users', '/users', (page) => page.getByRole('row', { name: /Ana Beatriz/ }).waitFor()],
  ['/permissions', '/permissions', (page) => page.getByText('@bruno').waitFor()],
  ['/settings', '/settings?aba=mensagens', (page) => page.getByText('Tudo salvo').waitFor()],
  [
    '/settings-advanced',
    '/settings-advanced?aba=evolution',
    (page) => page.getByLabel('Nome da instância').waitFor(),
  ],
  [
    '/reports',
    `${lastMonth}&figure=handling`,
    (page) => page.getByRole('columnheader', { name: 'No expediente' }).waitFor(),
  ],
  ['/auditoria', '/auditoria', (page) => page.getByRole('table').waitFor()],
  [
    '/maintenance',
    '/maintenance',
    (page) => page.getByRole('region', { name: 'Uso de disco', exact: true }).waitFor(),
  ],
  ['/primeiros-passos', '/primeiros-passos', (page) => page.getByText('Tudo pronto').waitFor()],
  ['/test-contact-display', '/test-contact-display', (page) => page.getByRole('textbox').first().waitFor()],
  ['not found', '/nao-existe', (page) => page.getByText('404 Page Not Found').waitFor()],
  ['/simulador', '/simulador', (page) => page.getByRole('textbox', { name: 'Mensagem' }).first().waitFor()],
]

const heading = (page: Page) => page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()

/** All others, by their address. */
const others = screenPaths
  .filter((path) => path !== '/chat' && !described.some(([name]) => name === path))
  .map((path): Screen => [path, path, heading])

/** One of each screen but the login and the chat, in its usual state. */
export const screens = [...described, ...others]

/** Further states of them. */
export const states: Screen[] = [
  [
    '/conversas-ativas without a result',
    '/conversas-ativas?search=zzzz',
    (page) => page.getByText('Nenhuma conversa corresponde à busca aplicada').waitFor(),
  ],
  [
    '/chat that does not exist',
    '/chat?conversation=99999999',
    (page) => page.getByText('Conversa não encontrada', { exact: true }).waitFor(),
  ],
  [
    '/settings-advanced with the AI',
    '/settings-advanced?aba=ia',
    (page) => page.getByLabel('ID do agente', { exact: true }).waitFor(),
  ],
  ...['respostas', 'horario', 'mensagens', 'fila', 'pre-atendimento'].map((tab): Screen => [
    `/settings-advanced, ${tab}`,
    `/settings-advanced?aba=${tab}`,
    (page) => page.getByText('Tudo salvo').waitFor(),
  ]),
  ['/settings, midia', '/settings?aba=midia', (page) => page.getByText('Salvar Mensagem').waitFor()],
  ['/settings, usuario', '/settings?aba=usuario', (page) => page.getByText('Seus dados').waitFor()],
  [
    "'Ver como'",
    '/permissions?search=bruno',
    async (page) => {
      await page.getByRole('button', { name: 'Ver como Bruno Tavares' }).click()
      await page.getByText(/^Abre \d+ de \d+ telas$/).waitFor()
    },
  ],
  [
    '/auditoria with a row opened',
    '/auditoria?group=auth',
    (page) =>
      page
        .getByRole('button', { name: /^Abrir registro/ })
        .first()
        .click(),
  ],
]
