import type { Screen } from './screen.ts'

/** The audit log. */
export const auditScreens: readonly Screen[] = [
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
]
