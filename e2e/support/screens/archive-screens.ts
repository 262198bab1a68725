import type { Screen } from './screen.ts'

/** Completed conversations. */
export const archiveScreens: readonly Screen[] = [
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
]
