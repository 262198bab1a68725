import type { Page } from 'playwright-core'
import type { Screen } from './screen.ts'

/** The settings, and the own profile. */
export const settingsScreens: readonly Screen[] = [
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
]
