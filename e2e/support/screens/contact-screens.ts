import type { Screen } from './screen.ts'

/** Contacts with their import and categories, and companies. */
export const contactScreens: readonly Screen[] = [
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
]
