import type { Locator, Page } from 'playwright-core'

/** The button under the person's name in the side bar, or in the drawer of a telephone. */
const button = (page: Page) =>
  page.getByRole('button', { name: / (Administrador|Supervisor|Operador|Saindo\.\.\.)$/ })

/** Opens the menu of the signed-in person. @returns one of its items */
export async function openAccountMenu(page: Page): Promise<(name: string) => Locator> {
  await button(page).click()
  await page.getByRole('menuitem', { name: 'Sair' }).waitFor()
  return (name) => page.getByRole('menuitem', { name, exact: true })
}

/** Does what an item of the menu of the signed-in person does. */
export async function inAccountMenu(page: Page, name: string): Promise<void> {
  const item = await openAccountMenu(page)
  await item(name).click()
}
