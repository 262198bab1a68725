import type { Screen } from './screen.ts'

/** Users and permissions. */
export const userScreens: readonly Screen[] = [
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
        .getByText(/Nenhuma sessão aberta|Encerrar todas/)
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
]
