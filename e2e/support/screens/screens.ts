import { archiveScreens } from './archive-screens.ts'
import { auditScreens } from './audit-screens.ts'
import { chatScreens } from './chat-screens.ts'
import { contactScreens } from './contact-screens.ts'
import { maintenanceScreens } from './maintenance-screens.ts'
import { reportScreens } from './report-screens.ts'
import type { Screen } from './screen.ts'
import { settingsScreens } from './settings-screens.ts'
import { userScreens } from './user-screens.ts'

/** Every screen, in the order in which they are opened. */
export const screens: readonly Screen[] = [
  { name: 'dashboard', open: (page, url) => page.goto(url).then(() => undefined) },
  ...chatScreens,
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
  ...settingsScreens,
  ...archiveScreens,
  ...contactScreens,
  ...userScreens,
  ...auditScreens,
  ...reportScreens,
  ...maintenanceScreens,
  { name: 'nao-encontrada', open: (page, url) => page.goto(`${url}/nao-existe`).then(() => undefined) },
  { name: 'simulador', open: (page, url) => page.goto(`${url}/simulador`).then(() => undefined) },
]
