import type { Page } from 'playwright-core'
import { password } from './stage.ts'

/** The next answer of the call is that the password was given too long ago. */
export const asksForPassword = (page: Page, path: string) =>
  page.route(
    path,
    (route) =>
      route.fulfill({ status: 403, json: { code: 'auth.reauthenticate', message: 'Confirme sua senha' } }),
    { times: 1 },
  )

/** Gives the password, or another one, to the dialog that asks for it. */
export async function givePassword(page: Page, word = password): Promise<void> {
  const confirm = page.getByRole('dialog', { name: 'Confirme sua senha' })
  await confirm.getByLabel('Sua senha').fill(word)
  await confirm.getByRole('button', { name: 'Confirmar' }).click()
}
